import { resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import { hintNoVersion, pickVersion, readPackRef, whyNoVersion } from '../distribution/pick-version.ts'
import { isExactVersion, isVersionRange } from '../lib/semver-range.ts'
import { visibleLine } from '../lib/visible.ts'
import type { ConfiguredHub, HubIndex, HubPack, HubVersion } from '../schema/hub.ts'
import { badPack } from './bad-pack.ts'
import type { Host } from './host.ts'
import { hubNamed } from './hubs.ts'
import {
  type InstalledPackInfo,
  type InstalledSkills,
  type InstallOptions,
  installPacks,
  type WantedPack,
} from './install-skills.ts'
import { type HubWorld, type OpenHub, openHub } from './open-hub.ts'
import type { OpenPack } from './read-pack.ts'
import { installedPackOf, refuseOtherSigner, refuseOtherVersion, refuseStranger } from './refuse-replacing.ts'
import { type SkillTarget, skillTarget } from './skill-target.ts'

export type HubInstallOptions = InstallOptions & {
  /** Look in this hub alone. */
  readonly hub?: string | undefined
}

/** A version of a pack that was chosen in a hub, and the range that `update` may follow. */
export type HubPick = {
  readonly hub: OpenHub
  readonly pack: HubPack
  readonly version: HubVersion
  readonly range: string
  /** Whoever asked named this version and no other; what a hub writes into a collection does not count. */
  readonly isNamed: boolean
}

export type HubInstalled = InstalledSkills & {
  readonly hub: string
  readonly collection: string | null
  readonly packs: readonly (InstalledPackInfo & { readonly tier: HubPack['tier']; readonly range: string })[]
}

/** Whether SOURCE means a pack of a hub. Throws a UsageError where it could as well be what lies here. */
export const isHubSource = (options: HubInstallOptions, host: Host): boolean => {
  const ref = readPackRef(options.source)
  if (options.hub !== undefined) {
    if (ref !== undefined) return true
    throw new UsageError('bad_pack_ref', `${visibleLine(options.source, 100)} is not the name of a pack in a hub`, {
      hint: 'Write NAME or NAME@RANGE, as csv-analyzer@^1.2.',
    })
  }
  if (ref === undefined) return false
  const isHere = host.files.stat(resolve(host.cwd, options.source)) !== undefined
  if (skillTarget(options, host).hubs.length === 0) {
    if (!isHere && options.user) refuseProjectHubs(options, host)
    return false
  }
  if (!isHere) return true
  throw new UsageError('two_sources', `${options.source} lies here, and is a name that hubs are asked for`, {
    hint: `Write ./${options.source} for what lies here, or add --hub NAME.`,
  })
}

/** A project can't say where its user's own skills come from: who has hubs there alone may wonder. */
const refuseProjectHubs = ({ config }: HubInstallOptions, host: Host): void => {
  const { hubs } = skillTarget({ config }, host)
  if (hubs.length === 0) return
  const names = hubs.map(({ name }) => name).join(', ')
  throw new UsageError(
    'no_hub',
    `no hub is configured for you; those of the project (${names}) do not count for --user`,
    {
      hint: 'Add one of your own: skills-eval skills hub add URL --user.',
    },
  )
}

/** Installs a pack or a collection from the first hub that has it: all of it, or nothing. */
export const installFromHub = async (
  options: HubInstallOptions,
  host: Host,
  world: HubWorld = {},
): Promise<HubInstalled> => {
  const ref = readPackRef(options.source)
  if (ref === undefined) throw new UsageError('bad_pack_ref', `${options.source} is not the name of a pack`)
  if (!isVersionRange(ref.range))
    throw new UsageError('bad_range', `${visibleLine(ref.range, 100)} is no range of versions`, {
      hint: 'Write it as semver has it: 1.2.0, ^1.2, 1.x, >=1 <3.',
    })
  const target = skillTarget(options, host)
  const hubs = options.hub === undefined ? target.hubs : [hubNamed(options.hub, target.hubs)]
  const { hub, collection, picks } = await firstWith(ref, hubs, target, host, world)
  const wanted = picks.map((pick): WantedPack => wantedFrom(pick, target, options))
  const { packs, notes, ...rest } = await installPacks(wanted, target, options, host)
  return {
    hub: hub.hub.name,
    collection,
    ...rest,
    packs: packs.map((pack, i) => ({
      ...pack,
      tier: picks[i]?.pack.tier ?? 'community',
      range: picks[i]?.range ?? '',
    })),
    notes: [...picks.flatMap(yankedNote), ...notes],
  }
}

export const yankedNote = ({ pack, version }: Pick<HubPick, 'pack' | 'version'>): readonly string[] =>
  version.yanked === null ? [] : [`${pack.name} ${version.version} was taken back (yanked): ${version.yanked}`]

type Found = { readonly hub: OpenHub; readonly collection: string | null; readonly picks: readonly HubPick[] }

/**
 * The first hub that has the name decides, whatever later ones have: nobody can put a higher version before one of yours.
 * A hub that can't be read stops the search, for the same reason.
 */
const firstWith = async (
  ref: { readonly name: string; readonly range: string },
  hubs: readonly ConfiguredHub[],
  target: SkillTarget,
  host: Host,
  world: HubWorld,
): Promise<Found> => {
  for (const one of hubs) {
    const hub = await openHub(one, target.project.dir, host, world)
    const pack = packIn(hub.index, ref.name)
    if (pack !== undefined) return { hub, collection: null, picks: [pickOf(hub, pack, ref.range, true)] }
    const collection = hub.index.collections.find(({ name }) => name === ref.name)
    if (collection === undefined) continue
    if (ref.range !== '*') throw new UsageError('bad_range', `${ref.name} is a collection, which has no versions`)
    const picks = collection.packs.map(({ name, range }) => {
      const found = packIn(hub.index, name)
      if (found === undefined)
        throw new UsageError('no_pack', `the collection ${ref.name} names ${name}, which ${one.name} does not have`)
      return pickOf(hub, found, range, false)
    })
    return { hub, collection: ref.name, picks }
  }
  throw new UsageError('no_pack', `no hub has ${ref.name}: ${hubs.map(({ name }) => name).join(', ')}`, {
    hint: `\`skills-eval skills hub search ${ref.name}\` looks for what is called alike.`,
  })
}

export const packIn = ({ packs }: HubIndex, name: string): HubPack | undefined =>
  packs.find((pack) => pack.name === name)

/** Without a range `update` stays compatible with what is installed now. */
const pickOf = (hub: OpenHub, pack: HubPack, range: string, isAsked: boolean): HubPick => {
  const isNamed = isAsked && isExactVersion(range)
  const version = pickVersion(pack, range, isNamed)
  if (version === undefined)
    throw new UsageError('no_version', whyNoVersion(pack, range), { hint: hintNoVersion(pack, range) })
  return { hub, pack, version, isNamed, range: isAsked && range === '*' ? `^${version.version}` : range }
}

/**
 * A pick as it is installed: it must be what the index says, and goes over nothing that is from elsewhere, newer, or of
 * another signer.
 */
export const wantedFrom = (
  { hub, pack, version, range, isNamed }: HubPick,
  { trusted }: Pick<SkillTarget, 'trusted'>,
  options: Pick<InstallOptions, 'force' | 'acceptUnsigned' | 'acceptUnknownKey'>,
): WantedPack => ({
  open: () => hub.zip(version),
  hub: { name: hub.hub.name, url: hub.hub.url, range },
  check: (opened, lock) => {
    checkPromised(opened, pack.name, version)
    for (const { name } of opened.skills) {
      const known = installedPackOf(lock, name)
      if (known === undefined) continue
      if (!options.force) {
        refuseStranger(name, known, pack.name, hub.hub, hub.hub.name)
        refuseOtherVersion(known, lock.skills[name]?.pack ?? '', { name: pack.name, ...version, isNamed })
      }
      if (known.manifest.name === pack.name) refuseOtherSigner(known, version, trusted, options)
    }
  },
})

const checkPromised = ({ manifest, digest, signer }: OpenPack, name: string, version: HubVersion): void => {
  if (manifest.name !== name || manifest.version !== version.version)
    throw badPack(`it is ${manifest.name} ${manifest.version}, and not ${name} ${version.version}`)
  if (digest !== version.digest) throw badPack('its manifest is not the one that the index of the hub names')
  const fingerprint = 'fingerprint' in signer ? signer.fingerprint : null
  if (fingerprint !== version.signer) throw badPack('it is signed by another key than the index of the hub says')
}
