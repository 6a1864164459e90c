import type { RunHead, SuiteHead } from '../core/results.ts'
import type { Host } from './host.ts'
import { modelSummaries } from './model-summaries.ts'
import { type CheckedPiece, checkedPieces, isOwnLayout } from './stored-pieces.ts'
import { readHeadAt, readRun, refusedRun } from './stored-runs.ts'
import type { ToldCase } from './write-reports.ts'

/** A run as reports are told of it; its cases are read as they are asked for, as often as they are. */
export type StoredReport = {
  readonly head: RunHead
  /** The cases of the whole plan, of a run that has not ended. */
  readonly planned?: number
  cases(): Iterable<ToldCase>
  /** Those of the other arm, of a run with a baseline. */
  otherArm?(): Iterable<ToldCase>
  close(): void
}

/**
 * A finished run out of its run.json, which is read twice, a case at a time: reports begin with numbers of each model, and
 * run.json has them only case by case. Throws a UsageError where it is no run.
 */
export const storedReport = (path: string, host: Host): StoredReport => {
  const pieces = isOwnLayout(path, host.files) ? () => checkedPieces(path, host.files) : wholePieces(path, host)
  const found = readHeadAt(path, path, host)
  if ('problem' in found) throw refusedRun(path, found.problem)
  const { seed } = found.head
  const suites: { about: Omit<SuiteHead, 'models'>; models: ReturnType<typeof modelSummaries> }[] = []
  for (const { suite, result } of pieces()) {
    if (suite) suites.push({ about: suite, models: modelSummaries(seed) })
    else suites.at(-1)?.models.add(result)
  }
  function* cases(): Generator<ToldCase> {
    let name = ''
    for (const { suite, result } of pieces()) {
      if (suite) name = suite.name
      else yield { suite: name, result }
    }
  }
  const heads = suites.map(({ about, models }): SuiteHead => ({ ...about, models: models.result(about.summary) }))
  return { head: { ...found.head, suites: heads }, cases, close: () => undefined }
}

/** One that is laid out otherwise is held whole. */
const wholePieces = (path: string, host: Pick<Host, 'files'>): (() => Iterable<CheckedPiece>) => {
  const run = readRun(path, host)
  return function* () {
    for (const { cases, ...suite } of run.suites) {
      yield { suite }
      for (const result of cases) yield { result }
    }
  }
}
