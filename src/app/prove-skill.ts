import { join, resolve } from 'node:path'
import { layFiles } from '../adapters/files/lay-files.ts'
import { readTree } from '../adapters/files/read-tree.ts'
import { isThere } from '../adapters/files/root-journal.ts'
import { type ScratchFolder, scratchFolder } from '../adapters/files/scratch-folder.ts'
import { recoverRoot } from '../adapters/files/staged-root.ts'
import { InvalidInputError, UsageError } from '../core/errors.ts'
import { filesOf, hasDrift } from '../distribution/drift.ts'
import { installedSkill } from '../distribution/lock.ts'
import {
  type CaseDifference,
  compareProof,
  hasProof,
  isOfProof,
  type ProofSummary,
  type ProofVerdict,
  proofExitCode,
  proofFolder,
  proofProject,
  proofSummary,
} from '../distribution/proof.ts'
import type { Lock, Manifest } from '../schema/pack.ts'
import { isScript } from '../skills/file-kind.ts'
import type { Host } from './host.ts'
import { soundLock } from './installed-lock.ts'
import { foldersOf, keptProof, proofDrift } from './kept-proofs.ts'
import { loadConfig } from './load-config.ts'
import { driftOf, driftText } from './occupant.ts'
import { openSource } from './open-source.ts'
import { findProject } from './project.ts'
import { type ProofRules, type ProofRun, provedKey, runProof } from './proof-run.ts'
import { openPack } from './read-pack.ts'
import { judgeProof } from './read-proof.ts'
import { installedRoots, rootNames, skillTarget, type TargetOptions } from './skill-target.ts'
import { notInstalled } from './uninstall-skill.ts'
import { isPackPath } from './verify-skills.ts'

export type ProveOptions = TargetOptions & {
  /** An installed skill, or the path of a pack. */
  readonly what: string
  /** The suites' graders are programs of the pack that no sandbox holds. */
  readonly runGraders?: boolean | undefined
  /** Called before anything of the pack is run, where it has what can be. */
  readonly beforeScripts?: () => void
}

export type Proved = {
  readonly name: string
  readonly version: string
  readonly digest: string
  readonly verdict: ProofVerdict
  readonly problem?: string
  /** What to do next. */
  readonly hint?: string
  readonly claimed?: ProofSummary
  readonly differences: readonly CaseDifference[]
}

export const provedExitCode = ({ verdict }: Proved): number => proofExitCode(verdict)

/** Where a pack's parts lie: its proof, and each skill by its name in the proof. */
type Laid = {
  readonly name: string
  readonly digest: string
  readonly manifest: Manifest
  readonly proofDir: string
  skillDir(name: string): string
}

/**
 * Runs the proof of a pack on this machine, in a project of its own that is removed again, from its recordings: no model
 * is asked. Throws a UsageError where there is no proof, or where it may not be run.
 */
export const proveSkill = async (options: ProveOptions, host: Host): Promise<Proved> => {
  const scratch = scratchFolder('skills-eval-prove-')
  try {
    return isPackPath(options.what, host)
      ? await provePack(options, scratch, host)
      : await proveInstalled(options, scratch, host)
  } finally {
    scratch.remove()
  }
}

const provePack = async (options: ProveOptions, scratch: ScratchFolder, host: Host): Promise<Proved> => {
  const source = await openSource(options.what, host)
  const pack = await openPack(source, scratch.folder('pack'), skillTarget(options, host).trusted, host)
  if (pack.madeHere || !hasProof(pack.manifest)) throw noProof(options.what)
  const folders = new Map(pack.skills.map(({ name, folder }) => [name, folder]))
  return prove(
    {
      name: pack.manifest.name,
      digest: pack.digest,
      manifest: pack.manifest,
      proofDir: join(pack.dir, proofFolder),
      skillDir: (name) => join(pack.dir, folders.get(name) ?? name),
    },
    options,
    scratch,
    host,
  )
}

const proveInstalled = async (options: ProveOptions, scratch: ScratchFolder, host: Host): Promise<Proved> => {
  const { what } = options
  for (const { root } of installedRoots(options, host)) {
    recoverRoot(root, rootNames)
    const lock = soundLock(root, host)
    const found = installedSkill(lock, what)
    if (found === undefined) continue
    const { manifest } = found.pack
    if (!hasProof(manifest)) throw noProof(what)
    const about = { name: what, version: manifest.version, digest: found.digest, differences: [] }
    const proofDir = keptProof(root, found.digest, host)
    const drift = proofDrift(proofDir, manifest)
    if (drift === undefined)
      throw new UsageError('proof_gone', `the proof of ${what} is not on this machine`, {
        hint: `It is kept when a pack is installed, and not in the project: install ${found.pack.origin} again.`,
      })
    if (hasDrift(drift))
      return { ...about, verdict: 'different', problem: `the proof was changed: ${driftText(drift)}` }
    const changed = changedSkill(root, found.digest, lock)
    if (changed !== undefined)
      return {
        ...about,
        verdict: 'stale',
        problem: changed,
        hint: `Install it again: ${found.pack.hub === undefined ? found.pack.origin : manifest.name}.`,
      }
    const laid = { name: what, digest: found.digest, manifest, proofDir, skillDir: (name: string) => join(root, name) }
    return prove(laid, options, scratch, host)
  }
  const { code, message, hint } = notInstalled(what)
  throw new UsageError(code, message, { hint: `${hint} A pack is named by its path.` })
}

const noProof = (what: string): UsageError =>
  new UsageError('no_proof', `${what} has no proof with it`, {
    hint: 'Whoever packs it can add one: skills-eval skills pack --proof.',
  })

/** A proof is of all skills of its pack as they were packed: what is there now may do something else. */
const changedSkill = (root: string, digest: string, lock: Pick<Lock, 'packs' | 'skills'>): string | undefined => {
  const { manifest } = lock.packs[digest] ?? { manifest: { files: [] } }
  const names = new Set(manifest.files.flatMap(({ path }) => /^([^/]+)\/skill\.md$/i.exec(path)?.[1] ?? []))
  for (const name of names) {
    if (lock.skills[name]?.pack !== digest || !isThere(join(root, name)))
      return `${name}, which is of the same pack, is not installed any more`
    const drift = driftOf(filesOf(manifest.files, name), readTree(join(root, name), rootNames.limits))
    if (hasDrift(drift)) return `${name} was changed since it was installed: ${driftText(drift)}`
  }
  return undefined
}

const prove = async (laid: Laid, options: ProveOptions, scratch: ScratchFolder, host: Host): Promise<Proved> => {
  const { name, digest, manifest, proofDir } = laid
  const about = { name, version: manifest.version, digest }
  const judged = judgeProof(proofDir, manifest, host)
  if (!('proof' in judged)) return { ...about, verdict: 'different', problem: judged.problem, differences: [] }
  const { proof, problem } = judged
  const claimed = proofSummary(proof)
  if (problem !== undefined) return { ...about, verdict: 'different', problem, claimed, differences: [] }
  const dir = scratch.folder('project')
  const inProject = (path: string) => path.startsWith(`${proofProject}/`)
  const cut = (path: string) => path.slice(proofProject.length + 1)
  layFiles(
    join(proofDir, proofProject),
    dir,
    filesOf(manifest.files, `${proofFolder}/${proofProject}`),
    foldersOf(manifest).filter(inProject).map(cut),
  )
  for (const skill of proof.skills) {
    const at = join(dir, skill.path)
    // A path of the proof that leads out of its project, or over what is there already, is no skill's.
    if (!at.startsWith(`${dir}/`) || isThere(at))
      return {
        ...about,
        verdict: 'different',
        problem: 'the proof lays a skill where none can be',
        claimed,
        differences: [],
      }
    layFiles(laid.skillDir(skill.name), at, filesOf(manifest.files, skill.name), [])
  }
  if (options.runGraders || hasScripts(manifest)) options.beforeScripts?.()
  const run = await runHere(dir, proof.suites, rulesOf(options, host), host)
  if ('problem' in run)
    return {
      ...about,
      verdict: 'stale',
      problem: run.problem,
      hint: staleHint(proof.tool.version),
      claimed,
      differences: [],
    }
  const compared = compareProof(proof, run, (one) => run.denied.has(provedKey(one)))
  if (compared.verdict === 'equal') return { ...about, claimed, ...compared }
  const denying = [...new Set(run.denied.values())]
  if (denying.length > 0) {
    const problem = `your own configuration denied what it does (${denying.join(', ')})`
    const hint = 'Prove it where that is permitted, or without that rule in permissions.deny.'
    return { ...about, problem, hint, claimed, ...compared }
  }
  return {
    ...about,
    ...(compared.verdict === 'stale' ? { hint: staleHint(proof.tool.version) } : {}),
    claimed,
    ...compared,
  }
}

const staleHint = (version: string): string =>
  `It was made by skills-eval ${version}: prove it with that version, or ask its makers to record it anew.`

/** Whether anything of the pack is a program: of its skills, since graders are only run where that is asked. */
const hasScripts = ({ files }: Manifest): boolean =>
  files.some(({ path, mode }) => !isOfProof(path) && (mode === '0755' || isScript(path.slice(path.indexOf('/') + 1))))

/** The user's own word on isolation and on what is denied holds for what came with a pack, too. */
const rulesOf = ({ config: file, runGraders = false }: ProveOptions, host: Host): ProofRules => {
  const project = findProject(host.cwd, host.home, host.files)
  const config = loadConfig(project, host, file === undefined ? undefined : resolve(host.cwd, file))
  return {
    ...(config.sandbox === undefined ? {} : { sandbox: config.sandbox }),
    deny: config.permissions?.deny ?? [],
    runGraders,
  }
}

const runHere = async (
  dir: string,
  suites: readonly string[],
  rules: ProofRules,
  host: Host,
): Promise<ProofRun | { readonly problem: string }> => {
  const isFenced = rules.sandbox === 'require'
  try {
    const run = await runProof(dir, suites, { ...rules, runGraders: rules.runGraders && !isFenced }, host)
    if (run.hasRun) return run
    throw new UsageError('graders', `the proof has graders, which no sandbox holds: ${run.graders.join(', ')}`, {
      hint: isFenced
        ? 'The configuration says sandbox: require, so that they are not run.'
        : 'They are programs of the pack. Read them, then add --run-graders.',
    })
  } catch (error) {
    // A suite that this version does not understand was written for another one.
    if (error instanceof InvalidInputError || (error instanceof UsageError && error.code !== 'graders'))
      return { problem: `its suites can't be run by this version: ${error.message}` }
    throw error
  }
}
