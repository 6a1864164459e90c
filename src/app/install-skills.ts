import { join } from 'node:path'
import { moveTree } from '../adapters/files/lay-files.ts'
import { removeTree } from '../adapters/files/remove-tree.ts'
import type { Move } from '../adapters/files/root-journal.ts'
import { openStagedRoot, type StagedRoot } from '../adapters/files/staged-root.ts'
import { UsageError } from '../core/errors.ts'
import type { HttpClient } from '../core/ports.ts'
import { filesOf } from '../distribution/drift.ts'
import { pathKey } from '../distribution/entry-path.ts'
import { lockText, withInstalled, withoutSkill } from '../distribution/lock.ts'
import { manifestName, signatureName } from '../distribution/manifest.ts'
import { proofFolder } from '../distribution/proof.ts'
import { compareSemver } from '../lib/semver-range.ts'
import type { InstalledPack, Lock } from '../schema/pack.ts'
import type { ShownFinding } from '../schema/scan.ts'
import { badPack } from './bad-pack.ts'
import type { Host } from './host.ts'
import { lockOf, type SignerText, signerText, soundLock } from './installed-lock.ts'
import { keepProof, type ProofInfo, proofInfo, sweepProofs } from './kept-proofs.ts'
import { type Occupant, occupantOf, refuseLocalEdits } from './occupant.ts'
import { openSource, type PackSource } from './open-source.ts'
import { type OpenPack, openPack } from './read-pack.ts'
import { installedPackOf, refuseStranger } from './refuse-replacing.ts'
import { scanPack } from './scan-pack.ts'
import { rootNames, type SkillTarget, skillTarget, type TargetOptions } from './skill-target.ts'

export type InstallOptions = TargetOptions & {
  readonly source: string
  readonly requireManifest?: boolean | undefined
  readonly acceptUnsigned?: boolean | undefined
  readonly acceptUnknownKey?: boolean | undefined
  /** Rules of the scan whose findings keep no skill out. */
  readonly acceptRisk?: readonly string[] | undefined
  /** Replace what was changed here or installed by something else; it is kept as a backup. */
  readonly force?: boolean | undefined
}

/** What an install needs of the world besides the disk. */
export type InstallWorld = { readonly http?: HttpClient }

export type InstalledPackInfo = {
  readonly name: string
  readonly version: string
  readonly digest: string
  readonly origin: string
  readonly signer: SignerText
}

export type SkillChange = {
  readonly name: string
  readonly change: 'installed' | 'replaced' | 'unchanged' | 'removed'
  /** Of one whose files stay and whose pack has another version now: the one that it had, and the new one. */
  readonly versions?: { readonly from: string; readonly to: string }
}

/** What became of a root. */
export type InstalledSkills = {
  readonly root: string
  readonly skills: readonly SkillChange[]
  /** Where versions are kept that were replaced and not as they had been installed. */
  readonly backups: readonly string[]
  /** What the scan found in the skills, the worst first. */
  readonly findings: readonly ShownFinding[]
  readonly notes: readonly string[]
}

/** What a pack shows of its skills, or why it can't be believed. */
type Proved = { readonly proof?: ProofInfo }

export type InstalledResult = InstalledSkills & Proved & { readonly pack: InstalledPackInfo }

/** Installs every skill of a pack into one root: all of them, or nothing. Throws where the pack or the root refuses it. */
export const installSkills = async (
  options: InstallOptions,
  host: Host,
  world: InstallWorld = {},
): Promise<InstalledResult> => {
  const target = skillTarget(options, host)
  const open = async () => {
    const source = await openSource(options.source, host, world.http)
    if (source.kind === 'folder') refuseOwnRoot(source.dir, target.root, options.source, host)
    return source
  }
  const { packs, ...rest } = await installPacks([{ open, check: refuseTakingOver(options) }], target, options, host)
  const [first] = packs
  if (first === undefined) throw new Error('no pack was installed')
  const { proof, ...pack } = first
  return { ...rest, pack, ...(proof === undefined ? {} : { proof }) }
}

/** What is installed would be installed from itself, and lose where it is from. */
const refuseOwnRoot = (dir: string, root: string, source: string, { files }: Host): void => {
  const real = files.realPath(root) ?? root
  const isIn = (path: string, folder: string) => `${path}/`.startsWith(`${folder}/`)
  if (!isIn(dir, real) && !isIn(real, dir)) return
  throw new UsageError('own_root', `${source} and the skills that are installed in ${root} lie in each other`, {
    hint: 'Name the folder of the skill, or of the skills, that you have written, as ./skills.',
  })
}

/** A file, folder or URL takes nothing over that is from a hub or of another pack. */
const refuseTakingOver =
  ({ source, force }: InstallOptions): NonNullable<WantedPack['check']> =>
  ({ manifest, skills }, lock) => {
    if (force) return
    for (const { name } of skills) {
      const known = installedPackOf(lock, name)
      if (known !== undefined) refuseStranger(name, known, manifest.name, undefined, source)
    }
  }

/** A pack that is to be installed, and what is known of it beforehand. */
export type WantedPack = {
  readonly open: () => Promise<PackSource>
  readonly hub?: InstalledPack['hub']
  /** Throws where the pack is not what was promised, or its skills may not go where they would. */
  readonly check?: (pack: OpenPack, lock: LockContent) => void
  /** Which of its skills; all of them where it does not say. */
  readonly only?: ReadonlySet<string>
  /** Skills that were installed from it before and are not in it any more. */
  readonly drops?: (pack: OpenPack) => readonly string[]
}

type LockContent = Pick<Lock, 'packs' | 'skills'>
type OpenWanted = WantedPack & { readonly pack: OpenPack; readonly origin: string }

/** Installs packs together: every skill of all of them, or nothing. */
export const installPacks = async (
  wanted: readonly WantedPack[],
  target: SkillTarget,
  options: Omit<InstallOptions, 'source'>,
  host: Host,
): Promise<InstalledSkills & { readonly packs: readonly (InstalledPackInfo & Proved)[] }> => {
  const staged = openStagedRoot(target.root, rootNames)
  try {
    const opened: (OpenWanted & { readonly proof: ProofInfo | undefined })[] = []
    const notes: string[] = []
    const findings: ShownFinding[] = []
    for (const [i, one] of wanted.entries()) {
      const { pack, origin } = await unpacked(one, staged.folder(`pack-${i}`), target, host)
      const who = wanted.length === 1 ? '' : `${pack.manifest.name}: `
      notes.push(...[...pack.notes, ...admit(pack, target, options)].map((note) => `${who}${note}`))
      findings.push(...(await scanPack(pack, options.acceptRisk ?? [], host)))
      // Before the pack is taken apart: what it claims is told, and kept where no agent looks.
      const proof = pack.madeHere ? undefined : proofInfo(join(pack.dir, proofFolder), pack.manifest, host)
      const unkept = proof && keepProof(pack, staged.places.root, host)
      if (proof !== undefined && 'problem' in proof) notes.push(`${who}its proof can't be believed: ${proof.problem}`)
      if (unkept !== undefined) notes.push(`${who}its proof could not be kept: ${unkept}`)
      opened.push({ ...one, pack, origin, proof })
    }
    const { skills, backups, notes: told } = putInPlace(opened, staged, options, host)
    notes.push(...told)
    const packs = opened.map(({ pack, origin, proof }) => {
      const { name, version } = pack.manifest
      const info: InstalledPackInfo = { name, version, digest: pack.digest, origin, signer: signerText(pack.signer) }
      return { ...info, ...(proof === undefined ? {} : { proof }) }
    })
    return { root: staged.places.root, packs, skills, backups, findings, notes }
  } finally {
    try {
      sweepProofs(staged.places.root, lockOf(staged.places.root, host), host)
    } finally {
      staged.close()
    }
  }
}

/** Nothing holds the zip's bytes afterwards: what follows may need as much memory. */
const unpacked = async (
  { open }: WantedPack,
  into: string,
  { trusted }: SkillTarget,
  host: Host,
): Promise<{ readonly pack: OpenPack; readonly origin: string }> => {
  const source = await open()
  return { pack: await openPack(source, into, trusted, host), origin: source.origin }
}

/** Whether a pack of this signer is wanted here: where keys are trusted, theirs alone unless the command says more. */
const admit = (
  pack: OpenPack,
  { trusted }: SkillTarget,
  options: Omit<InstallOptions, 'source'>,
): readonly string[] => {
  if (pack.madeHere && options.requireManifest)
    throw badPack('it has no manifest', undefined, 'Without --require-manifest it would be installed with a note.')
  const { signer } = pack
  switch (signer.status) {
    case 'trusted':
      return []
    case 'unsigned':
      if (trusted.length > 0 && !options.acceptUnsigned)
        throw badPack(
          'it is not signed, and the configuration names trusted keys',
          undefined,
          'Add --accept-unsigned if you know where it is from.',
        )
      return pack.madeHere ? [] : ['it is not signed']
    case 'unknown':
      if (trusted.length > 0 && !options.acceptUnknownKey)
        throw badPack(
          `it is signed by a key that is not trusted here: ${signer.fingerprint}`,
          undefined,
          'Trust the key in the configuration (packs.trusted_keys), or add --accept-unknown-key.',
        )
      return [`it is signed by a key that is not trusted here: ${signer.fingerprint}`]
    case 'bad':
      throw badPack(signer.problem, signatureName)
  }
}

/** Moves the skills into the root, over what was installed before; what is not ours or was changed is refused. */
const putInPlace = (
  wanted: readonly OpenWanted[],
  staged: StagedRoot,
  { force = false }: Pick<InstallOptions, 'force'>,
  host: Host,
): Pick<InstalledSkills, 'skills' | 'backups' | 'notes'> => {
  const { root, fresh } = staged.places
  const lock = soundLock(root, host)
  for (const { pack, check } of wanted) check?.(pack, lock)
  const chosen = wanted.map((one) => ({
    ...one,
    skills: one.pack.skills.filter(({ name }) => one.only === undefined || one.only.has(name)),
  }))
  const planned = chosen.flatMap(({ pack, skills }) =>
    skills.map((skill) => ({ ...skill, pack, occupant: occupantOf(root, skill.name, lock, host) })),
  )
  refuseTwins(planned)
  const dropped = wanted
    .flatMap(({ pack, drops }) => drops?.(pack) ?? [])
    .filter((name) => !planned.some((skill) => skill.name === name))
    .map((name) => ({ name, occupant: occupantOf(root, name, lock, host) }))
  const moved = planned.filter((skill) => !isSame(skill))
  for (const { name, occupant } of [...moved, ...dropped]) refuseLocalEdits(name, occupant, force)
  for (const { pack } of wanted)
    for (const file of [manifestName, signatureName]) if (!pack.madeHere) removeTree(join(pack.dir, file))
  const moves = moved.map(({ name, folder, pack, occupant }): Move => {
    moveTree(join(pack.dir, folder), join(fresh, name))
    return { name, isNew: true, replaces: occupant.digest, isKept: occupant.kind !== 'none' && !occupant.isSound }
  })
  const removals = dropped.map(({ name, occupant }): Move => {
    const isKept = occupant.kind !== 'none' && !occupant.isSound
    return { name, isNew: false, replaces: occupant.digest, isKept }
  })
  const left = dropped.reduce<LockContent>((content, { name }) => withoutSkill(content, name), lock)
  const installed = chosen.reduce<LockContent>((content, { pack, origin, hub, skills }) => {
    const { manifest, signature, madeHere } = pack
    const entry = { origin, made_here: madeHere, manifest, signature, ...(hub === undefined ? {} : { hub }) }
    return withInstalled(content, pack.digest, entry, skills)
  }, left)
  const backups = staged.commit([...moves, ...removals], lockText(installed))
  return {
    skills: [
      ...planned.map(
        (skill): SkillChange => ({
          name: skill.name,
          change: isSame(skill) ? 'unchanged' : skill.occupant.kind === 'none' ? 'installed' : 'replaced',
          ...(isSame(skill) ? versionsOf(skill, lock) : {}),
        }),
      ),
      ...dropped.map(({ name }): SkillChange => ({ name, change: 'removed' })),
    ],
    backups,
    notes: [...new Set(planned.flatMap((skill) => olderNote(skill, lock)))],
  }
}

type OfPack = { readonly name: string; readonly pack: OpenPack }

const versionsOf = ({ name, pack }: OfPack, lock: LockContent): Pick<SkillChange, 'versions'> => {
  const from = installedPackOf(lock, name)?.manifest.version
  const to = pack.manifest.version
  return from === undefined || from === to ? {} : { versions: { from, to } }
}

/** A file or a URL says only in its manifest which version it is. */
const olderNote = ({ name, pack: { manifest, madeHere } }: OfPack, lock: LockContent): readonly string[] => {
  const known = installedPackOf(lock, name)
  if (madeHere || known?.manifest.name !== manifest.name || known.made_here) return []
  return compareSemver(manifest.version, known.manifest.version) < 0
    ? [`${manifest.name} ${known.manifest.version} was installed: ${manifest.version} is the older one`]
    : []
}

const isSame = ({ folder, occupant, pack }: { folder: string; occupant: Occupant; pack: OpenPack }): boolean =>
  occupant.kind === 'installed' && occupant.isExact && sameFiles(occupant.files, filesOf(pack.manifest.files, folder))

const refuseTwins = (planned: readonly { readonly name: string; readonly pack: OpenPack }[]): void => {
  for (const [i, { name, pack }] of planned.entries()) {
    const twin = planned.slice(0, i).find((one) => pathKey(one.name) === pathKey(name))
    if (twin !== undefined)
      throw badPack(`${twin.pack.manifest.name} and ${pack.manifest.name} both have a skill ${name}`)
  }
}

const sameFiles = (a: ReturnType<typeof filesOf>, b: ReturnType<typeof filesOf>): boolean =>
  a.length === b.length &&
  a.every(({ path, sha256, mode }, i) => {
    const other = b[i]
    return other?.path === path && other.sha256 === sha256 && other.mode === mode
  })
