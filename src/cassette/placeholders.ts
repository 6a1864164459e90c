export type Place = { readonly name: string; readonly path: string }

/** Takes the paths of this machine out of texts and puts them back in. */
export type Placeholders = {
  /** `/home/a/ws/data.csv` → `[path:workspace]/data.csv`. */
  hide(text: string): string
  /** The other way round, for what a recorded model says. */
  show(text: string): string
  showValue(value: unknown): unknown
}

/**
 * Of two places one in the other, the inner one counts. A place is only found where a path could end: `/home/a` is not
 * in `/home/ab`. Names that mktemp makes in the temporary place are all the same.
 */
export const placeholders = (places: readonly Place[]): Placeholders => {
  const known = places
    .filter(({ path }) => path.length > 1)
    .sort((a, b) => b.path.length - a.path.length || (a.name < b.name ? -1 : 1))
  const nameOf = new Map(known.toReversed().map(({ name, path }) => [path, name]))
  const pathOf = new Map(known.toReversed().map(({ name, path }) => [name, path]))
  const pattern =
    known.length === 0
      ? undefined
      : new RegExp(
          `(?<![A-Za-z0-9_-])(?:${[...nameOf.keys()].sort(longestFirst).map(escaped).join('|')})(?![A-Za-z0-9_-]|\\.[A-Za-z0-9])`,
          'g',
        )
  const show = (text: string) =>
    text.includes('[path:')
      ? text.replace(/\[path:([^\]\n]{1,200})\]/g, (all, name: string) => pathOf.get(name) ?? all)
      : text
  return {
    hide: (text) =>
      pattern === undefined
        ? text
        : text
            .replace(pattern, (path) => `[path:${nameOf.get(path)}]`)
            .replace(/(\[path:temporary\]\/)tmp[.\w-]{4,}/g, '$1tmp'),
    show,
    showValue: (value) => mapStrings(value, show),
  }
}

const longestFirst = (a: string, b: string): number => b.length - a.length

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A JSON value with every string in it changed; keys stay. */
export const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapStrings(member, change)]))
}
