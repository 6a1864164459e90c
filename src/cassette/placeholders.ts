import { boundedCache } from '../lib/bounded-cache.ts'

export type Place = { readonly name: string; readonly path: string }

/** Takes the paths of this machine out of texts and puts them back in. */
export type Placeholders = {
  /** `/home/a/ws/data.csv` → `[path:workspace]/data.csv`; a text that says `[path:` itself comes back from `show` too. */
  hide(text: string): string
  /** The other way round, for what a recorded model says. */
  show(text: string): string
  showValue(value: unknown): unknown
}

/**
 * Of two places one in the other, the inner one counts; of two names for one place, the first. A place is only found
 * where a path could end: `/home/a` is not in `/home/ab`. Names that mktemp makes in the temporary place are all the same.
 */
export const placeholders = (places: readonly Place[]): Placeholders => {
  const known = places
    .map(({ name, path }) => ({ name, path: path.replace(/[/\\]+$/, '') }))
    .filter(({ path }) => path.length > 1)
  const pathOf = new Map(known.toReversed().map(({ name, path }) => [name, path]))
  const nameOf = new Map(
    known.toReversed().flatMap(({ name, path }) => [
      // A skill's folder is told in an attribute.
      [attribute(path), name],
      [path, name],
    ]),
  )
  const written = [...nameOf.keys()].sort(longestFirst)
  const hide = (text: string) => {
    const inert = text.includes(OPEN) ? text.replaceAll(OPEN, `${OPEN}]`) : text
    const there = written.filter((path) => inert.includes(path))
    if (there.length === 0) return inert
    const hidden = inert.replace(anyOf(there), (path) => `${OPEN}${nameOf.get(path)}]`)
    return hidden.includes(TEMPORARY) ? hidden.replace(/(\[path:temporary\]\/)tmp[.\w-]{4,}/g, '$1tmp') : hidden
  }
  const show = (text: string) =>
    text.includes(OPEN)
      ? text.replace(/\[path:([^\]\n]{0,200})\]/g, (all, name: string) =>
          name === '' ? OPEN : (pathOf.get(name) ?? all),
        )
      : text
  return { hide, show, showValue: (value) => mapStrings(value, show) }
}

const OPEN = '[path:'
const TEMPORARY = `${OPEN}temporary]/`

// Trials share most of their places, and most texts name none.
const patterns = boundedCache<string, RegExp>(100)

/** Any of these paths, the longest first, where a path can begin and end. */
const anyOf = (paths: readonly string[]): RegExp => {
  const source = paths.map(escaped).join('|')
  return patterns.get(source, () => new RegExp(`(?<![A-Za-z0-9_-])(?:${source})(?![A-Za-z0-9_-]|\\.[A-Za-z0-9])`, 'g'))
}

const attribute = (path: string): string =>
  path.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const longestFirst = (a: string, b: string): number => b.length - a.length

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A JSON value with every string in it changed, keys too; what a model nests deeper than any tool takes is cut off. */
export const mapStrings = (value: unknown, change: (text: string) => string, depth = 0): unknown => {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return '…'
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [change(key), mapStrings(member, change, depth + 1)]),
  )
}

const MAX_DEPTH = 200
