import type { ThresholdResult } from '../core/results.ts'
import { formatCost, formatNumber, formatShare, UNKNOWN } from './format-number.ts'

export type OwnedThreshold = {
  /** The suite that sets it; null: the run as a whole. */
  readonly suite: string | null
  readonly threshold: ThresholdResult
}

type Gated = {
  readonly summary: { readonly thresholds: readonly ThresholdResult[] }
  readonly suites: readonly {
    readonly name: string
    readonly summary: { readonly thresholds: readonly ThresholdResult[] }
  }[]
}

/** All thresholds of a run: its own, then those of each suite. One that the run repeats from a suite is told once. */
export const allThresholds = ({ summary, suites }: Gated): readonly OwnedThreshold[] => {
  const ofSuites = suites.flatMap((suite) =>
    suite.summary.thresholds.map((threshold) => ({ suite: suite.name, threshold })),
  )
  const repeated = new Set(
    ofSuites.flatMap(({ suite, threshold }) => [
      identity(threshold.name, threshold),
      identity(`${suite}/${threshold.name}`, threshold),
    ]),
  )
  const own = summary.thresholds.filter((threshold) => !repeated.has(identity(threshold.name, threshold)))
  return [...own.map((threshold) => ({ suite: null, threshold })), ...ofSuites]
}

const identity = (name: string, { limit, actual, passed }: ThresholdResult): string =>
  JSON.stringify([name, limit, actual, passed])

export const missedThresholds = (run: Gated): readonly OwnedThreshold[] =>
  allThresholds(run).filter(({ threshold }) => !threshold.passed)

/** `at least 90%`, `at most $0.5000`; only the limit where the name doesn't say which way it goes. */
export const limitText = ({ name, limit }: ThresholdResult): string => {
  const value = shown(name, limit)
  if (name === 'pass_rate' || name.startsWith('trigger.')) return `at least ${value}`
  return ['cost_usd', 'tokens', 'p95_seconds', 'max_unusable'].includes(name) ? `at most ${value}` : value
}

/** What it was in fact; `–` for a number that is not known, which meets no limit. */
export const actualText = ({ name, limit, actual, passed }: ThresholdResult): string => {
  const text = shown(name, actual)
  // Missed by less than the rounding.
  return !passed && actual !== null && text === shown(name, limit) ? String(actual) : text
}

const shown = (name: string, value: number | null): string => {
  if (value === null) return UNKNOWN
  if (name === 'cost_usd') return formatCost(value)
  if (name === 'tokens') return formatNumber(value)
  return name === 'p95_seconds' ? `${value.toFixed(1)} s` : formatShare(value)
}
