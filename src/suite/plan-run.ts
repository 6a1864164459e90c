import type { Diagnostic } from '../core/diagnostic.ts'
import { type EvalCase, type PlannedCase, type PlannedSuite, type RunPlan, reasonOf } from '../core/plan.ts'
import type { Files } from '../core/ports.ts'
import { caseFilter, type FilterOptions } from './case-filter.ts'
import { rowFilesOf, suiteCases } from './expand-cases.ts'
import { resolvePath } from './resolve-path.ts'
import { loadRowFiles } from './row-files.ts'
import type { Suite } from './suite.ts'

/** A suite and where its file is: `path` relative to the project, `dir` the absolute folder of the file. */
export type SuiteFile = { readonly suite: Suite; readonly path: string; readonly dir: string }

export type PlanOptions = FilterOptions & {
  /** Profiles to run on instead of the suites' own. */
  readonly models?: readonly string[]
  /** Trials of every case instead of its own number. */
  readonly trials?: number
  /** The profile of suites that name none. */
  readonly defaultModel: string
  /** Where nobody watches, `only` is a mistake: it would hide every other case. */
  readonly ci: boolean
  readonly files: Files
}

export type PlannedRun = {
  readonly plan: RunPlan
  readonly diagnostics: readonly Diagnostic[]
  /** Cases of all suites, on one model, before any filter. */
  readonly totals: { readonly cases: number }
}

/**
 * The trials to do: suites in order, in each its models, in each its cases that the options ask for, in each its trials.
 * Where one of these cases has `only`, those without it are left out. A skipped case has no trials and is counted. Cases
 * are made to be counted and made again by each `cases()`; only rows of .csv, .json and .yaml files are held. Suites of
 * which no case is left are not in the plan. Throws a UsageError for a filter that can't be read, a FileError for a row
 * file.
 */
export const planRun = async (suites: readonly SuiteFile[], options: PlanOptions): Promise<PlannedRun> => {
  const { files } = options
  const expandOptions = { files, rowFiles: await loadRowFiles(rowFilesOf(suites), files), schemas: new Map() }
  const casesOf = ({ suite, dir }: SuiteFile): Iterable<EvalCase> => suiteCases(suite, { ...expandOptions, dir })
  const isWanted = caseFilter(options)

  const counted = suites.map((file) => countCases(file, casesOf(file), isWanted, options))
  const isFocused = counted.some(({ only }) => only.cases > 0)
  const planned = suites.flatMap((file, i) => {
    const count = isFocused ? counted[i]?.only : counted[i]?.all
    return count === undefined || count.cases === 0 ? [] : [{ file, count, suite: plannedSuite(file, options) }]
  })

  function* cases(): Generator<PlannedCase> {
    let at = 0
    for (const { file, suite } of planned) {
      for (const model of suite.models) {
        for (const evalCase of casesOf(file)) {
          if (!isWanted(suite.name, evalCase) || (isFocused && !hasOnly(evalCase))) continue
          const trials = trialsOf(evalCase, options)
          yield { suite, evalCase, model, trials, ...adaptiveOf(evalCase, options), at }
          at += trials
        }
      }
    }
  }

  return {
    plan: {
      suites: planned.map(({ suite }) => suite),
      counts: planned.reduce((sum, { count, suite }) => add(sum, count, suite.models.length), noCases),
      cases,
    },
    diagnostics: [...sameNames(suites), ...counted.flatMap(({ diagnostics }) => diagnostics)],
    totals: { cases: counted.reduce((sum, { total }) => sum + total, 0) },
  }
}

type Counts = RunPlan['counts']

const noCases: Counts = { cases: 0, trials: 0, skipped: 0 }

const add = (sum: Counts, more: Counts, times: number): Counts => ({
  cases: sum.cases + more.cases * times,
  trials: sum.trials + more.trials * times,
  skipped: sum.skipped + more.skipped * times,
})

const hasOnly = ({ only }: EvalCase): boolean => reasonOf(only) !== undefined

const trialsOf = ({ skip, trials }: EvalCase, options: PlanOptions): number =>
  reasonOf(skip) === undefined ? (options.trials ?? trials) : 0

/** A number of trials on the command line is that number. */
const adaptiveOf = ({ adaptive }: EvalCase, options: PlanOptions): Pick<PlannedCase, 'adaptive'> =>
  adaptive && options.trials === undefined ? { adaptive } : {}

const countCases = (
  { suite, path }: SuiteFile,
  cases: Iterable<EvalCase>,
  isWanted: ReturnType<typeof caseFilter>,
  options: PlanOptions,
) => {
  const all = { ...noCases }
  const only = { ...noCases }
  const focusedLines = new Set<number>()
  let total = 0
  for (const evalCase of cases) {
    total += 1
    if (!isWanted(suite.name, evalCase)) continue
    const trials = trialsOf(evalCase, options)
    for (const count of hasOnly(evalCase) ? [all, only] : [all]) {
      count.cases += 1
      count.trials += trials
      if (trials === 0) count.skipped += 1
    }
    if (options.ci && hasOnly(evalCase)) focusedLines.add(evalCase.line)
  }
  return { all, only, total, diagnostics: [...focusedLines].map((line) => onlyInCi(path, line)) }
}

const plannedSuite = ({ suite, path, dir }: SuiteFile, options: PlanOptions): PlannedSuite => {
  const { name, description, skills, judge, distractors, thresholds, normalize, stale } = suite
  const models = options.models?.length ? options.models : (suite.models ?? [options.defaultModel])
  return {
    name,
    path,
    dir,
    models: [...new Set(models)],
    ...(description !== undefined && { description }),
    ...(skills !== undefined && { skills: skills.map((root) => resolvePath(dir, root)) }),
    ...(judge !== undefined && { judge }),
    ...(distractors !== undefined && { distractors }),
    ...(thresholds !== undefined && { thresholds }),
    ...(normalize !== undefined && { normalize }),
    ...(stale !== undefined && { stale }),
  }
}

const onlyInCi = (file: string, line: number): Diagnostic => ({
  severity: 'error',
  code: 'suite/only-in-ci',
  message: '`only` leaves out every other case, which is an error in CI',
  file,
  line,
  hint: 'Remove `only`, or choose cases with --filter.',
})

const sameNames = (suites: readonly SuiteFile[]): Diagnostic[] => {
  const first = new Map<string, string>()
  return suites.flatMap(({ suite: { name }, path }) => {
    const other = first.get(name)
    if (other !== undefined) return [sameName(name, path, other)]
    first.set(name, path)
    return []
  })
}

const sameName = (name: string, file: string, other: string): Diagnostic => ({
  severity: 'error',
  code: 'suite/duplicate-name',
  message: `the suites ${other} and ${file} are both named \`${name}\``,
  file,
  hint: 'Give one of them another `name`: results and recordings go by it.',
})
