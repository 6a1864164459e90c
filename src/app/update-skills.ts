import { recoverRoot } from '../adapters/files/staged-root.ts'
import { SkillsEvalError } from '../core/errors.ts'
import { installedSkill } from '../distribution/lock.ts'
import { pickVersion } from '../distribution/pick-version.ts'
import { compareSemver } from '../lib/semver-range.ts'
import type { HubPack } from '../schema/hub.ts'
import type { InstalledPack, Lock } from '../schema/pack.ts'
import type { Host } from './host.ts'
import { type HubPick, packIn, wantedFrom, yankedNote } from './install-from-hub.ts'
import { type InstalledSkills, type InstallOptions, installPacks, type WantedPack } from './install-skills.ts'
import { soundLock } from './installed-lock.ts'
import { occupantOf, refuseLocalEdits } from './occupant.ts'
import { type HubWorld, hubBase, type OpenHub, openHub } from './open-hub.ts'
import { refuseOtherSigner } from './refuse-replacing.ts'
import { rootNames, type SkillTarget, skillTarget } from './skill-target.ts'
import { notInstalled } from './uninstall-skill.ts'

export type UpdateOptions = Omit<InstallOptions, 'source' | 'requireManifest'> & {
  /** Skills or packs; without any all that are from hubs. */
  readonly names: readonly string[]
  readonly dryRun?: boolean | undefined
}

/** What is to become of an installed pack. */
export type PackUpdate = {
  readonly pack: string
  readonly hub: string | null
  readonly range: string | null
  readonly from: string
  /** The same where it stays. */
  readonly to: string
  readonly skills: readonly string[]
  /** Why the installed version was taken back. */
  readonly yanked?: string
}

export type Updated = InstalledSkills & { readonly dry_run: boolean; readonly updates: readonly PackUpdate[] }

/**
 * Brings installed packs to the highest version in the range that they were installed with, from the hub that they are
 * from; never to a lower one. All of them, or nothing.
 */
export const updateSkills = async (options: UpdateOptions, host: Host, world: HubWorld = {}): Promise<Updated> => {
  const target = skillTarget(options, host)
  recoverRoot(target.root, rootNames)
  const lock = soundLock(target.root, host)
  const plan = await planUpdates(options.names, lock, target, host, world)
  const updates = plan.map(({ update }) => update)
  const moving = plan.filter(({ pick }) => pick !== undefined)
  const notes = plan.flatMap((one) => one.notes)
  // Also where it is only tried.
  for (const { pick, installed } of moving)
    if (pick !== undefined) refuseOtherSigner(installed, pick.version, target.trusted, options)
  for (const { update } of moving)
    for (const name of update.skills)
      refuseLocalEdits(name, occupantOf(target.root, name, lock, host), options.force === true)
  const base = { dry_run: options.dryRun === true, updates }
  if (options.dryRun || moving.length === 0)
    return { ...base, root: target.root, skills: [], backups: [], findings: [], notes }
  const wanted = moving.flatMap(({ pick, installed, update }) =>
    pick === undefined ? [] : [wantedUpdate(pick, installed, update.skills, lock, target, options)],
  )
  const { packs: _, ...done } = await installPacks(wanted, target, options, host)
  return { ...base, ...done, notes: [...notes, ...done.notes] }
}

type Planned = {
  readonly update: PackUpdate
  readonly installed: InstalledPack
  readonly pick?: HubPick
  readonly notes: readonly string[]
}

type Content = Pick<Lock, 'packs' | 'skills'>

const planUpdates = async (
  names: readonly string[],
  lock: Content,
  target: SkillTarget,
  host: Host,
  world: HubWorld,
): Promise<readonly Planned[]> => {
  const opened = new Map<string, Promise<OpenHub>>()
  const open = (url: string): Promise<OpenHub> | undefined => {
    const hub = target.hubs.find((one) => hubBase(one.url) === hubBase(url))
    if (hub === undefined) return undefined
    const opening = opened.get(hub.url) ?? openHub(hub, target.project.dir, host, world)
    opened.set(hub.url, opening)
    return opening
  }
  const plan: Planned[] = []
  for (const [digest, installed] of chosenPacks(names, lock)) {
    const skills = Object.keys(lock.skills).filter((name) => installedSkill(lock, name)?.digest === digest)
    plan.push(await planOne(digest, installed, skills, open))
  }
  return plan
}

/** The packs that these names mean, each once; a name is that of a skill or of a pack. */
const chosenPacks = (names: readonly string[], lock: Content): readonly (readonly [string, InstalledPack])[] => {
  const all = Object.entries(lock.packs).sort(([, a], [, b]) => (a.manifest.name < b.manifest.name ? -1 : 1))
  if (names.length === 0) return all
  const chosen = new Set<string>()
  for (const name of names) {
    const key = name.normalize('NFKC')
    const found = all.filter(
      ([digest, { manifest }]) => manifest.name === key || installedSkill(lock, key)?.digest === digest,
    )
    if (found.length === 0) throw notInstalled(name)
    for (const [digest] of found) chosen.add(digest)
  }
  return all.filter(([digest]) => chosen.has(digest))
}

const planOne = async (
  digest: string,
  installed: InstalledPack,
  skills: readonly string[],
  open: (url: string) => Promise<OpenHub> | undefined,
): Promise<Planned> => {
  const { manifest, hub: from } = installed
  const { name, version } = manifest
  const update: PackUpdate = { pack: name, hub: null, range: null, from: version, to: version, skills }
  if (from === undefined)
    return { installed, update, notes: [staying(name, `it was not installed from a hub (${installed.origin})`)] }
  const known = { ...update, hub: from.name, range: from.range }
  const left = (why: string): Planned => ({ installed, update: known, notes: [staying(name, why)] })
  const hub = await open(from.url)
  if (hub === undefined) return left(`its hub ${from.name} (${from.url}) is not in the configuration`)
  const pack = packIn(hub.index, name)
  if (pack === undefined) return left(`the hub ${from.name} does not have it any more`)
  const own = pack.versions.find((one) => one.version === version)
  if (own !== undefined && own.digest !== digest)
    throw new SkillsEvalError('hub_changed', `the hub ${from.name} has another ${name} ${version} than is installed`, {
      hint: 'A version does not change: ask its makers, and look at what is installed with `skills-eval skills verify`.',
    })
  const yanked = own === undefined || own.yanked === null ? {} : { yanked: own.yanked }
  const warned = own === undefined ? [] : yankedNote({ pack, version: own })
  const best = pickVersion(pack, from.range)
  if (best !== undefined && compareSemver(best.version, version) > 0) {
    const pick = { hub, pack, version: best, range: from.range, isNamed: false }
    const notes = [...warned, ...beyond(pack, from.range, best.version)]
    return { installed, update: { ...known, ...yanked, to: best.version }, pick, notes }
  }
  const stuck = warned.map((note) => `${note}; nothing newer is in ${from.range}`)
  return { installed, update: { ...known, ...yanked }, notes: [...stuck, ...beyond(pack, from.range, version)] }
}

const staying = (name: string, why: string): string => `${name} stays as it is: ${why}`

/** A newer version that the range leaves out. */
const beyond = (pack: HubPack, range: string, version: string): readonly string[] => {
  const newest = pickVersion(pack, '*')
  return newest === undefined || compareSemver(newest.version, version) <= 0
    ? []
    : [
        `${pack.name} ${newest.version} is not in ${range}: \`skills-eval skills install ${pack.name}@^${newest.version}\` goes there`,
      ]
}

/**
 * The skills that are installed of a pack are updated, and those that it lost go. New ones come only where all of the old
 * version is installed: whoever left some out wants those that are there.
 */
const wantedUpdate = (
  pick: HubPick,
  old: InstalledPack,
  skills: readonly string[],
  lock: Content,
  target: SkillTarget,
  options: UpdateOptions,
): WantedPack => {
  const folders = old.manifest.files.flatMap(({ path }) => /^(?:(.*)\/)?skill\.md$/i.exec(path)?.slice(1, 2) ?? [])
  const installed = new Set(skills.map((name) => lock.skills[name]?.folder))
  const isWhole = folders.every((folder) => installed.has(folder ?? ''))
  return {
    ...wantedFrom(pick, target, options),
    ...(isWhole ? {} : { only: new Set(skills) }),
    drops: ({ skills: now }) => skills.filter((name) => !now.some((skill) => skill.name === name)),
  }
}
