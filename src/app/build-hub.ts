import { join, relative, resolve } from 'node:path'
import { writeText } from '../adapters/files/output-file.ts'
import { readTree } from '../adapters/files/read-tree.ts'
import { removeTree } from '../adapters/files/remove-tree.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import { hubIndexBytes, hubIndexName, hubLimits, hubSignatureName, readHubIndex } from '../distribution/hub-index.ts'
import { packLimits } from '../distribution/limits.ts'
import { pickVersion, whyNoVersion } from '../distribution/pick-version.ts'
import { signatureBytes } from '../distribution/signature.ts'
import { sha256 } from '../lib/hash.ts'
import { compareSemver } from '../lib/semver-range.ts'
import type { BuiltHub } from '../report/hub-report.ts'
import { type HubIndex, type HubPack, type HubSource, type HubVersion, hubSourceSchema } from '../schema/hub.ts'
import { validateSkill } from '../skills/validate-skill.ts'
import type { Host } from './host.ts'
import { findProject, shownPath } from './project.ts'
import { readAuthored } from './read-authored.ts'
import { openPack } from './read-pack.ts'
import { signBytesWith } from './signing-key.ts'

export type BuildHubOptions = {
  readonly dir: string
  /** A file with a private key. */
  readonly sign?: string | undefined
  /** Nobody signs the index any more: without it one that was signed stays so. */
  readonly unsigned?: boolean | undefined
}

type PackFacts = {
  readonly name: string
  readonly version: HubVersion
  readonly description: string
  readonly tags: readonly string[]
}

const sourceNames = ['hub.yaml', 'hub.yml', 'hub.json'] as const

/**
 * Makes index.json of the zips in a folder and its hub.yaml. The same folder gives the same bytes. What was yanked stays
 * so, and a version that was published does not change. Throws, and writes nothing, where a pack or hub.yaml is wrong.
 */
export const buildHub = async (options: BuildHubOptions, host: Host): Promise<BuiltHub> => {
  const dir = resolve(host.cwd, options.dir)
  if (host.files.stat(dir)?.kind !== 'dir') throw new UsageError('no_folder', `there is no folder ${options.dir}`)
  const source = readSource(dir, host)
  const before = readBefore(dir, host)
  refuseUnsigning(options, dir, host)
  const facts = await readPacks(dir, host)
  const packs = packsOf(facts, source, before)
  const content = {
    format: 'skills-eval/hub@1',
    name: source.name,
    packs,
    collections: collectionsOf(source, packs),
  } as const
  const notes = [...gone(before, packs), ...unsigned(packs)]
  const serial = serialOf(content, before)
  const index: HubIndex = { ...content, serial }
  const bytes = hubIndexBytes(index)
  const checked = readHubIndex(bytes)
  if ('problem' in checked) throw new UsageError('bad_hub', `the hub can't be made: ${checked.problem}`)
  const signature = options.sign === undefined ? null : signBytesWith(options.sign, bytes, host)
  const changed = writeIndex(dir, bytes, signature && signatureBytes(signature), host)
  return {
    file: join(dir, hubIndexName),
    name: source.name,
    serial,
    changed,
    packs: packs.length,
    versions: packs.reduce((sum, { versions }) => sum + versions.length, 0),
    collections: index.collections.length,
    signed: signature?.fingerprint ?? null,
    notes,
  }
}

const readSource = (dir: string, host: Host): HubSource => {
  const file = sourceNames.map((name) => join(dir, name)).find((path) => host.files.stat(path) !== undefined)
  if (file === undefined)
    throw new UsageError('no_hub_source', `there is no hub.yaml in ${dir}`, {
      hint: 'Write one; the least of it is the line `name: my-hub`.',
    })
  const shown = shownPath(findProject(host.cwd, host.home, host.files), file)
  return readAuthored(file, shown, hubSourceSchema, 'hub', host)
}

/** The index that is there. One that can't be read stops the build: what it says was yanked would be lost. */
const readBefore = (dir: string, { files }: Host): HubIndex | undefined => {
  const path = join(dir, hubIndexName)
  if (files.stat(path) === undefined) return undefined
  const index = readHubIndex(files.readBytes(path, hubLimits.indexBytes))
  if (!('problem' in index)) return index
  throw new SkillsEvalError('bad_hub', `${path} is damaged: ${index.problem}`, {
    hint: 'Put back the one that was published: it says what was yanked.',
  })
}

/** Whoever wrote the key down refuses an index without its signature. */
const refuseUnsigning = ({ sign, unsigned }: BuildHubOptions, dir: string, { files }: Host): void => {
  if (sign !== undefined && unsigned) throw new UsageError('two_signs', '--sign and --unsigned contradict each other')
  if (sign !== undefined || unsigned || files.stat(join(dir, hubSignatureName)) === undefined) return
  throw new UsageError('hub_is_signed', `the index in ${dir} was signed, and whoever knows its key refuses another`, {
    hint: 'Add --sign KEY, or --unsigned where nobody signs it any more.',
  })
}

const readPacks = async (dir: string, host: Host): Promise<readonly PackFacts[]> => {
  const tree = readTree(dir, { entries: 20_000, fileBytes: packLimits.zipBytes, depth: 8 }, isHidden)
  // A pack that is not looked at would be missed by whoever has it.
  const missed = tree.others.find(({ path, what }) => isZip(path) || !/^(a link|a special file|larger)/.test(what))
  if (missed !== undefined)
    throw new UsageError(
      'pack_missed',
      `${relative(host.cwd, join(dir, missed.path))} can't be a pack: it is ${missed.what}`,
    )
  const odd = tree.files.find(({ path }) => isZip(path) && !path.endsWith('.zip'))
  if (odd !== undefined)
    throw new UsageError(
      'pack_missed',
      `${relative(host.cwd, join(dir, odd.path))} can't be a pack: its name must end in .zip`,
    )
  const scratch = scratchFolder('skills-eval-hub-')
  try {
    const facts: PackFacts[] = []
    for (const [i, { path, size }] of tree.files.filter(({ path }) => isZip(path)).entries())
      facts.push(await readPack(dir, path, size, scratch.folder(`pack-${i}`), host))
    return facts
  } finally {
    scratch.remove()
  }
}

const isZip = (path: string): boolean => /\.zip$/i.test(path)
const isHidden = (path: string): boolean => /(?:^|\/)\./.test(path)

const readPack = async (dir: string, file: string, size: number, into: string, host: Host): Promise<PackFacts> => {
  const bytes = host.files.readBytes(join(dir, file), packLimits.zipBytes)
  try {
    const pack = await openPack({ kind: 'zip', bytes, origin: file }, into, [], host)
    const { name, version } = pack.manifest
    if (pack.madeHere)
      throw new UsageError('no_manifest', 'it has no manifest', { hint: 'Make it with `skills-eval skills pack`.' })
    const [first] = pack.skills
    const { skill } =
      first === undefined ? {} : await validateSkill(join(into, first.folder), host.files, { lenient: true })
    const own = pack.skills.length === 1 ? skill : undefined
    const fingerprint = 'fingerprint' in pack.signer ? pack.signer.fingerprint : null
    const skills = pack.skills.map((one) => one.name)
    const entry = { version, file, size, sha256: sha256(bytes), digest: pack.digest, signer: fingerprint, skills }
    return { name, version: { ...entry, yanked: null }, description: own?.description ?? '', tags: own?.tags ?? [] }
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
    const options = error.hint === undefined ? {} : { hint: error.hint }
    throw new SkillsEvalError(error.code, `${relative(host.cwd, join(dir, file))}: ${error.message}`, options)
  } finally {
    removeTree(into)
  }
}

const packsOf = (facts: readonly PackFacts[], source: HubSource, before: HubIndex | undefined): HubPack[] => {
  const names = [...new Set(facts.map(({ name }) => name))].sort()
  refuseUnknown(source, facts)
  return names.map((name) => {
    const own = facts
      .filter((fact) => fact.name === name)
      .sort((a, b) => compareSemver(b.version.version, a.version.version))
    const said = source.packs?.[name]
    const known = before?.packs.find((pack) => pack.name === name)?.versions ?? []
    const newest = own.find(({ version }) => !version.version.includes('-')) ?? own[0]
    return {
      name,
      description: said?.description ?? newest?.description ?? '',
      tier: said?.tier ?? 'community',
      tags: [...new Set(said?.tags ?? newest?.tags ?? [])].sort(),
      versions: own.map(({ version }) => {
        const past = known.find((one) => one.version === version.version)
        refuseChanged(name, version, past)
        const mark = said?.yanked?.[version.version]
        return { ...version, yanked: mark === false ? null : (mark ?? past?.yanked ?? null) }
      }),
    }
  })
}

const refuseChanged = (name: string, now: HubVersion, past: HubVersion | undefined): void => {
  if (past === undefined || past.digest === now.digest) return
  throw new UsageError('version_changed', `${name} ${now.version} is not what was published as that version`, {
    hint: 'Give what was changed a new version.',
  })
}

/** A mark that means nothing would leave a version to be used that should not be. */
const refuseUnknown = ({ packs = {} }: HubSource, facts: readonly PackFacts[]): void => {
  for (const [name, { yanked = {} }] of Object.entries(packs)) {
    if (!facts.some((fact) => fact.name === name))
      throw new UsageError('no_pack', `hub.yaml names the pack ${name}, and there is no zip of it`)
    for (const version of Object.keys(yanked))
      if (!facts.some((fact) => fact.name === name && fact.version.version === version))
        throw new UsageError('no_version', `hub.yaml names ${name} ${version}, and there is no zip of it`)
  }
}

const collectionsOf = ({ collections = {} }: HubSource, packs: readonly HubPack[]): HubIndex['collections'] =>
  Object.entries(collections).map(([name, { description = '', packs: members }]) => {
    const owners = new Map<string, string>()
    const chosen = Object.entries(members).map(([member, range]) => {
      const pack = packs.find((one) => one.name === member)
      if (pack === undefined)
        throw new UsageError('no_pack', `the collection ${name} names ${member}, and there is no zip of it`)
      const picked = pickVersion(pack, range)
      if (picked === undefined)
        throw new UsageError('no_version', `the collection ${name} can't be had: ${whyNoVersion(pack, range)}`, {
          hint: 'Publish a version that it can have, or change its range in hub.yaml.',
        })
      for (const skill of picked.skills) {
        const owner = owners.get(skill)
        if (owner !== undefined)
          throw new UsageError(
            'twin_skills',
            `the collection ${name} can't be had: ${owner} and ${member} both have a skill ${skill}`,
          )
        owners.set(skill, member)
      }
      return { name: member, range }
    })
    return { name, description, packs: chosen }
  })

const serialOf = (content: Omit<HubIndex, 'serial'>, before: HubIndex | undefined): number => {
  if (before === undefined) return 1
  const isSame = sha256(hubIndexBytes({ ...content, serial: 1 })) === sha256(hubIndexBytes({ ...before, serial: 1 }))
  return isSame ? before.serial : before.serial + 1
}

const gone = (before: HubIndex | undefined, packs: readonly HubPack[]): readonly string[] =>
  (before?.packs ?? []).flatMap(({ name, versions }) => {
    const now = packs.find((pack) => pack.name === name)?.versions.map(({ version }) => version) ?? []
    return versions
      .filter(({ version }) => !now.includes(version))
      .map(({ version }) => `${name} ${version} was in the index before: whoever has it can't install it again`)
  })

const unsigned = (packs: readonly HubPack[]): readonly string[] =>
  packs.flatMap(({ name, tier, versions }) =>
    tier !== 'community' && versions.some(({ signer }) => signer === null)
      ? [`${name} is ${tier}, and not all of its versions are signed`]
      : [],
  )

/** The signature first: between the two, an index with the key's old signature is refused and asked for again. */
const writeIndex = (dir: string, bytes: Uint8Array, signature: Uint8Array | null, { files }: Host): boolean => {
  const [index, sig] = [join(dir, hubIndexName), join(dir, hubSignatureName)]
  const isSame = (path: string, wanted: Uint8Array | null) =>
    wanted === null
      ? files.stat(path) === undefined
      : files.stat(path) !== undefined && Buffer.from(files.readBytes(path, hubLimits.indexBytes)).equals(wanted)
  const changed = !isSame(index, bytes) || !isSame(sig, signature)
  if (signature !== null) writeText(sig, Buffer.from(signature).toString())
  else removeTree(sig)
  writeText(index, Buffer.from(bytes).toString())
  return changed
}
