import type { CaseResult, ErrorCode, Status } from '../../core/results.ts'
import { allTokens } from '../../core/usage.ts'
import { shortReason, tellingTrial } from '../explain-case.ts'
import { foreignLine } from '../foreign-text.ts'

/** What the list and the overview of the HTML report know of a case without its details. */
export type CaseRow = {
  /** Place of its suite in the run's head. */
  readonly suite: number
  readonly id: string
  readonly model: string
  readonly status: Status
  readonly reason: string
  readonly error?: ErrorCode
  readonly tags: readonly string[]
  /** Selected in any of its trials. */
  readonly skills: readonly string[]
  readonly golden?: true
  readonly flaky?: true
  /** Replayed from recordings of other requests, by turn order. */
  readonly positional?: true
  readonly trials: number
  readonly passed: number
  readonly usable: number
  /** Of all its trials together; null where one is not known, or there is none. */
  readonly tokens: number | null
  readonly cost: number | null
  /** On average, in milliseconds. */
  readonly latency: number | null
  /** Of a run with a baseline: what the case has gained over it; null where that can't be known. */
  readonly lift?: number | null
}

const MAX_REASON = 300

export const caseRow = (suite: number, result: CaseResult): CaseRow => {
  const { id, model, status, tags, golden, flaky, trials, baseline } = result
  const count = (wanted: Status) => trials.filter((trial) => trial.status === wanted).length
  const passed = count('passed')
  const latency = total(trials.map(({ latency_ms }) => latency_ms))
  const error = tellingTrial(result)?.error?.code
  return {
    suite,
    id,
    model,
    status,
    reason: staleReason(result) ?? shortReason(result, MAX_REASON),
    ...(error === undefined ? {} : { error }),
    tags,
    skills: [...new Set(trials.flatMap(({ skills_selected }) => skills_selected))],
    ...(golden ? { golden } : {}),
    ...(flaky ? { flaky } : {}),
    ...(trials.some(({ cassette }) => cassette?.mode === 'positional') ? { positional: true } : {}),
    trials: trials.length,
    passed,
    usable: passed + count('failed'),
    tokens: total(trials.map(({ usage }) => allTokens(usage))),
    cost: total(trials.map(({ cost_usd }) => cost_usd)),
    latency: latency === null ? null : latency / trials.length,
    ...(baseline === undefined ? {} : { lift: baseline.lift }),
  }
}

/** That there is no recording of its request says less than what has changed in it. */
const staleReason = (result: CaseResult): string | undefined => {
  const parts = result.status === 'stale' ? (tellingTrial(result)?.cassette?.stale_parts ?? []) : []
  return parts.length === 0 ? undefined : foreignLine(`differs from its recording: ${parts.join(', ')}`, MAX_REASON)
}

const total = (values: readonly (number | null)[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, n) => (sum === null || n === null ? null : sum + n), 0)
