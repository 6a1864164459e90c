import { canonicalJson, sha256 } from '../lib/hash.ts'
import { parseJson } from '../lib/json.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type InstalledPack, type Lock, lockSchema } from '../schema/pack.ts'
import { filesOf } from './drift.ts'
import { manifestDigest } from './manifest.ts'

export const lockName = 'skills.lock.json'

type Content = Pick<Lock, 'packs' | 'skills'>

export const emptyLock: Content = { packs: {}, skills: {} }

/** The text of a lock file: sorted and indented, so that version control shows what changed; the only one it can have. */
export const lockText = ({ packs, skills }: Content): string => {
  const lock: Lock = { format: 'skills-eval/lock@1', digest: sha256(canonicalJson({ packs, skills })), packs, skills }
  return `${JSON.stringify(JSON.parse(canonicalJson(lock)), null, 2)}\n`
}

/** Reads the text of a lock; a lock that is not what was written, to the byte, is a problem. */
export const readLock = (text: string): Lock | { readonly problem: string } => {
  const json = parseJson(text)
  if (!json.ok) return { problem: `it can't be read: ${json.message}` }
  const checked = checkedBy(lockSchema, json.value)
  if (!checked.ok) {
    const [issue] = checked.issues
    return { problem: `${issue?.path.join('.') || 'it'}: ${issue?.message}` }
  }
  const lock = checked.data
  if (lockText(lock) !== text) return { problem: 'it was changed by hand' }
  for (const [digest, pack] of Object.entries(lock.packs))
    if (manifestDigest(pack.manifest) !== digest) return { problem: 'a manifest in it was changed' }
  const isLost = Object.values(lock.skills).some(({ pack }) => !Object.hasOwn(lock.packs, pack))
  return isLost ? { problem: 'a skill in it is of a pack that it does not have' } : lock
}

export type Installed = {
  readonly name: string
  readonly digest: string
  readonly pack: InstalledPack
  readonly folder: string
  /** What its folder should hold. */
  readonly files: ReturnType<typeof filesOf>
}

/** An installed skill with the pack that it came in. */
export const installedSkill = (lock: Content, name: string): Installed | undefined => {
  const entry = Object.hasOwn(lock.skills, name) ? lock.skills[name] : undefined
  const pack = entry && lock.packs[entry.pack]
  if (entry === undefined || pack === undefined) return undefined
  const files = filesOf(pack.manifest.files, entry.folder)
  return { name, digest: entry.pack, pack, folder: entry.folder, files }
}

/** A lock with these skills of a pack; packs that no skill is of any more go. */
export const withInstalled = (
  lock: Content,
  digest: string,
  pack: InstalledPack,
  skills: readonly { readonly name: string; readonly folder: string }[],
): Content =>
  withoutUnused({
    packs: { ...lock.packs, [digest]: pack },
    skills: {
      ...lock.skills,
      ...Object.fromEntries(skills.map(({ name, folder }) => [name, { pack: digest, folder }])),
    },
  })

export const withoutSkill = (lock: Content, name: string): Content =>
  withoutUnused({
    packs: lock.packs,
    skills: Object.fromEntries(Object.entries(lock.skills).filter(([one]) => one !== name)),
  })

const withoutUnused = ({ packs, skills }: Content): Content => {
  const used = new Set(Object.values(skills).map(({ pack }) => pack))
  return { packs: Object.fromEntries(Object.entries(packs).filter(([digest]) => used.has(digest))), skills }
}
