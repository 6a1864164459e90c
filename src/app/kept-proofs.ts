import { basename, dirname, join } from 'node:path'
import { layFiles, moveTree } from '../adapters/files/lay-files.ts'
import { ifThere } from '../adapters/files/on-disk.ts'
import { makeFolder } from '../adapters/files/output-file.ts'
import { readTree } from '../adapters/files/read-tree.ts'
import { removeTree } from '../adapters/files/remove-tree.ts'
import { isThere } from '../adapters/files/root-journal.ts'
import { SkillsEvalError } from '../core/errors.ts'
import { type Drift, filesOf, hasDrift } from '../distribution/drift.ts'
import { installedSkill } from '../distribution/lock.ts'
import { hasProof, type ProofSummary, proofFolder, proofSummary } from '../distribution/proof.ts'
import { sha256 } from '../lib/hash.ts'
import type { Manifest } from '../schema/pack.ts'
import type { Host } from './host.ts'
import { lockOf } from './installed-lock.ts'
import { driftOf } from './occupant.ts'
import { judgeProof } from './read-proof.ts'
import { rootNames } from './skill-target.ts'

/** What is told of a proof without running it. */
export type ProofInfo = ProofSummary | { readonly problem: string }

/**
 * Where the proofs of a root's packs are kept: in the user's home and not beside the root, since an agent reads the
 * project that it works in, and whoever could read the proof would know what is asked and what is expected.
 */
const keptIn = (root: string, { home, files }: Host): string => {
  // A root that is not there yet lies in a folder that is.
  const real = files.realPath(root) ?? join(files.realPath(dirname(root)) ?? dirname(root), basename(root))
  return join(home, '.agent/proofs', sha256(real).slice(0, 16))
}

export const keptProof = (root: string, digest: string, host: Host): string => join(keptIn(root, host), digest)

/** Keeps the proof of a pack that is installed; returns why it could not be kept, which is no reason not to install it. */
export const keepProof = (
  pack: { readonly dir: string; readonly digest: string; readonly manifest: Manifest },
  root: string,
  host: Host,
): string | undefined => {
  const place = keptProof(root, pack.digest, host)
  const fresh = `${place}.${process.pid}.tmp`
  try {
    makeFolder(keptIn(root, host))
    removeTree(fresh)
    makeFolder(fresh)
    const folders = foldersOf(pack.manifest)
    layFiles(join(pack.dir, proofFolder), fresh, filesOf(pack.manifest.files, proofFolder), folders)
    removeTree(place)
    moveTree(fresh, place)
    return undefined
  } catch (error) {
    removeTree(fresh)
    if (error instanceof SkillsEvalError || (error instanceof Error && 'code' in error)) return error.message
    throw error
  }
}

export const foldersOf = ({ folders }: Manifest): readonly string[] =>
  folders.flatMap((path) => (path.startsWith(`${proofFolder}/`) ? [path.slice(proofFolder.length + 1)] : []))

/** Removes the proofs of packs that no skill of the root is of any more; none where that can't be known. */
export const sweepProofs = (root: string, lock: ReturnType<typeof lockOf>, host: Host): void => {
  if ('problem' in lock) return
  const folder = keptIn(root, host)
  // What can't be removed is in nobody's way.
  for (const { name } of host.files.list(folder))
    if (!Object.hasOwn(lock.packs, name)) ifThere(() => removeTree(join(folder, name)))
}

/** What has become of a kept proof; undefined where it is not on this machine. */
export const proofDrift = (place: string, manifest: Manifest): Drift | undefined => {
  if (!isThere(place)) return undefined
  return driftOf(filesOf(manifest.files, proofFolder), readTree(place, rootNames.limits))
}

/** What the proof in a folder says, or why it can't be believed; undefined for a pack without one. */
export const proofInfo = (dir: string, manifest: Manifest, host: Host): ProofInfo | undefined => {
  if (!hasProof(manifest)) return undefined
  const judged = judgeProof(dir, manifest, host)
  return judged.problem === undefined && 'proof' in judged
    ? proofSummary(judged.proof)
    : { problem: judged.problem ?? 'it can not be read' }
}

/** What the pack of an installed skill shows of it; undefined where it shows nothing, or not on this machine. */
export const installedProof = (skillDir: string, host: Host): ProofInfo | undefined => {
  const root = dirname(skillDir)
  const lock = lockOf(root, host)
  const found = 'problem' in lock ? undefined : installedSkill(lock, basename(skillDir))
  if (found === undefined || !hasProof(found.pack.manifest)) return undefined
  const place = keptProof(root, found.digest, host)
  const drift = proofDrift(place, found.pack.manifest)
  if (drift === undefined) return undefined
  return hasDrift(drift) ? { problem: 'it was changed' } : proofInfo(place, found.pack.manifest, host)
}
