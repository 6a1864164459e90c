import { join } from 'node:path'
import { suiteFilePatterns } from '../adapters/files/find-suites.ts'
import { toSkillRef } from '../core/actions.ts'
import type { Coverage, CoveredPart, Evidence, SkillCoverage } from '../core/coverage.ts'
import { UsageError } from '../core/errors.ts'
import type { EvalCase } from '../core/plan.ts'
import type { TrialRow } from '../core/results.ts'
import type { Skill } from '../core/skill.ts'
import { type AskedFile, askedParts } from '../grading/asked-parts.ts'
import { matchesGlob } from '../lib/glob.ts'
import type { SuiteSkills } from '../runner/run-deps.ts'
import { similarSkills } from '../skills/similar-skills.ts'
import { bodyPath, namedByScripts, type SkillPart, skillParts } from '../skills/skill-parts.ts'
import type { Host } from './host.ts'
import { type PreparedRun, prepareRun } from './prepare-run.ts'
import { shownPath } from './project.ts'
import { reportsFolder, resultFile, storedRunIds } from './run-folders.ts'
import { storedTrials } from './stored-trials.ts'

export type CoverageOptions = {
  readonly paths: readonly string[]
  readonly config?: string
  /** How many of the newest stored runs are read. */
  readonly runs: number
  /** The share of parts that must be exercised. */
  readonly min?: number
}

/**
 * Which parts of the skills of these suites their evals exercise: from what their cases ask for, and from what the
 * newest stored runs did. Throws an InvalidInputError for suites with mistakes, a UsageError where there is no skill.
 */
export const skillCoverage = async (options: CoverageOptions, host: Host): Promise<Coverage> => {
  const { paths, config, runs, min } = options
  const prepared = await prepareRun({ paths, ...(config === undefined ? {} : { config }) }, host)
  if (prepared.suites.length === 0) {
    throw new UsageError('no_suites', `no suite found in ${paths.join(', ')}`, {
      hint: `Looked for ${suiteFilePatterns.join(' and ')}.`,
    })
  }
  const tallies = await openTallies(prepared, host)
  const triggerOnly = readCases(prepared, tallies)
  const folder = reportsFolder(host, config)
  const ids = storedRunIds(folder, host).slice(0, runs)
  for (const id of ids) {
    for (const row of storedTrials(join(folder, id, resultFile), host)) {
      tallies.of(row.suite)?.noteTrial(row, triggerOnly.has(placeOf(row.suite, row.case)))
    }
  }
  const skills = tallies.all().map((tally) => tally.result(host))
  const parts = skills.flatMap((skill) => skill.parts)
  const covered = parts.filter(({ evidence }) => evidence !== null).length
  return {
    skills: skills.map((skill) => ({ ...skill, path: shownPath(prepared.project, skill.path) })),
    parts: parts.length,
    covered,
    share: covered / parts.length,
    min: min ?? null,
    runs: ids,
    similar: similarSkills(tallies.all().map(({ skill }) => skill)),
  }
}

const placeOf = (suite: string, id: string): string => `${suite}\0${id}`

/** Reads the expectations of every case that is not skipped. Returns those that end before a skill could be used. */
const readCases = ({ plan, skillsOf }: PreparedRun, tallies: Tallies): ReadonlySet<string> => {
  const triggerOnly = new Set<string>()
  for (const { suite, evalCase, model, trials } of plan.cases()) {
    if (trials === 0 || model !== suite.models[0]) continue
    if (evalCase.triggerOnly) triggerOnly.add(placeOf(suite.name, evalCase.id))
    tallies.of(suite.name)?.noteCase(evalCase, skillsOf(suite))
  }
  return triggerOnly
}

type Tallies = { of(suite: string): SuiteTally | undefined; all(): readonly SkillTally[] }
type SuiteTally = {
  noteCase(evalCase: EvalCase, skills: SuiteSkills): void
  noteTrial(row: TrialRow, triggerOnly: boolean): void
}

/** One tally for each skill, whichever suites see it; those of the package and of the user are not the project's to test. */
const openTallies = async ({ plan, skillsOf }: PreparedRun, { files }: Host): Promise<Tallies> => {
  const byFolder = new Map<string, SkillTally>()
  const bySuite = new Map<string, SuiteTally>()
  for (const suite of plan.suites) {
    const own = new Map<string, SkillTally>()
    for (const skill of ownSkills(skillsOf(suite))) {
      const tally = byFolder.get(skill.dir) ?? skillTally(skill, await skillParts(skill, files))
      byFolder.set(skill.dir, tally)
      own.set(skill.name, tally)
    }
    bySuite.set(suite.name, suiteTally(own))
  }
  if (byFolder.size === 0) {
    throw new UsageError('no_skills', 'these suites have no skills of this project', {
      hint: 'Give suites whose `skills` name a folder of skills.',
    })
  }
  const all = [...byFolder.values()].sort((a, b) => (a.skill.name < b.skill.name ? -1 : 1))
  return { of: (suite) => bySuite.get(suite), all: () => all }
}

const ownSkills = ({ source, distractors }: SuiteSkills): readonly Skill[] =>
  source
    .visible()
    .filter(({ name, source: layer }) => (layer === 'suite' || layer === 'project') && !distractors?.has(name))

const suiteTally = (own: ReadonlyMap<string, SkillTally>): SuiteTally => ({
  noteCase: (evalCase, { universe }) => {
    const { selected, loaded, run } = askedParts(evalCase)
    noteLabels(evalCase, universe, own)
    if (evalCase.triggerOnly) return
    for (const name of selected) own.get(name)?.note(bodyPath, 'expected')
    for (const file of [...loaded, ...run]) {
      for (const tally of meant(file, selected, own)) tally.noteGlob(file.path, 'expected')
    }
  },
  noteTrial: ({ actions, skills_selected }, triggerOnly) => {
    if (triggerOnly) return
    for (const name of skills_selected) own.get(name)?.note(bodyPath, 'run')
    for (const { action, params, status, exit_code } of actions) {
      const isDone = status === 'ok' || (action === 'run_script' && exit_code !== undefined)
      if (!isDone || (action !== 'load_resource' && action !== 'run_script')) continue
      const { name } = (toSkillRef(params.skill) ?? {}) as { readonly name?: unknown }
      if (typeof name === 'string' && typeof params.path === 'string') own.get(name)?.note(params.path, 'run')
    }
  },
})

const noteLabels = (
  { expected }: EvalCase,
  universe: readonly string[],
  own: ReadonlyMap<string, SkillTally>,
): void => {
  const skills = expected?.skills
  if (skills === undefined) return
  const positive = Array.isArray(skills) ? skills : (skills.includes ?? [])
  const negative = Array.isArray(skills) ? universe.filter((name) => !skills.includes(name)) : (skills.excludes ?? [])
  for (const name of new Set(positive)) own.get(name)?.label('positives')
  for (const name of new Set(negative)) own.get(name)?.label('negatives')
}

/** A pattern that names no skill means those that the case selects; all of them where it says nothing of skills. */
const meant = (
  { skill }: AskedFile,
  selected: readonly string[],
  own: ReadonlyMap<string, SkillTally>,
): readonly SkillTally[] => {
  const names = skill === undefined ? selected : [skill]
  return names.length === 0 ? [...own.values()] : names.flatMap((name) => own.get(name) ?? [])
}

type SkillTally = {
  readonly skill: Skill
  label(side: 'positives' | 'negatives'): void
  note(path: string, evidence: Evidence): void
  noteGlob(glob: string, evidence: Evidence): void
  result(host: Host): SkillCoverage
}

/** What happened is better evidence than what is asked for. */
const strength: Readonly<Record<Evidence, number>> = { named: 1, expected: 2, run: 3 }

const skillTally = (skill: Skill, parts: readonly SkillPart[]): SkillTally => {
  const labels = { positives: 0, negatives: 0 }
  const found = new Map<string, Evidence>()
  const note = (path: string, evidence: Evidence): void => {
    const known = found.get(path)
    if (known === undefined || strength[known] < strength[evidence]) found.set(path, evidence)
  }
  return {
    skill,
    label: (side) => {
      labels[side] += 1
    },
    note: (path, evidence) => note(path.replace(/^(?:\.\/)+/, ''), evidence),
    noteGlob: (glob, evidence) => {
      for (const { path, kind } of parts) if (kind !== 'body' && matchesGlob(glob, path)) note(path, evidence)
    },
    result: ({ files }) => {
      const paths = parts.filter(({ path, kind }) => kind !== 'body' && !found.has(path)).map(({ path }) => path)
      for (const path of namedByScripts(skill, found.keys(), paths, files)) note(path, 'named')
      const covered = parts.map((part): CoveredPart => ({ ...part, evidence: found.get(part.path) ?? null }))
      return { name: skill.name, path: skill.dir, ...labels, parts: covered }
    },
  }
}
