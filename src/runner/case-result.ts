import { type PlannedCase, reasonOf } from '../core/plan.ts'
import type { CaseResult, Status, TrialRow } from '../core/results.ts'
import { rubricHash } from '../grading/rubric-hash.ts'
import { caseRate } from '../metrics/case-rate.ts'
import { passAtK, passCurve, passPowK, reportedKs, reportedKsUpTo } from '../metrics/pass-at-k.ts'
import { sequentialInterval } from '../metrics/sequential-test.ts'
import { countedRows } from './adaptive-case.ts'
import type { RunDeps } from './run-deps.ts'

/**
 * A case's verdict out of its trials; `all` holds one entry for each planned trial, undefined where it did not finish.
 * What the author says of the case is redacted here, as the rows were before they were kept.
 */
export const caseResult = (
  planned: PlannedCase,
  all: readonly (TrialRow | undefined)[],
  redact: RunDeps['redact'],
): CaseResult => {
  const rows = countedRows(planned, all)
  const done = rows.filter((row) => row !== undefined)
  const passed = done.filter((row) => row.status === 'passed').length
  const failed = done.filter((row) => row.status === 'failed').length
  const unusable = done.length - passed - failed
  const rate = caseRate({ passed, failed, unusable, threshold: planned.evalCase.pass_threshold })
  const n = passed + failed
  // Trials that ended because of how they came out are no sample of a fixed size, which Wilson's interval is for.
  const interval = planned.adaptive ? sequentialInterval(passed, failed) : rate.interval
  const ks = planned.adaptive ? reportedKsUpTo(n, planned.trials) : reportedKs(n)
  const rubric = rubricHash(planned.evalCase)
  const { id, description, input, tags, line, golden } = planned.evalCase
  return {
    id,
    ...(description === undefined ? {} : { description: redact(description) }),
    input: redact([...input]),
    tags: redact([...tags]),
    model: planned.model,
    line,
    ...(golden === true ? { golden } : {}),
    ...redact(verdict(planned, rows, done, rate.status)),
    pass_rate: rate.pass_rate,
    pass_at_k: passCurve(n, passed, ks, passAtK),
    pass_pow_k: passCurve(n, passed, ks, passPowK),
    ...(planned.adaptive && n > 0 && n < planned.trials ? { pass_k_reason: beyond(n, planned.trials) } : {}),
    interval: interval === null ? null : [interval[0], interval[1]],
    flaky: rate.flaky,
    ...(planned.place === undefined
      ? {}
      : { part: { place: planned.place, xfail: reasonOf(planned.evalCase.xfail) !== undefined } }),
    ...(planned.adaptive && planned.trials > 0 ? { trials_planned: planned.trials } : {}),
    ...(reasonOf(planned.evalCase.xfail) === undefined ? {} : { xfail: true }),
    ...(rubric === undefined ? {} : { rubric_hash: rubric }),
    ...(planned.evalCase.rowsOf === undefined ? {} : { rows_of: redact(planned.evalCase.rowsOf) }),
    trials: done.map(trialOf),
  }
}

const trialOf = (row: TrialRow): CaseResult['trials'][number] => {
  const {
    suite: _suite,
    case: _case,
    model: _model,
    inputs: _inputs,
    xfail: _xfail,
    rows_of: _rows,
    planned: _planned,
    ...trial
  } = row
  return trial
}

const beyond = (n: number, max: number): string =>
  `not known for k > ${n}: ${n} of up to ${max} trials ran and could be judged`

type Verdict = { readonly status: Status; readonly reason?: string }

const verdict = (
  planned: PlannedCase,
  rows: readonly (TrialRow | undefined)[],
  done: readonly TrialRow[],
  rate: 'passed' | 'failed' | 'undecided',
): Verdict => {
  const skip = reasonOf(planned.evalCase.skip)
  if (skip !== undefined) return { status: 'skipped', reason: skip }
  if (done.length < rows.length) {
    return { status: 'skipped', reason: `not run: the run stopped after ${done.length} of ${rows.length} trials` }
  }
  if (rate === 'undecided') return undecided(done)
  const xfail = reasonOf(planned.evalCase.xfail)
  if (xfail !== undefined) {
    return rate === 'failed'
      ? { status: 'passed', reason: `failed as expected (xfail: ${xfail})` }
      : { status: 'failed', reason: `passed, but is marked xfail (${xfail}): remove the mark` }
  }
  if (rate === 'passed') return { status: 'passed' }
  const reason = done.find((row) => row.status === 'failed')?.reason ?? 'a check did not hold'
  if (done.length === 1) return { status: 'failed', reason }
  const passes = done.filter((row) => row.status === 'passed').length
  const early = done.length < planned.trials ? `, which ${done.length} of up to ${planned.trials} decided` : ''
  return {
    status: 'failed',
    reason: `${passes} of ${done.length} trials passed, ${shareOf(planned)} must${early}; the first failure: ${reason}`,
  }
}

const shareOf = ({ evalCase }: PlannedCase): string => {
  const percent = Number((evalCase.pass_threshold * 100).toFixed(2))
  return percent === 100 ? 'all' : `${percent} %`
}

/** Too many trials could not be judged to say. An error weighs more than a stale recording: it may hide one. */
const undecided = (done: readonly TrialRow[]): Verdict => {
  const cause = done.find((row) => row.status === 'error') ?? done.find((row) => row.status === 'stale')
  const status = cause?.status === 'stale' ? 'stale' : 'error'
  return { status, reason: cause?.reason ?? 'no trial could be judged' }
}
