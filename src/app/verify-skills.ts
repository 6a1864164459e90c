import { join, relative, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readTree } from '../adapters/files/read-tree.ts'
import { isThere } from '../adapters/files/root-journal.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { isMidway, recoverRoot } from '../adapters/files/staged-root.ts'
import { UsageError } from '../core/errors.ts'
import { type Drift, hasDrift } from '../distribution/drift.ts'
import { type Installed, installedSkill } from '../distribution/lock.ts'
import { hasProof, proofFolder } from '../distribution/proof.ts'
import { type Signer, signerOf } from '../distribution/signature.ts'
import { type PackVerdict, verdictExitCode, worstVerdict } from '../distribution/verdict.ts'
import { findSkillFolders } from '../skills/find-skill-folders.ts'
import { isBadPack } from './bad-pack.ts'
import type { Host } from './host.ts'
import { lockOf, type SignerText, signerText } from './installed-lock.ts'
import { keptProof, proofDrift, proofInfo } from './kept-proofs.ts'
import { driftOf, driftText } from './occupant.ts'
import { openSource } from './open-source.ts'
import { openPack } from './read-pack.ts'
import { installedRoots, rootNames, type SkillTarget, skillTarget, type TargetOptions } from './skill-target.ts'
import { notInstalled } from './uninstall-skill.ts'

export type VerifyOptions = TargetOptions & {
  /** An installed skill, or a pack; all installed skills without it. */
  readonly what?: string | undefined
  readonly acceptUnsigned?: boolean | undefined
  readonly acceptUnknownKey?: boolean | undefined
}

/** A skill, a pack or a lock file, and whether it is what was made. */
export type Verified = {
  readonly kind: 'skill' | 'pack' | 'lock'
  readonly name: string
  /** The root; of a pack the file. */
  readonly place: string
  readonly verdict: PackVerdict
  readonly problem?: string
  readonly drift?: Drift
  readonly origin?: string
  readonly version?: string
  readonly digest?: string
  readonly signer?: SignerText
}

/** Folders of skills in a root that its lock does not know. */
export type NotInstalled = { readonly root: string; readonly names: readonly string[] }

export type Verification = {
  readonly verdict: PackVerdict
  readonly found: readonly Verified[]
  /** Where all are verified: those that nothing is known of, which make no verdict. */
  readonly besides?: readonly NotInstalled[]
}

/** Holds installed skills against the lock that says what they were, or a pack against its manifest. Changes neither. */
export const verifySkills = async (options: VerifyOptions, host: Host): Promise<Verification> => {
  const found =
    options.what !== undefined && isPackPath(options.what, host)
      ? [await verifyPack(options.what, options, host)]
      : await verifyInstalled(options, host)
  const accepted = found.map((one) => ({ ...one, verdict: acceptedVerdict(one.verdict, options) }))
  const besides = options.what === undefined ? installedRoots(options, host).flatMap((one) => notInLock(one, host)) : []
  const verdict = worstVerdict(accepted.map((one) => one.verdict))
  return { verdict, found: accepted, ...(besides.length === 0 ? {} : { besides }) }
}

const notInLock = ({ root }: SkillTarget, host: Host): readonly NotInstalled[] => {
  const lock = lockOf(root, host)
  if ('problem' in lock) return []
  const real = host.files.realPath(root) ?? root
  const names = findSkillFolders(real, host.files)
    .map((folder) => relative(real, folder))
    .filter((name) => !Object.hasOwn(lock.skills, name))
  return names.length === 0 ? [] : [{ root, names }]
}

export const verificationExitCode = ({ verdict }: Verification): number => verdictExitCode(verdict)

const acceptedVerdict = (verdict: PackVerdict, options: VerifyOptions): PackVerdict => {
  const isAccepted =
    (verdict === 'unsigned' && options.acceptUnsigned) || (verdict === 'unknown_key' && options.acceptUnknownKey)
  return isAccepted ? 'fine' : verdict
}

/** A name has neither slash nor dot; a file or folder in the way of a name is written ./NAME. */
export const isPackPath = (what: string, host: Host): boolean =>
  /[/\\.]/.test(what) && host.files.stat(resolve(host.cwd, what)) !== undefined

const verifyPack = async (what: string, options: VerifyOptions, host: Host): Promise<Verified> => {
  const { trusted } = skillTarget(options, host)
  const scratch = scratchFolder('skills-eval-verify-')
  const base = { kind: 'pack', name: what, place: resolve(host.cwd, what) } as const
  try {
    const source = await openSource(what, host)
    const pack = await openPack(source, scratch.folder('pack'), trusted, host)
    const { name, version } = pack.manifest
    const proof = pack.madeHere ? undefined : proofInfo(join(pack.dir, proofFolder), pack.manifest, host)
    if (proof !== undefined && 'problem' in proof)
      return { ...base, name, version, digest: pack.digest, verdict: 'tampered', problem: proof.problem }
    return {
      ...base,
      name,
      version,
      digest: pack.digest,
      verdict: verdictOf(pack.signer),
      signer: signerText(pack.signer),
      ...(pack.madeHere ? { problem: 'it has no manifest' } : {}),
    }
  } catch (error) {
    if (!isBadPack(error)) throw error
    return { ...base, verdict: 'tampered', problem: error.message }
  } finally {
    scratch.remove()
  }
}

const verdictOf = (signer: Signer): PackVerdict => {
  switch (signer.status) {
    case 'trusted':
      return 'fine'
    case 'unknown':
      return 'unknown_key'
    case 'unsigned':
      return 'unsigned'
    case 'bad':
      return 'tampered'
  }
}

const verifyInstalled = async (options: VerifyOptions, host: Host): Promise<readonly Verified[]> => {
  const roots = installedRoots(options, host)
  if (options.root !== undefined && host.files.stat(roots[0]?.root ?? '')?.kind !== 'dir')
    throw new UsageError('no_root', `there is no folder ${options.root}`)
  const all: Verified[] = []
  for (const target of roots) all.push(...(await verifyAtRest(target, host)))
  if (options.what === undefined) return all
  const [first] = all.filter(({ kind, name }) => kind === 'skill' && name === options.what)
  const locks = all.filter(({ kind }) => kind === 'lock')
  if (first === undefined && locks.length === 0) throw notFound(options.what)
  return first === undefined ? locks : [first, ...locks.filter(({ place }) => place === first.place)]
}

const looks = 7

/** What is found where nobody moves anything: what looks tampered with is looked at again until it stays the same. */
const verifyAtRest = async (target: SkillTarget, host: Host): Promise<readonly Verified[]> => {
  let last = ''
  for (let look = 0; look < looks; look += 1) {
    recoverRoot(target.root, rootNames)
    const found = verifyRoot(target, host)
    if (found.every(({ verdict }) => verdict !== 'tampered')) return found
    const now = JSON.stringify([found, lockOf(target.root, host)])
    if (now === last && !isMidway(target.root, rootNames)) return found
    last = now
    await setTimeout(50 * 2 ** look, undefined, { signal: host.signal })
  }
  throw new UsageError('root_in_use', `another process changes the skills in ${target.root}`, { hint: 'Wait for it.' })
}

const notFound = (what: string): UsageError => {
  const { code, message, hint } = notInstalled(what)
  return new UsageError(code, message, { hint: `${hint} A pack is named by its path.` })
}

const verifyRoot = (target: SkillTarget, host: Host): readonly Verified[] => {
  const lock = lockOf(target.root, host)
  if ('problem' in lock)
    return [{ kind: 'lock', name: rootNames.lock, place: target.root, verdict: 'tampered', problem: lock.problem }]
  return Object.keys(lock.skills)
    .sort()
    .flatMap((name) => {
      const installed = installedSkill(lock, name)
      return installed === undefined ? [] : [verifySkill(installed, target, host)]
    })
}

const verifySkill = (installed: Installed, { root, trusted }: SkillTarget, host: Host): Verified => {
  const { name, digest, pack } = installed
  const signer = signerOf(pack.manifest, pack.signature, trusted)
  const base = {
    kind: 'skill',
    name,
    place: root,
    origin: pack.origin,
    version: pack.manifest.version,
    digest,
    signer: signerText(signer),
  } as const
  const dir = join(root, name)
  if (!isThere(dir)) return { ...base, verdict: 'tampered', problem: 'its folder is gone' }
  const drift = driftOf(installed.files, readTree(dir, rootNames.limits))
  if (hasDrift(drift)) return { ...base, verdict: 'tampered', drift }
  const problem = keptProofProblem(root, installed, host)
  if (problem !== undefined) return { ...base, verdict: 'tampered', problem }
  return { ...base, verdict: verdictOf(signer), ...(signer.status === 'bad' ? { problem: signer.problem } : {}) }
}

/** What is wrong with a proof that was kept. One that is not on this machine, where others installed it, is no harm. */
const keptProofProblem = (root: string, { digest, pack }: Installed, host: Host): string | undefined => {
  if (!hasProof(pack.manifest)) return undefined
  const place = keptProof(root, digest, host)
  const drift = proofDrift(place, pack.manifest)
  if (drift === undefined) return undefined
  if (hasDrift(drift)) return `its proof was changed: ${driftText(drift)}`
  const proof = proofInfo(place, pack.manifest, host)
  return proof !== undefined && 'problem' in proof ? proof.problem : undefined
}
