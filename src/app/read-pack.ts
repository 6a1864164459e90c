import { basename, join, relative } from 'node:path'
import { layFiles } from '../adapters/files/lay-files.ts'
import { readTree } from '../adapters/files/read-tree.ts'
import { removeTree } from '../adapters/files/remove-tree.ts'
import { unpackZip } from '../adapters/zip/unpack-zip.ts'
import type { Files } from '../core/ports.ts'
import { checkZip } from '../distribution/check-zip.ts'
import { findDrift, hasDrift } from '../distribution/drift.ts'
import { entryPath } from '../distribution/entry-path.ts'
import { packLimits, treeLimits } from '../distribution/limits.ts'
import {
  makeManifest,
  manifestDigest,
  manifestName,
  type PackTree,
  readManifest,
  signatureName,
} from '../distribution/manifest.ts'
import { isOfProof } from '../distribution/proof.ts'
import { readSignature, type Signer, signerOf, type TrustedKey } from '../distribution/signature.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type Manifest, packNameSchema, type Signature, skillNameSchema } from '../schema/pack.ts'
import { findSkillFolders } from '../skills/find-skill-folders.ts'
import { validateSkill } from '../skills/validate-skill.ts'
import { badPack } from './bad-pack.ts'
import { gatherSkill } from './gather-skill.ts'
import type { Host } from './host.ts'
import type { PackSource } from './open-source.ts'
import { ownVersion } from './pack-skills.ts'

/** A pack that lies unpacked in a folder of ours, and is what its manifest says. */
export type OpenPack = {
  readonly dir: string
  readonly manifest: Manifest
  readonly digest: string
  /** It had none: this one says what was found. */
  readonly madeHere: boolean
  readonly signature: Signature | null
  readonly signer: Signer
  /** By name; `folder` is relative to the pack, empty where the pack is the skill. */
  readonly skills: readonly { readonly name: string; readonly folder: string }[]
  readonly notes: readonly string[]
}

/**
 * Unpacks a source into an empty folder and judges all of it: the zip, the manifest and every file by it, the
 * signature, the skills. Throws a SkillsEvalError `bad_pack` for the first thing that is wrong.
 */
export const openPack = async (
  source: PackSource,
  into: string,
  trusted: readonly TrustedKey[],
  host: Pick<Host, 'files' | 'signal'>,
): Promise<OpenPack> => {
  if (source.kind === 'zip') await unpackJudged(source, into, host.signal)
  else copyFolder(source.dir, into, host)
  const own = readOwnManifest(into, host.files)
  const [manifest, notes] = own === undefined ? await madeManifest(into, source.origin, host) : [own, []]
  const signature = own === undefined ? null : readOwnSignature(into, host.files)
  const signer = signerOf(manifest, signature, trusted)
  if (signer.status === 'bad') throw badPack(signer.problem, signatureName)
  const skills = await judgedSkills(into, manifest, own === undefined, host.files)
  return {
    dir: into,
    manifest,
    digest: manifestDigest(manifest),
    madeHere: own === undefined,
    signature,
    signer,
    skills,
    notes,
  }
}

type Zip = Extract<PackSource, { kind: 'zip' }>

const unpackJudged = async ({ bytes, origin }: Zip, into: string, signal: AbortSignal): Promise<void> => {
  const entries = checkZip(bytes)
  if ('problem' in entries) throw badPack(entries.problem, entries.entry ?? origin)
  await unpackZip(bytes, entries, into, signal)
}

/** A folder that was packed is taken as it is; of any other what `pack` would take. */
const copyFolder = (from: string, into: string, host: Pick<Host, 'files'>): void => {
  const isPack = readOwnManifest(from, host.files) !== undefined
  const tree = isPack ? readTree(from, treeLimits) : gatherSkill(from, host)
  for (const { path, what } of tree.others) throw badPack(`it is ${what}, which can't be installed`, path)
  for (const path of [...tree.files.map((file) => file.path), ...tree.folders]) {
    const judged = entryPath(path)
    if ('problem' in judged) throw badPack(judged.problem, path)
  }
  const bytes = tree.files.reduce((sum, { size }) => sum + size, 0)
  if (tree.files.length + tree.folders.length > packLimits.entries)
    throw badPack(`it has more than ${packLimits.entries} files`)
  if (bytes > packLimits.totalBytes) throw badPack(`it is larger than ${packLimits.totalBytes / 1024 / 1024} MiB`)
  layFiles(from, into, tree.files, tree.folders)
}

const readOwnManifest = (dir: string, files: Files): Manifest | undefined => {
  const path = join(dir, manifestName)
  const isSigned = files.stat(join(dir, signatureName)) !== undefined
  if (files.stat(path) === undefined) {
    if (isSigned) throw badPack('a signature without a manifest', signatureName)
    return undefined
  }
  const manifest = readManifest(files.readBytes(path, packLimits.manifestBytes))
  if (manifest === 'foreign') {
    if (isSigned) throw badPack('it is not what was signed', manifestName)
    return undefined
  }
  if ('problem' in manifest) throw badPack(manifest.problem, manifestName)
  checkTree(dir, manifest)
  return manifest
}

const readOwnSignature = (dir: string, files: Files): Signature | null => {
  const path = join(dir, signatureName)
  if (files.stat(path) === undefined) return null
  const signature = readSignature(files.readBytes(path, 64 * 1024))
  if ('problem' in signature) throw badPack(signature.problem, signatureName)
  return signature
}

/** Every file and empty folder of the manifest is there, and nothing else. */
const checkTree = (dir: string, manifest: Manifest): void => {
  const found = readTree(dir, treeLimits, (path) => path === manifestName || path === signatureName)
  const others = found.others.map(({ path }) => path)
  const drift = findDrift(manifest.files, found.files, others, process.platform !== 'win32')
  const [first] = [...drift.changed, ...drift.missing, ...drift.added]
  if (hasDrift(drift)) throw badPack("it is not what the pack's manifest says", first)
  const isSame =
    found.folders.length === manifest.folders.length && found.folders.every((one, i) => one === manifest.folders[i])
  if (!isSame) throw badPack("its empty folders are not those of the pack's manifest")
}

/** What a pack without a manifest holds: the skills in it, wherever they lie, and of them what would ship. */
const madeManifest = async (
  dir: string,
  origin: string,
  host: Pick<Host, 'files'>,
): Promise<readonly [Manifest, readonly string[]]> => {
  const folders = skillFolders(dir, host.files)
  const tree: { files: PackTree['files'][number][]; folders: string[] } = { files: [], folders: [] }
  const leftOut: string[] = []
  for (const folder of folders) {
    const under = (path: string) => (folder === '' ? path : `${folder}/${path}`)
    const found = gatherSkill(join(dir, folder), host)
    for (const { path, what } of found.others) throw badPack(`it is ${what}`, under(path))
    tree.files.push(...found.files.map((file) => ({ ...file, path: under(file.path) })))
    tree.folders.push(...found.folders.map(under))
    for (const { path } of found.leftOut) leftOut.push(under(path))
  }
  const kept = new Set([...tree.files.map(({ path }) => path), ...leftOut])
  const all = readTree(dir, treeLimits).files.map(({ path }) => path)
  const besides = all.filter(
    (path) => !kept.has(path) && !leftOut.some((one) => one.endsWith('/') && path.startsWith(one)),
  )
  for (const path of leftOut) removeTree(join(dir, path))
  const [only] = folders
  const { skill } =
    folders.length === 1 && only !== undefined
      ? await validateSkill(join(dir, only), host.files, { lenient: true })
      : {}
  const notes = [
    'it has no manifest: nothing says that this is what its author packed',
    ...(folders.length === 1 && only === '' ? ['the skill lies at its top, not in a folder of its own'] : []),
    ...(leftOut.length === 0 ? [] : [`left out: ${some(leftOut)}`]),
    ...(besides.length === 0 ? [] : [`not a part of any skill, so left out: ${some(besides)}`]),
  ]
  return [makeManifest(packName(origin, skill?.name), ownVersion(skill) ?? '0.0.0', tree), notes]
}

const some = (paths: readonly string[]): string =>
  paths.length <= 5 ? paths.join(', ') : `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more`

const packName = (origin: string, skill: string | undefined): string => {
  const name = basename(origin).replace(/\.(zip|skill)$/i, '')
  return (
    [
      skill,
      name,
      name
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 60),
    ].find((one) => checkedBy(packNameSchema, one).ok) ?? 'pack'
  )
}

/** Without what its proof may hold: a skill in there is a part of the proof. */
const skillFolders = (dir: string, files: Files): readonly string[] =>
  findSkillFolders(dir, files)
    .map((folder) => relative(dir, folder))
    .filter((folder) => !isOfProof(folder))

/** Every skill of the pack loads, and has a name that can be a folder's. */
const judgedSkills = async (
  dir: string,
  manifest: Manifest,
  isMadeHere: boolean,
  files: Files,
): Promise<OpenPack['skills']> => {
  const folders = skillFolders(dir, files)
  if (folders.length === 0) throw badPack('there is no skill in it')
  const skills = new Map<string, string>()
  for (const folder of folders) {
    const { skill, diagnostics } = await validateSkill(join(dir, folder), files, { lenient: true })
    const fault = diagnostics.find(({ severity }) => severity === 'error')
    if (skill === undefined || fault !== undefined)
      throw badPack(fault?.message ?? 'it is no skill', folder || 'SKILL.md')
    const name = skill.name.trim().normalize('NFKC')
    const judged = entryPath(name)
    if (!checkedBy(skillNameSchema, name).ok || 'problem' in judged)
      throw badPack('its name can not be that of a folder', name)
    if (skills.has(name)) throw badPack(`two skills in it are called ${name}`, folder)
    skills.set(name, folder)
  }
  // What a manifest names lies in skills: nothing else would be installed, or looked at again.
  const stray = isMadeHere
    ? undefined
    : manifest.files.find(
        ({ path }) =>
          !folders.some((folder) => (folder === '' ? !isOfProof(path) : path.startsWith(`${folder}/`))) &&
          (folders.includes('') || !isOfProof(path)),
      )
  if (stray !== undefined) throw badPack('it is not a part of any skill', stray.path)
  return [...skills].map(([name, folder]) => ({ name, folder })).sort((a, b) => (a.name < b.name ? -1 : 1))
}
