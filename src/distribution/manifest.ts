import { canonicalJson, sha256 } from '../lib/hash.ts'
import { parseJson } from '../lib/json.ts'
import { checkedBy, firstFault } from '../lib/zod-issues.ts'
import { type Manifest, manifestSchema, type PackedFile } from '../schema/pack.ts'
import { entryPath } from './entry-path.ts'
import { findCollision } from './find-collision.ts'
import { packLimits } from './limits.ts'

export const manifestName = 'manifest.json'
export const signatureName = 'manifest.sig'

export type PackTree = { readonly files: readonly PackedFile[]; readonly folders: readonly string[] }

/** What a pack says of itself. The same tree gives the same manifest, in whatever order it was read. */
export const makeManifest = (name: string, version: string, tree: PackTree): Manifest => ({
  format: 'skills-eval/pack@1',
  name,
  version,
  files: [...tree.files].sort((a, b) => (a.path < b.path ? -1 : 1)),
  folders: [...tree.folders].sort(),
})

/** The bytes of manifest.json: the only ones that this manifest can have. */
export const manifestBytes = (manifest: Manifest): Uint8Array => Buffer.from(`${canonicalJson(manifest)}\n`)

/** What names a pack with all that is in it. */
export const manifestDigest = (manifest: Manifest): string => sha256(manifestBytes(manifest))

/**
 * Reads the bytes of a manifest.json. `foreign`: it is another tool's file of that name. A manifest that is not
 * written as we write it, to the byte, is refused: what reads differently here and there could be signed.
 */
export const readManifest = (bytes: Uint8Array): Manifest | { readonly problem: string } | 'foreign' => {
  const text = Buffer.from(bytes).toString('utf8')
  const json = parseJson(text, { maxBytes: packLimits.manifestBytes })
  if (!json.ok) return { problem: `it can't be read: ${json.message}` }
  const { value } = json
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isMap && !Object.hasOwn(value, 'format') && !Object.hasOwn(value, 'files')) return 'foreign'
  const checked = checkedBy(manifestSchema, value)
  if (!checked.ok) return { problem: firstFault(checked.issues) }
  const manifest = checked.data
  if (!Buffer.from(manifestBytes(manifest)).equals(bytes)) return { problem: 'it is not written in its canonical form' }
  const problem = treeProblem(manifest)
  return problem === undefined ? manifest : { problem }
}

/** A manifest that names what no pack can hold. */
const treeProblem = ({ files, folders }: Manifest): string | undefined => {
  const entries = [
    ...files.map(({ path }) => ({ path, isFolder: false })),
    ...folders.map((path) => ({ path, isFolder: true })),
  ]
  if (entries.length > packLimits.entries) return `it names more than ${packLimits.entries} files`
  for (const { path } of entries) {
    const judged = entryPath(path)
    if ('problem' in judged) return judged.problem
    if (judged.isFolder || path === manifestName || path === signatureName) return `it can't name ${path}`
  }
  const twins = findCollision(entries)
  if (twins) return `${twins[0]} and ${twins[1]} are the same on some systems`
  const isSorted = [files.map(({ path }) => path), folders].every((paths) =>
    paths.every((path, i) => i === 0 || (paths[i - 1] ?? '') < path),
  )
  return isSorted ? undefined : 'it is not sorted'
}
