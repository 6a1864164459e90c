import { foreignLine } from './foreign-text.ts'
import { plural } from './format-number.ts'
import type { PackText } from './packs-report.ts'
import { painter } from './tone.ts'

export type BuiltHub = {
  /** Absolute. */
  readonly file: string
  readonly name: string
  readonly serial: number
  /** false: the index was what it should be already. */
  readonly changed: boolean
  readonly packs: number
  readonly versions: number
  readonly collections: number
  readonly signed: string | null
  readonly notes: readonly string[]
}

/** What `skills hub build` prints. */
export const builtHubText = (built: BuiltHub): PackText => ({
  out: lines([
    `${foreignLine(built.name)}: ${plural(built.packs, 'pack')}, ${plural(built.versions, 'version')}, ${plural(built.collections, 'collection')}`,
    `file    ${foreignLine(built.file, 1000)}${built.changed ? '' : ', as it was'}`,
    `serial  ${built.serial}`,
    ...(built.signed === null ? [] : [`signed  ${built.signed}`]),
  ]),
  notes: lines(built.notes.map((note) => `note: ${foreignLine(note, 1000)}`)),
})

/** What `skills hub add` prints. */
export const addedHubText = (hub: {
  readonly name: string
  readonly url: string
  readonly file: string
  readonly added: boolean
  readonly packs: number
  readonly key: string | null
}): PackText => ({
  out: lines([
    `${foreignLine(hub.name)}: ${hub.added ? 'added' : 'there already'}, ${plural(hub.packs, 'pack')}`,
    `url     ${foreignLine(hub.url, 1000)}`,
    `file    ${foreignLine(hub.file, 1000)}`,
    `key     ${hub.key ?? 'none: its index is not signed'}`,
  ]),
  notes:
    hub.key === null
      ? ''
      : 'note: compare the key with the one that its makers tell you; from now on no other is taken\n',
})

/** What `skills hub list` prints. */
export const hubListText = ({
  hubs,
}: {
  readonly hubs: readonly {
    readonly name: string
    readonly url: string
    readonly key: string | null
    readonly packs?: number
    readonly collections?: number
    readonly problem?: string
  }[]
}): PackText => ({
  out:
    hubs.length === 0
      ? noHub
      : lines(
          hubs.map(({ name, url, key, packs = 0, collections = 0, problem }) => {
            const holds = `${plural(packs, 'pack')}, ${plural(collections, 'collection')}`
            const signed = key === null ? 'not signed' : `signed by ${key.slice(0, 16)}`
            return `${foreignLine(name)}  ${foreignLine(url, 1000)}  ${problem === undefined ? `${holds}, ${signed}` : 'can not be used'}`
          }),
        ),
  notes: lines(hubs.flatMap(({ problem }) => (problem === undefined ? [] : [`note: ${foreignLine(problem, 1000)}`]))),
})

const noHub = 'no hub is configured: skills-eval skills hub add URL\n'

/** What `skills hub search` prints. */
export const hubSearchText = (
  found: {
    readonly hubs: number
    readonly hits: readonly {
      readonly hub: string
      readonly name: string
      readonly kind: string
      readonly version: string | null
      readonly tier: string | null
      readonly description: string
      readonly hidden: boolean
    }[]
    readonly problems: readonly string[]
  },
  color: boolean,
): PackText => {
  const paint = painter(color)
  return {
    out:
      found.hits.length === 0
        ? found.hubs === 0
          ? noHub
          : 'nothing was found\n'
        : lines(
            found.hits.map(({ hub, name, kind, version, tier, description, hidden }) => {
              const what = kind === 'collection' ? 'collection' : `${version ?? 'yanked'} ${tier ?? ''}`
              const where = hidden ? `only with --hub ${hub}` : hub
              return `${paint(foreignLine(name), 'strong')}  ${foreignLine(what)} (${foreignLine(where)})  ${foreignLine(description, 160)}`
            }),
          ),
    notes: lines(found.problems.map((problem) => `note: ${foreignLine(problem, 1000)}`)),
  }
}

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('')
