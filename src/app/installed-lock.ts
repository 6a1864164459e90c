import { join } from 'node:path'
import { SkillsEvalError } from '../core/errors.ts'
import { emptyLock, installedSkill, lockName, readLock } from '../distribution/lock.ts'
import { type Signer, signerOf, type TrustedKey } from '../distribution/signature.ts'
import type { Lock } from '../schema/pack.ts'
import type { Host } from './host.ts'

const maxLockBytes = 16 * 1024 * 1024

/** The lock of a root: an empty one where there is none, a problem where it is not what was written. */
export const lockOf = (
  root: string,
  { files }: Pick<Host, 'files'>,
): Pick<Lock, 'packs' | 'skills'> | { readonly problem: string } => {
  const path = join(root, lockName)
  if (files.stat(path) === undefined) return emptyLock
  try {
    return readLock(files.readText(path, maxLockBytes))
  } catch (error) {
    if (error instanceof SkillsEvalError) return { problem: error.message }
    throw error
  }
}

/** The same to go on with. Throws where it is damaged: what it said of other skills would be lost. */
export const soundLock = (root: string, host: Pick<Host, 'files'>): Pick<Lock, 'packs' | 'skills'> => {
  const lock = lockOf(root, host)
  if (!('problem' in lock)) return lock
  throw new SkillsEvalError('bad_lock', `${join(root, lockName)} is damaged: ${lock.problem}`, {
    hint: 'Put back the one that was written, as from version control; or delete it and install again with --force.',
  })
}

/** What is known of a skill that was installed. */
export type InstalledInfo = {
  readonly origin: string
  /** The hub that it is from, as it was called when it was installed. */
  readonly hub?: string
  readonly pack: string
  readonly version: string
  readonly digest: string
  readonly signer: SignerText
}

export type SignerText = { readonly status: Signer['status']; readonly name?: string; readonly fingerprint?: string }

/** Where a skill of this lock was installed from; undefined where it was not. */
export const installedInfo = (
  lock: ReturnType<typeof lockOf>,
  name: string,
  trusted: readonly TrustedKey[],
): InstalledInfo | undefined => {
  const found = 'problem' in lock ? undefined : installedSkill(lock, name)
  if (found === undefined) return undefined
  const { manifest, signature, origin, hub } = found.pack
  const { name: pack, version } = manifest
  const from = hub === undefined ? { origin } : { origin, hub: hub.name }
  return { ...from, pack, version, digest: found.digest, signer: signerText(signerOf(manifest, signature, trusted)) }
}

export const signerText = (signer: Signer): SignerText => ({
  status: signer.status,
  ...(signer.status === 'trusted' ? { name: signer.name } : {}),
  ...('fingerprint' in signer ? { fingerprint: signer.fingerprint } : {}),
})
