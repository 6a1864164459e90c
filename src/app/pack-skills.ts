import { basename, dirname, join, resolve } from 'node:path'
import { type ScratchFolder, scratchFolder } from '../adapters/files/scratch-folder.ts'
import { writeZip, type ZipFile } from '../adapters/zip/write-zip.ts'
import { hasErrors } from '../core/diagnostic.ts'
import { InvalidInputError, UsageError } from '../core/errors.ts'
import type { Skill } from '../core/skill.ts'
import { entryPath } from '../distribution/entry-path.ts'
import { findCollision } from '../distribution/find-collision.ts'
import { packLimits } from '../distribution/limits.ts'
import {
  makeManifest,
  manifestBytes,
  manifestDigest,
  manifestName,
  type PackTree,
  signatureName,
} from '../distribution/manifest.ts'
import { type ProofSummary, proofSummary } from '../distribution/proof.ts'
import { secretBecause } from '../distribution/shipping.ts'
import { signatureBytes } from '../distribution/signature.ts'
import { sha256 } from '../lib/hash.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type Manifest, manifestSchema, type PackedFile, type Signature } from '../schema/pack.ts'
import { findSkillFolders } from '../skills/find-skill-folders.ts'
import { validateSkill } from '../skills/validate-skill.ts'
import { badPack } from './bad-pack.ts'
import { gatherSkill, type LeftOut } from './gather-skill.ts'
import type { Host } from './host.ts'
import type { makeProof, ProofOptions, ProvedPart } from './make-proof.ts'
import { findProject, shownPath } from './project.ts'
import { findKey, signWith } from './signing-key.ts'

export type PackOptions = {
  readonly paths: readonly string[]
  readonly output?: string | undefined
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** The file of a private key; true: the usual one. */
  readonly sign?: string | true | undefined
  /** Replay suites of these skills, and pack what shows it; empty: those below evals/ that are of these skills alone. */
  readonly proof?: ProofOptions | undefined
}

export type Packed = {
  /** Absolute. */
  readonly file: string
  readonly name: string
  readonly version: string
  readonly digest: string
  readonly skills: readonly string[]
  readonly files: number
  readonly bytes: number
  /** The fingerprint of the key that signed it. */
  readonly signed: string | null
  readonly proof?: ProofSummary
  readonly left_out: readonly LeftOut[]
}

type Part = { readonly name: string; readonly dir: string; readonly skill: Skill }

/** Makes one zip of valid skills. Throws, and writes nothing, where a skill is not valid or holds what should not ship. */
export const packSkills = async (options: PackOptions, host: Host): Promise<Packed> => {
  const scratch = scratchFolder('skills-eval-pack-')
  try {
    return await packWith(options, scratch, host)
  } finally {
    scratch.remove()
  }
}

const packWith = async (options: PackOptions, scratch: ScratchFolder, host: Host): Promise<Packed> => {
  const key = options.sign === true ? undefined : options.sign
  // Before the work, and before a path that was taken for the key is missed among the paths.
  if (options.sign !== undefined) findKey(key, host)
  const parts = await findParts(options.paths, host)
  const gathered = parts.map((part) => ({ part, ...gatherSkill(part.dir, host) }))
  const under = (part: Part, path: string) => `${part.name}/${path}`
  for (const { part, others } of gathered)
    for (const { path, what } of others) throw badPack(`it is ${what}, which can't be packed`, under(part, path))
  const places = new Map<string, string>()
  const files = gathered.flatMap(({ part, files }) =>
    files.map((file): PackedFile => {
      const path = under(part, file.path)
      places.set(path, join(part.dir, file.path))
      return { ...file, path }
    }),
  )
  const folders = gathered.flatMap(({ part, folders }) => folders.map((folder) => under(part, folder)))
  refuseSecrets(files, places, host)
  const [name, version] = [nameOf(options, parts), versionOf(options, parts)]
  const proved = options.proof && (await proofOf(gathered.map(asProved), options.proof, scratch, host))
  for (const { path } of proved?.files ?? []) places.set(path, join(proved?.dir ?? '', path))
  const manifest = checkedManifest(
    makeManifest(name, version, {
      files: [...files, ...(proved?.files ?? [])],
      folders: [...folders, ...(proved?.folders ?? [])],
    }),
  )
  const signature = options.sign === undefined ? null : signWith(key, manifest, host)
  const usual = `${manifest.name}-${manifest.version}.zip`
  const file =
    options.output === undefined ? join(outsideOf(parts, host), usual) : namedFile(options.output, usual, host)
  refuseInside(file, parts, host)
  await writePack(file, manifest, signature, (path) =>
    host.files.readBytes(places.get(path) ?? path, packLimits.fileBytes),
  )
  return {
    file,
    name: manifest.name,
    version: manifest.version,
    digest: manifestDigest(manifest),
    skills: parts.map(({ name }) => name),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    signed: signature?.fingerprint ?? null,
    ...(proved === undefined ? {} : { proof: proofSummary(proved.proof) }),
    left_out: [
      ...gathered.flatMap(({ part, leftOut }) => leftOut.map(({ path, why }) => ({ path: under(part, path), why }))),
      ...(proved?.leftOut ?? []),
    ],
  }
}

/** Only a pack with a proof runs anything. */
const proofOf: typeof makeProof = async (...args) => (await import('./make-proof.ts')).makeProof(...args)

const asProved = ({ part, files, folders }: { readonly part: Part } & PackTree): ProvedPart => ({
  name: part.name,
  dir: part.skill.dir,
  files,
  folders,
})

/** Writes a pack from its manifest; `content` gives a file by its path in the pack. */
export const writePack = async (
  file: string,
  manifest: Manifest,
  signature: Signature | null,
  content: (path: string) => Uint8Array,
): Promise<void> => {
  const own = (path: string, bytes: Uint8Array): ZipFile => ({ path, mode: '0644', content: () => bytes })
  await writeZip(
    file,
    [
      own(manifestName, manifestBytes(manifest)),
      ...(signature === null ? [] : [own(signatureName, signatureBytes(signature))]),
      ...manifest.files.map(
        ({ path, mode, sha256: digest }): ZipFile => ({
          path,
          mode,
          content: () => unchanged(path, digest, content(path)),
        }),
      ),
    ],
    manifest.folders,
  )
}

const unchanged = (path: string, digest: string, bytes: Uint8Array): Uint8Array => {
  if (sha256(bytes) !== digest) throw badPack('it was changed while it was packed', path)
  return bytes
}

const findParts = async (paths: readonly string[], host: Host): Promise<readonly Part[]> => {
  const project = findProject(host.cwd, host.home, host.files)
  const parts = new Map<string, Part>()
  const diagnostics = []
  for (const path of paths) {
    const absolute = resolve(host.cwd, path)
    const folders = findSkillFolders(absolute, host.files)
    // A path without any skill below it is judged as the skill that it should be.
    for (const dir of folders.length === 0 ? [absolute] : folders) {
      const { skill, diagnostics: found } = await validateSkill(dir, host.files)
      diagnostics.push(
        ...found
          .filter(({ severity }) => severity === 'error')
          .map((one) => ({ ...one, file: shownPath(project, one.file) })),
      )
      if (skill === undefined || hasErrors(found)) continue
      const twin = parts.get(skill.name)
      if (twin !== undefined && twin.skill.dir !== skill.dir)
        throw new UsageError('twin_skills', `two skills are called ${skill.name}: ${twin.dir} and ${dir}`)
      parts.set(skill.name, { name: skill.name.normalize('NFKC'), dir, skill })
    }
  }
  if (diagnostics.length > 0) throw new InvalidInputError(diagnostics)
  return [...parts.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const refuseSecrets = (files: readonly PackedFile[], places: ReadonlyMap<string, string>, host: Host): void => {
  const found = files.flatMap(({ path }) => {
    const why = secretBecause(path, () => host.files.readHead(places.get(path) ?? path, 256 * 1024).text)
    return why === undefined ? [] : [{ path, why }]
  })
  const [first] = found
  if (first === undefined) return
  const more =
    found.length === 1
      ? ''
      : ` (and ${found
          .slice(1)
          .map(({ path }) => path)
          .join(', ')})`
  throw badPack(`${first.why}${more}`, first.path, 'Take it out of the skill, or name it in a .skillignore.')
}

const nameOf = ({ name }: PackOptions, parts: readonly Part[]): string => {
  const [first] = parts
  if (name !== undefined) return name
  if (first !== undefined && parts.length === 1) return first.name
  throw new UsageError('no_pack_name', `these are ${parts.length} skills: their pack needs a name`, {
    hint: 'Add --name NAME.',
  })
}

/** That of the only skill, where it has one that is a version. */
const versionOf = ({ version }: PackOptions, parts: readonly Part[]): string => {
  if (version !== undefined) return version
  const own = parts.length === 1 ? ownVersion(parts[0]?.skill) : undefined
  if (own !== undefined) return own
  throw new UsageError('no_pack_version', 'the pack needs a version', { hint: 'Add --version 1.0.0.' })
}

/** The version that a skill says it has, as far as it is a semantic one. */
export const ownVersion = (skill: Skill | undefined): string | undefined => {
  const written = skill?.version ?? skill?.metadata.version
  return checkedBy(manifestSchema.shape.version, written).ok ? written : undefined
}

/** A manifest that `readManifest` would take. */
const checkedManifest = (manifest: Manifest): Manifest => {
  const checked = checkedBy(manifestSchema, manifest)
  if (!checked.ok) {
    const [issue] = checked.issues
    throw new UsageError('bad_pack_name', `the pack's ${issue?.path.join('.')} ${issue?.message}`)
  }
  const entries = [
    ...manifest.files.map(({ path }) => ({ path, isFolder: false })),
    ...manifest.folders.map((path) => ({ path, isFolder: true })),
  ]
  for (const { path } of entries) {
    const judged = entryPath(path)
    if ('problem' in judged) throw badPack(judged.problem, path)
  }
  const twins = findCollision(entries)
  if (twins) throw badPack(`it is the same as ${twins[0]} on some systems`, twins[1])
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0)
  if (entries.length + 2 > packLimits.entries) throw badPack(`it has more than ${packLimits.entries} files`)
  if (bytes > packLimits.totalBytes)
    throw badPack(`it is larger than ${packLimits.totalBytes.toLocaleString('en')} bytes`)
  return manifest
}

/** Throws a UsageError where a folder is named. */
export const namedFile = (output: string, usual: string, host: Host): string => {
  const file = resolve(host.cwd, output)
  if (!/[/\\]$/.test(output) && host.files.stat(file)?.kind !== 'dir') return file
  throw new UsageError('output_is_folder', `${output} is a folder, and the pack is a file`, {
    hint: `Name the file: -o ${join(output, usual)}`,
  })
}

/** The folder that we are in; where that is a skill that is packed, the one beside it. */
const outsideOf = (parts: readonly Part[], host: Host): string => {
  const here = host.files.realPath(host.cwd) ?? host.cwd
  const own = parts.find(({ skill }) => `${here}/`.startsWith(`${skill.dir}/`))
  return own === undefined ? host.cwd : dirname(own.skill.dir)
}

const refuseInside = (file: string, parts: readonly Part[], host: Host): void => {
  const folder = host.files.realPath(resolve(file, '..')) ?? resolve(file, '..')
  for (const { skill } of parts)
    if (`${folder}/`.startsWith(`${skill.dir}/`))
      throw new UsageError('pack_in_skill', `${basename(file)} would lie in the skill that it is made of`, {
        hint: 'Give it another place: -o ../FILE.',
      })
}
