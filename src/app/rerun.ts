import { dirname, join } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { RunPlan } from '../core/plan.ts'
import type { RunResult } from '../core/results.ts'
import { nearest } from '../lib/nearest.ts'
import type { RunState } from '../schema/run-state.ts'
import { narrowPlan } from '../suite/narrow-plan.ts'
import type { Host } from './host.ts'
import { findProject } from './project.ts'
import { startedOptions } from './resumed-options.ts'
import { reportsFolder, resultFile, stateFile } from './run-folders.ts'
import type { RunOptions } from './run-options.ts'
import { readRunState } from './run-session.ts'
import { findStoredRun, pathIn } from './stored-runs.ts'

export const rerunStatuses = ['failed', 'error', 'stale'] as const
export type RerunStatus = (typeof rerunStatuses)[number]

/** `failed,error` → the statuses; throws a UsageError for a word that is none. */
export const parseStatuses = (written: readonly string[]): readonly RerunStatus[] =>
  [...new Set(written.flatMap((list) => list.split(',').map((word) => word.trim())))].map((word) => {
    const status = rerunStatuses.find((one) => one === word)
    if (status) return status
    const close = nearest(word, rerunStatuses)
    throw new UsageError('unknown_status', `--rerun: there is no status "${word}"`, {
      hint: close.length > 0 ? `Did you mean ${close.join(' or ')}?` : `There is: ${rerunStatuses.join(', ')}.`,
    })
  })

export type Rerun = {
  readonly source: string
  readonly statuses: readonly RerunStatus[]
  /** Suite, case and model of what ended so. */
  readonly cases: ReadonlySet<string>
  /** Those of the source, unless given again. */
  readonly options: RunOptions
}

/** The cases of a finished run that ended with one of these statuses, and how it was started. */
export const findRerun = async (
  given: RunOptions & { readonly rerun: readonly string[] },
  host: Host,
): Promise<Rerun> => {
  const statuses = parseStatuses(given.rerun)
  const wanted = given.rerunOf ?? 'latest'
  const folder = reportsFolder(host, given.config)
  const run = findStoredRun(wanted, folder, host)
  const statePath = join(dirname(pathIn(folder, resultFile, wanted, host)), stateFile)
  const state = host.files.stat(statePath)?.kind === 'file' ? await readRunState(statePath, host) : undefined
  const project = findProject(host.cwd, host.home, host.files)
  return {
    source: run.id,
    statuses,
    cases: casesWith(run, statuses),
    options: state ? startedOptions(given, unsharded(state.options), project, host) : given,
  }
}

/** What a shard has left is not to be shared out again. */
const unsharded = ({ shard: _, timings: __, ...rest }: RunState['options']): RunState['options'] => rest

const casesWith = ({ suites }: RunResult, statuses: readonly RerunStatus[]): ReadonlySet<string> => {
  const wanted: ReadonlySet<string> = new Set(statuses)
  return new Set(
    suites.flatMap(({ name, cases }) =>
      cases.filter(({ status }) => wanted.has(status)).map(({ id, model }) => keyOf(name, id, model)),
    ),
  )
}

/** What is left of a plan: a new run of these cases, with all of their trials. */
export const rerunPlan = (plan: RunPlan, cases: ReadonlySet<string>): RunPlan =>
  narrowPlan(plan, ({ suite, evalCase, model }) => cases.has(keyOf(suite.name, evalCase.id, model)))

const keyOf = (suite: string, id: string, model: string): string => JSON.stringify([suite, id, model])
