import { join } from 'node:path'
import { moveTree } from '../adapters/files/lay-files.ts'
import { removeTree } from '../adapters/files/remove-tree.ts'
import type { Move } from '../adapters/files/root-journal.ts'
import { openStagedRoot, type StagedRoot } from '../adapters/files/staged-root.ts'
import { InvalidInputError } from '../core/errors.ts'
import type { HttpClient, SkillScan } from '../core/ports.ts'
import { filesOf } from '../distribution/drift.ts'
import { lockText, withInstalled } from '../distribution/lock.ts'
import { manifestName, signatureName } from '../distribution/manifest.ts'
import { proofFolder } from '../distribution/proof.ts'
import { badPack } from './bad-pack.ts'
import type { Host } from './host.ts'
import { lockOf, type SignerText, signerText, soundLock } from './installed-lock.ts'
import { keepProof, type ProofInfo, proofInfo, sweepProofs } from './kept-proofs.ts'
import { type Occupant, occupantOf, refuseLocalEdits } from './occupant.ts'
import { openSource } from './open-source.ts'
import { type OpenPack, openPack } from './read-pack.ts'
import { rootNames, type SkillTarget, skillTarget, type TargetOptions } from './skill-target.ts'

export type InstallOptions = TargetOptions & {
  readonly source: string
  readonly requireManifest?: boolean | undefined
  readonly acceptUnsigned?: boolean | undefined
  readonly acceptUnknownKey?: boolean | undefined
  /** Findings of the scan that would keep a skill out. */
  readonly acceptFindings?: boolean | undefined
  /** Replace what was changed here or installed by something else; it is kept as a backup. */
  readonly force?: boolean | undefined
}

/** What an install needs of the world besides the disk. */
export type InstallWorld = { readonly http?: HttpClient; readonly scan?: SkillScan }

export type InstalledResult = {
  readonly root: string
  readonly pack: {
    readonly name: string
    readonly version: string
    readonly digest: string
    readonly origin: string
    readonly signer: SignerText
  }
  readonly skills: readonly { readonly name: string; readonly change: 'installed' | 'replaced' | 'unchanged' }[]
  /** What the pack shows of its skills, or why it can't be believed. */
  readonly proof?: ProofInfo
  /** Where versions are kept that were replaced and not as they had been installed. */
  readonly backups: readonly string[]
  readonly notes: readonly string[]
}

/** Installs every skill of a pack into one root: all of them, or nothing. Throws where the pack or the root refuses it. */
export const installSkills = async (
  options: InstallOptions,
  host: Host,
  world: InstallWorld = {},
): Promise<InstalledResult> => {
  const target = skillTarget(options, host)
  const source = await openSource(options.source, host, world.http)
  const staged = openStagedRoot(target.root, rootNames)
  try {
    const pack = await openPack(source, staged.folder('pack'), target.trusted, host)
    const notes = [...pack.notes, ...admit(pack, target, options)]
    await scanSkills(pack, options, world.scan)
    // Before the pack is taken apart: what it claims is told, and kept where no agent looks.
    const proof = pack.madeHere ? undefined : proofInfo(join(pack.dir, proofFolder), pack.manifest, host)
    const unkept = proof && keepProof(pack, staged.places.root, host)
    const { skills, backups } = putInPlace(pack, source.origin, staged, options, host)
    if (proof !== undefined && 'problem' in proof) notes.push(`its proof can't be believed: ${proof.problem}`)
    if (unkept !== undefined) notes.push(`its proof could not be kept: ${unkept}`)
    const { name, version } = pack.manifest
    return {
      root: staged.places.root,
      pack: { name, version, digest: pack.digest, origin: source.origin, signer: signerText(pack.signer) },
      skills,
      ...(proof === undefined ? {} : { proof }),
      backups,
      notes,
    }
  } finally {
    sweepProofs(staged.places.root, lockOf(staged.places.root, host), host)
    staged.close()
  }
}

/** Whether a pack of this signer is wanted here: where keys are trusted, theirs alone unless the command says more. */
const admit = (pack: OpenPack, { trusted }: SkillTarget, options: InstallOptions): readonly string[] => {
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

const scanSkills = async (pack: OpenPack, { acceptFindings }: InstallOptions, scan?: SkillScan): Promise<void> => {
  if (scan === undefined) return
  for (const { name, folder } of pack.skills) {
    const errors = (await scan(join(pack.dir, folder))).filter(({ severity }) => severity === 'error')
    const inPack = errors.map((found) => ({ ...found, file: found.file.replace(pack.dir, name) }))
    if (inPack.length > 0 && !acceptFindings) throw new InvalidInputError(inPack)
  }
}

/** Moves the skills into the root, over what was installed before; what is not ours or was changed is refused. */
const putInPlace = (
  pack: OpenPack,
  origin: string,
  staged: StagedRoot,
  { force = false }: InstallOptions,
  host: Host,
): Pick<InstalledResult, 'skills' | 'backups'> => {
  const { root, fresh } = staged.places
  const lock = soundLock(root, host)
  const planned = pack.skills.map((skill) => ({ ...skill, occupant: occupantOf(root, skill.name, lock, host) }))
  const wanted = (folder: string) => filesOf(pack.manifest.files, folder)
  const isSame = ({ folder, occupant }: { folder: string; occupant: Occupant }) =>
    occupant.kind === 'installed' && occupant.isSound && sameFiles(occupant.files, wanted(folder))
  const moved = planned.filter((skill) => !isSame(skill))
  for (const { name, occupant } of moved) refuseLocalEdits(name, occupant, force)
  for (const file of [manifestName, signatureName]) if (!pack.madeHere) removeTree(join(pack.dir, file))
  const moves = moved.map(({ name, folder, occupant }): Move => {
    moveTree(join(pack.dir, folder), join(fresh, name))
    return { name, isNew: true, replaces: occupant.digest, isKept: occupant.kind !== 'none' && !occupant.isSound }
  })
  const { manifest, signature, madeHere } = pack
  const installed = withInstalled(lock, pack.digest, { origin, made_here: madeHere, manifest, signature }, pack.skills)
  const backups = staged.commit(moves, lockText(installed))
  return {
    skills: planned.map((skill) => ({
      name: skill.name,
      change: isSame(skill) ? 'unchanged' : skill.occupant.kind === 'none' ? 'installed' : 'replaced',
    })),
    backups,
  }
}

const sameFiles = (a: ReturnType<typeof filesOf>, b: ReturnType<typeof filesOf>): boolean =>
  a.length === b.length &&
  a.every(({ path, sha256, mode }, i) => {
    const other = b[i]
    return other?.path === path && other.sha256 === sha256 && other.mode === mode
  })
