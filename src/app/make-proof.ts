import { isAbsolute, join, relative, sep } from 'node:path'
import { layFiles } from '../adapters/files/lay-files.ts'
import { writeText } from '../adapters/files/output-file.ts'
import { type FoundTree, readTree } from '../adapters/files/read-tree.ts'
import type { ScratchFolder } from '../adapters/files/scratch-folder.ts'
import { cassettePath, readCassette } from '../cassette/cassette-file.ts'
import { redactor } from '../cassette/redactor.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { PlannedSuite } from '../core/plan.ts'
import { packLimits, treeLimits } from '../distribution/limits.ts'
import { filesDigest, proofBytes, proofFolder, proofName, proofProject } from '../distribution/proof.ts'
import { secretBecause } from '../distribution/shipping.ts'
import { sha256 } from '../lib/hash.ts'
import type { Config, Profile } from '../schema/config.ts'
import type { PackedFile } from '../schema/pack.ts'
import type { Proof } from '../schema/proof.ts'
import { badPack } from './bad-pack.ts'
import { leakFinder, recordingsFolder } from './cassettes.ts'
import type { LeftOut } from './gather-skill.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { type PreparedRun, prepareRun } from './prepare-run.ts'
import { judgeOf } from './profiles.ts'
import { findProject, shownPath } from './project.ts'
import { hostAlone, proofConfigFile, runProof } from './proof-run.ts'
import { configuredKeys } from './recorded-models.ts'
import { configuredRoots } from './skill-roots.ts'
import { suiteSources } from './suite-sources.ts'

export type ProofOptions = {
  /** Suites, or folders of suites; empty: those below evals/ that are of these skills alone. */
  readonly suites: readonly string[]
  readonly config?: string | undefined
}

/** A skill that is packed: `dir` is absolute with links resolved; its files are relative to it. */
export type ProvedPart = {
  readonly name: string
  readonly dir: string
  readonly files: readonly PackedFile[]
  readonly folders: readonly string[]
}

export type MadeProof = {
  readonly proof: Proof
  /** By their paths in the pack; they lie in `dir`. */
  readonly files: readonly PackedFile[]
  readonly folders: readonly string[]
  readonly dir: string
  readonly leftOut: readonly LeftOut[]
}

/**
 * Lays suites, what they name and their recordings out beside the skills that are packed, replays them there, and keeps
 * what came of it. Throws where anything but a pass comes of it: what is shown must hold where nothing else is.
 */
export const makeProof = async (
  parts: readonly ProvedPart[],
  options: ProofOptions,
  scratch: ScratchFolder,
  host: Host,
): Promise<MadeProof> => {
  const dir = scratch.folder('pack')
  const [project, replayed] = [join(dir, proofFolder, proofProject), scratch.folder('replayed')]
  const { prepared, leftOut } = await chosenSuites(parts, options, hostAtHome(scratch, host))
  layProject(prepared, parts, project, host)
  refuseSecrets(project, prepared.config, host)
  const { files, folders } = readTree(project, treeLimits)
  const skills = parts.map((part) => ({
    name: part.name,
    path: placeIn(prepared, part),
    sha256: filesDigest(part.files),
  }))
  layFiles(project, replayed, files, folders)
  for (const part of parts) layFiles(part.dir, join(replayed, placeIn(prepared, part)), part.files, part.folders)
  const suites = prepared.suites.map(({ path }) => path)
  const own = loadConfig(findProject(host.cwd, host.home, host.files), host)
  const rules = { ...(own.sandbox === undefined ? {} : { sandbox: own.sandbox }), deny: [], runGraders: true }
  const { models, cases } = await runProof(replayed, suites, rules, host)
  refuseUnproved(cases)
  const proof: Proof = {
    format: 'skills-eval/proof@1',
    tool: { name: 'skills-eval', version: host.version },
    skills,
    sources: filesDigest(files),
    suites,
    models,
    cases,
  }
  const bytes = proofBytes(proof)
  writeText(join(dir, proofFolder, proofName), Buffer.from(bytes).toString('utf8'))
  const summary: PackedFile = {
    path: `${proofFolder}/${proofName}`,
    size: bytes.length,
    mode: '0644',
    sha256: sha256(bytes),
  }
  const under = (path: string) => `${proofFolder}/${proofProject}/${path}`
  return {
    proof,
    files: [summary, ...files.map((file) => ({ ...file, path: under(file.path) }))],
    folders: folders.map(under),
    dir,
    leftOut,
  }
}

/** What the user has at home does not belong to the proof: it would be another one on another machine. */
const hostAtHome = (scratch: ScratchFolder, host: Host): Host => ({
  ...hostAlone(host.cwd, scratch.folder('home'), host),
  env: host.env,
})

const chosenSuites = async (
  parts: readonly ProvedPart[],
  { suites, config }: ProofOptions,
  host: Host,
): Promise<{ readonly prepared: PreparedRun; readonly leftOut: readonly LeftOut[] }> => {
  const selection = config === undefined ? {} : { config }
  const all = await prepareRun({ paths: suites.length === 0 ? ['evals'] : suites, ...selection }, host)
  const leftOut: LeftOut[] = []
  const chosen: PlannedSuite[] = []
  for (const suite of all.plan.suites) {
    const why = notOfThese(all, suite, parts)
    if (why === undefined) chosen.push(suite)
    else if (suites.length === 0) leftOut.push({ path: suite.path, why })
    else throw unproved(`${suite.path} can't be a part of it: ${why}`, hintOfSkills)
  }
  if (chosen.length === 0)
    throw unproved('no suite is of these skills alone', `${hintOfSkills} --suites names suites that are not in evals/.`)
  const paths = chosen.map(({ path }) => join(all.project.dir, path))
  return { prepared: leftOut.length === 0 ? all : await prepareRun({ paths, ...selection }, host), leftOut }
}

const hintOfSkills =
  'Pack all skills that its index has, or let the suite name only what is packed: skills: [../skills/NAME].'

/** The index of a suite is a part of what its model was asked: it must be the same where only the pack is. */
const notOfThese = (run: PreparedRun, suite: PlannedSuite, parts: readonly ProvedPart[]): string | undefined => {
  const { skills, shadowed } = run.indexOf(suite)
  const isPacked = (dir: string) => parts.some((part) => part.dir === dir)
  const others = [...skills, ...shadowed.map(({ skill }) => skill)].filter(
    ({ dir, source }) => source !== 'builtin' && !isPacked(dir),
  )
  if (others.length > 0) return `it has skills that are not packed: ${others.map(({ name }) => name).join(', ')}`
  return skills.some(({ dir }) => isPacked(dir)) ? undefined : 'it has none of the packed skills'
}

const placeIn = ({ project }: PreparedRun, { name, dir }: ProvedPart): string => {
  const place = relative(project.dir, dir).split(sep).join('/')
  if (place === '' || place.startsWith('..'))
    throw unproved(`${name} does not lie below the project of its suites`, 'Pack it from where its suites are.')
  return place
}

/** Copies what the suites are run on, but for the skills, to the same places in another project. */
const layProject = (prepared: PreparedRun, parts: readonly ProvedPart[], to: string, host: Host): void => {
  const { project, config, plan } = prepared
  const recordings = recordingsFolder(project, config)
  const cassettes = [...plan.cases()]
    .map(({ suite, evalCase, model }) => cassettePath({ suite: suite.name, case: evalCase.id, profile: model }))
    .filter((path) => host.files.stat(join(recordings, path)) !== undefined)
  const lay = (from: string, into: string, { files, folders }: Pick<FoundTree, 'files' | 'folders'>) =>
    layFiles(from, into, files, folders)
  const places = parts.map((part) => placeIn(prepared, part))
  const isElsewhere = (path: string) =>
    [...places, ...(isIn(recordings, project.dir) ? [shownPath(project, recordings)] : [])].some((one) =>
      isIn(path, one),
    )
  const taken = sourcesOf(prepared, host).map((path) => treeAt(project.dir, path))
  const files = new Map(taken.flatMap((tree) => tree.files).map((file) => [file.path, file]))
  const folders = new Set(taken.flatMap((tree) => tree.folders))
  lay(project.dir, to, {
    files: [...files.values()].filter(({ path }) => !isElsewhere(path)),
    folders: [...folders].filter((path) => !isElsewhere(path)),
  })
  for (const path of new Set(cassettes)) lay(recordings, join(to, 'recordings'), treeAt(recordings, path))
  writeText(proofConfigFile(to), `${JSON.stringify(proofConfig(prepared), null, 2)}\n`)
}

const isIn = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`)

/** All files and folders that the suites name, relative to the project, but for where their skills are looked for. */
const sourcesOf = (prepared: PreparedRun, host: Host): readonly string[] => {
  const { project, config, plan } = prepared
  const roots = new Set([
    ...plan.suites.flatMap((suite) => suite.skills ?? []),
    ...configuredRoots(project, config, host).map(({ path }) => path),
  ])
  const named = suiteSources(prepared, { record: 'replay', allowStale: false }, host).flatMap(({ file, sources }) => [
    file,
    ...sources.filter((path) => !roots.has(path)),
  ])
  return named.filter((path) => isIn(path, project.dir)).map((path) => shownPath(project, path))
}

/** A file or folder with paths relative to `dir`. What is no plain file can't be packed. */
const treeAt = (dir: string, path: string): Pick<FoundTree, 'files' | 'folders'> => {
  const parts = path.split('/')
  const isOnTheWay = (one: string) => isIn(path, one) || isIn(one, path)
  const found = readTree(dir, { ...treeLimits, depth: treeLimits.depth + parts.length }, (one) => !isOnTheWay(one))
  const [other] = found.others
  if (other !== undefined) throw badPack(`it is ${other.what}, which can't be packed`, other.path)
  return found
}

/** What of the configuration makes an answer. The rest is the machine's, or would open what is closed by default. */
const proofConfig = ({ config, plan }: PreparedRun): Config => {
  const { model, models = {}, skills, security, limits, normalize, permissions } = config
  const used = new Set(plan.suites.flatMap((suite) => [...suite.models, judgeOf(suite)]))
  const profiles = Object.entries(models)
    .filter(([name]) => used.has(name))
    .map(([name, { provider, model: id, protocol, params, price }]) => [
      name,
      { provider, model: id, protocol, params, price } as Profile,
    ])
  return {
    ...(model === undefined ? {} : { model }),
    models: Object.fromEntries(profiles),
    ...(skills?.roots === undefined ? {} : { skills: { roots: skills.roots.filter((path) => !isAbsolute(path)) } }),
    ...(security === undefined ? {} : { security }),
    ...(limits === undefined ? {} : { limits }),
    ...(normalize === undefined ? {} : { normalize }),
    ...(permissions?.deny === undefined ? {} : { permissions: { deny: permissions.deny } }),
  }
}

/** Recordings are looked through as `cassettes verify` does it; in other files, for what this machine knows as secret. */
const refuseSecrets = (dir: string, config: Config, host: Host): void => {
  const isLeak = leakFinder(config, host)
  const { leaks } = redactor({ env: host.env, values: configuredKeys(config, host), key: '' })
  for (const { path, size } of readTree(dir, treeLimits).files) {
    const file = join(dir, path)
    const text = host.files.readHead(file, packLimits.fileBytes).text
    const isFound = path.startsWith('recordings/')
      ? isLeak({ path, file, bytes: size, ...readCassette(text) })
      : leaks(text)
    const why = isFound ? 'a secret can be read in it' : secretBecause(path, () => text)
    if (why !== undefined)
      throw badPack(why, path, 'Record the case again, or take the secret out of what it is run on.')
  }
}

const refuseUnproved = (cases: Proof['cases']): void => {
  const bad = cases.filter(({ status }) => status !== 'passed' && status !== 'skipped')
  const [first] = bad
  if (first === undefined && cases.some(({ status }) => status === 'passed')) return
  if (first === undefined) throw unproved('no case passed', 'All of them are skipped.')
  const more = bad.length === 1 ? '' : `, and ${bad.length - 1} more`
  const what = `${first.suite}/${first.id} on ${first.model}`
  throw unproved(
    first.status === 'stale'
      ? `${what} is stale${more}: its recording is of other skills`
      : `${what} ended as ${first.status}${more}`,
    'Only the packed skills and what the suites name are there. `skills-eval run` shows more; `--record stale` records anew.',
  )
}

const unproved = (problem: string, hint: string): SkillsEvalError =>
  new SkillsEvalError('no_proof', `the pack can't be proved: ${problem}`, { hint })
