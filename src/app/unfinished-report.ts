import { join } from 'node:path'
import { type RowPlace, type StoredRows, storedRows } from '../adapters/store/stored-rows.ts'
import type { EvalCase, PlannedCase, PlannedSuite } from '../core/plan.ts'
import type { CaseResult, RunHead, TrialRow } from '../core/results.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { caseResult } from '../runner/case-result.ts'
import { runTotals } from '../runner/run-totals.ts'
import type { CaseFacts } from '../schema/case-facts.ts'
import type { RunState } from '../schema/run-state.ts'
import type { Host } from './host.ts'
import { rowsFile, stateFile } from './run-folders.ts'
import { readRunState } from './run-session.ts'
import type { StoredReport } from './stored-report.ts'
import { rowSchema } from './stored-trials.ts'
import type { ToldCase } from './write-reports.ts'

/**
 * What there is of a run that goes on, or was killed: the cases of which a trial has ended, each by what its row says of
 * it. In memory is only where each row lies. Its files are left as they are. Thresholds and trigger metrics need the
 * suites, and are told at the end alone. Throws a UsageError or a FileError where it can't be read.
 */
export const unfinishedReport = async (folder: string, host: Host): Promise<StoredReport> => {
  const state = await readRunState(join(folder, stateFile), host)
  const rows = storedRows(join(folder, rowsFile))
  const found = foundCases(rows, state)
  const suites = [...found].map(([suite]) => suite)
  const totals = runTotals(suites, state.options.seed ?? 1, false)
  for (const { planned, trials, result } of resultsOf(rows, found)) {
    for (const row of trials) totals.addTrial(planned, { row, trigger: undefined })
    totals.addCase(planned, result)
  }
  const head: RunHead = {
    format: 'skills-eval/run@1',
    id: state.id,
    started_at: state.started_at,
    duration_ms: Math.max(state.duration_ms, Math.round(rows.writtenAt - Date.parse(state.started_at))),
    tool: { name: 'skills-eval', version: host.version },
    command: state.command,
    ...(state.folder === undefined ? {} : { folder: state.folder }),
    git: null,
    seed: state.options.seed ?? 1,
    interrupted: 'unfinished',
    summary: totals.summary(),
    suites: totals.suites(),
  }
  function* cases(): Generator<ToldCase> {
    for (const { planned, result } of resultsOf(rows, found)) yield { suite: planned.suite.name, result }
  }
  return { head, cases, close: rows.close, ...(state.counts ? { planned: state.counts.cases } : {}) }
}

/** By suite, model and case: where the trials lie, by their number. */
type FoundCases = ReadonlyMap<PlannedSuite, ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<number, RowPlace>>>>

const foundCases = (rows: StoredRows, state: RunState): FoundCases => {
  const known = state.suites ?? []
  const suites = new Map<string, Map<string, Map<string, Map<number, RowPlace>>>>(
    known.map(({ name, models }) => [name, new Map(models.map((model) => [model, new Map()]))]),
  )
  rows.each((row, place) => {
    const checked = checkedBy(rowSchema, row)
    if (!checked.ok) return
    const { suite, model, case: id, n } = checked.data
    // What was run anew comes later, and counts.
    child(child(child(suites, suite), model), id).set(n, place)
  })
  return new Map(
    [...suites].map(([name, models]) => {
      const told = known.find((suite) => suite.name === name)
      return [
        {
          name,
          path: told?.path ?? state.options.paths[0] ?? '',
          dir: '',
          models: [...models.keys()],
          ...(told?.description === undefined ? {} : { description: told.description }),
        },
        models,
      ]
    }),
  )
}

const child = <K, V, L>(map: Map<K, Map<V, L>>, key: K): Map<V, L> => {
  const there = map.get(key) ?? new Map<V, L>()
  map.set(key, there)
  return there
}

type FoundResult = {
  readonly planned: PlannedCase
  readonly trials: readonly TrialRow[]
  readonly result: CaseResult
}

function* resultsOf(rows: StoredRows, found: FoundCases): Generator<FoundResult> {
  for (const [suite, models] of found) {
    for (const [model, cases] of models) {
      for (const [id, places] of cases) {
        const trials = [...places.values()].flatMap((place) => {
          const checked = checkedBy(rowSchema, rows.read(place))
          return checked.ok ? [checked.data] : []
        })
        const planned = plannedCase(suite, model, id, trials)
        const all = Array.from({ length: planned.trials }, (_, i) => trials.find(({ n }) => n === i + 1))
        yield { planned, trials, result: caseResult(planned, all, (value) => value) }
      }
    }
  }
}

/** The case as the row of its first trial tells of it. */
const plannedCase = (suite: PlannedSuite, model: string, id: string, trials: readonly TrialRow[]): PlannedCase => {
  const told = trials.find(({ planned }) => planned)?.planned
  const {
    trials: count,
    adaptive,
    ...facts
  }: CaseFacts = told ?? {
    ...unknown,
    trials: Math.max(1, ...trials.map(({ n }) => n)),
  }
  const evalCase: EvalCase = { ...facts, id, trials: count, triggerOnly: false }
  return { suite, evalCase, model, trials: count, at: 0, ...(adaptive === undefined ? {} : { adaptive }) }
}

const unknown = { line: 1, input: [], tags: [], pass_threshold: 1 }
