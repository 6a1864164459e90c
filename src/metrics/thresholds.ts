import type { ThresholdResult } from '../core/results.ts'
import type { Usage } from '../core/trajectory.ts'
import { allTokens } from '../core/usage.ts'
import type { Thresholds } from '../schema/suite.ts'
import { isAtLeast, isAtMost } from './tolerance.ts'

/** The numbers that a suite's thresholds look at: a summary, and beside it how many of its trials had no verdict. */
export type Gated = {
  readonly pass_rate: number | null
  readonly trigger: { readonly precision: number | null; readonly recall: number | null; readonly f1: number | null }
  readonly usage: Usage
  readonly cost_usd: number | null
  readonly latency_ms: { readonly p95: number | null }
  readonly trials: number
  readonly unusable: number
}

/**
 * Holds a summary to a suite's `thresholds`, one result for each that is set, always in the same order: `pass_rate`
 * and `trigger.*` are least values, `cost_usd`, `tokens` (input and output, the judge's apart), `p95_seconds` and
 * `max_unusable` (share of trials without a verdict) are greatest ones. A number that is not known meets no limit.
 */
export const checkThresholds = (limits: Thresholds, summary: Gated): ThresholdResult[] => {
  const { trigger, usage, latency_ms, trials, unusable } = summary
  const p95 = latency_ms.p95
  return [
    atLeast('pass_rate', limits.pass_rate, summary.pass_rate),
    atLeast('trigger.precision', limits.trigger?.precision, trigger.precision),
    atLeast('trigger.recall', limits.trigger?.recall, trigger.recall),
    atLeast('trigger.f1', limits.trigger?.f1, trigger.f1),
    atMost('cost_usd', limits.cost_usd, summary.cost_usd),
    atMost('tokens', limits.tokens, allTokens(usage)),
    atMost('p95_seconds', limits.p95_seconds, p95 === null ? null : p95 / 1000),
    atMost('max_unusable', shareOf(limits.max_unusable), trials === 0 ? null : unusable / trials),
  ].flat()
}

type Compare = (actual: number, limit: number) => boolean

const check =
  (holds: Compare) =>
  (name: string, limit: number | undefined, actual: number | null): readonly ThresholdResult[] =>
    limit === undefined ? [] : [{ name, limit, actual, passed: actual !== null && holds(actual, limit) }]

const atLeast = check(isAtLeast)
const atMost = check(isAtMost)

const shareOf = (limit: number | string | undefined): number | undefined =>
  typeof limit === 'string' ? Number.parseFloat(limit) / 100 : limit
