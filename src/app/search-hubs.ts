import { SkillsEvalError } from '../core/errors.ts'
import { pickVersion } from '../distribution/pick-version.ts'
import { fingerprintOf } from '../lib/ed25519.ts'
import type { HubPack } from '../schema/hub.ts'
import { skillSearch } from '../skills/search-skills.ts'
import type { Host } from './host.ts'
import { type HubWorld, type OpenHub, openHub } from './open-hub.ts'
import { type SkillTarget, skillTarget, type TargetOptions } from './skill-target.ts'

export type HubTier = HubPack['tier']

export type ListedHub = {
  readonly name: string
  readonly url: string
  /** The fingerprint of the key that has to sign its index. */
  readonly key: string | null
  readonly serial?: number
  readonly packs?: number
  readonly collections?: number
  /** Why it can't be used. */
  readonly problem?: string
}

export type HubHit = {
  readonly hub: string
  readonly name: string
  readonly kind: 'pack' | 'collection'
  /** The highest that would be installed; null where every one was taken back, and of a collection. */
  readonly version: string | null
  readonly tier: HubTier | null
  readonly tags: readonly string[]
  readonly description: string
  readonly skills: readonly string[]
  /** An earlier hub has the name: this one is installed with `--hub` alone. */
  readonly hidden: boolean
}

type Options = Pick<TargetOptions, 'config' | 'user'>

/** The configured hubs in their order, each with what its index has. A hub that can't be read is told, not thrown. */
export const listHubs = async (options: Options, host: Host, world: HubWorld = {}): Promise<readonly ListedHub[]> => {
  const target = skillTarget(options, host)
  const opened = await openAll(target, host, world)
  return opened.map(({ hub, open, problem }) => ({
    name: hub.name,
    url: hub.url,
    key: hub.key === undefined ? null : fingerprintOf(hub.key),
    ...(open === undefined
      ? {}
      : { serial: open.index.serial, packs: open.index.packs.length, collections: open.index.collections.length }),
    ...(problem === undefined ? {} : { problem }),
  }))
}

export type HubSearch = {
  readonly hubs: number
  readonly hits: readonly HubHit[]
  readonly problems: readonly string[]
}

/** Packs and collections of all hubs, the best first; all of them without a query. */
export const searchHubs = async (
  query: string,
  options: Options & { readonly limit: number; readonly tier?: HubTier | undefined },
  host: Host,
  world: HubWorld = {},
): Promise<HubSearch> => {
  const opened = await openAll(skillTarget(options, host), host, world)
  const met = new Set<string>()
  const all = opened.flatMap(({ open }) => {
    const entries = open === undefined ? [] : entriesOf(open)
    const shown = entries.map((entry) => ({ ...entry, hidden: met.has(entry.name) }))
    for (const { name } of entries) met.add(name)
    return shown
  })
  const wanted = options.tier === undefined ? all : all.filter(({ tier }) => tier === options.tier)
  const problems = opened.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))
  return { hubs: opened.length, hits: await ranked(query, wanted, options.limit), problems }
}

const ranked = async (query: string, all: readonly HubHit[], limit: number): Promise<readonly HubHit[]> => {
  if (query.trim() === '') return all.slice(0, limit)
  // The skill search knows an entry by its place: names may be there twice.
  const documents = all.map(({ name, description, tags, skills }, place) => ({
    name,
    description,
    tags: [...tags, ...skills],
    source: String(place),
  }))
  const hits = await skillSearch(documents)(query, limit)
  return hits.flatMap(({ source }) => all[Number(source)] ?? [])
}

const entriesOf = ({ hub, index }: OpenHub): readonly Omit<HubHit, 'hidden'>[] => [
  ...index.packs.map((pack) => {
    const version = pickVersion(pack, '*') ?? pack.versions.find(({ yanked }) => yanked === null)
    return {
      hub: hub.name,
      name: pack.name,
      kind: 'pack' as const,
      version: version?.version ?? null,
      tier: pack.tier,
      tags: pack.tags,
      description: pack.description,
      skills: version?.skills ?? [],
    }
  }),
  ...index.collections.map(({ name, description, packs }) => ({
    hub: hub.name,
    name,
    kind: 'collection' as const,
    version: null,
    tier: null,
    tags: [],
    description,
    skills: packs.map((pack) => pack.name),
  })),
]

type Opened = { readonly hub: SkillTarget['hubs'][number]; readonly open?: OpenHub; readonly problem?: string }

const openAll = ({ hubs, project }: SkillTarget, host: Host, world: HubWorld): Promise<readonly Opened[]> =>
  Promise.all(
    hubs.map(async (hub): Promise<Opened> => {
      try {
        return { hub, open: await openHub(hub, project.dir, host, world) }
      } catch (error) {
        if (error instanceof SkillsEvalError) return { hub, problem: `${hub.name}: ${error.message}` }
        throw error
      }
    }),
  )
