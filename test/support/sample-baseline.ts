import type { Baseline, CaseBaseline } from '../../src/core/results.ts'
import type { Lift } from '../../src/schema/paired.ts'
import { sampleSummary } from './sample-run.ts'

export const sampleLift = (lift: Partial<Lift> = {}): Lift => ({
  cases: 10,
  trials: 10,
  base: 0.4,
  head: 0.9,
  difference: 0.5,
  interval: [0.2, 0.8],
  p: 0.004,
  detectable: 0.35,
  verdict: 'better',
  ...lift,
})

export const sampleCaseBaseline = (baseline: Partial<CaseBaseline> = {}): CaseBaseline => ({
  status: 'failed',
  pass_rate: 0,
  head_pass_rate: 1,
  lift: 1,
  verdict: 'inconclusive',
  pairs: 1,
  p: null,
  not_compared: [],
  hold_in_both: [],
  ...baseline,
})

export const sampleBaseline = (baseline: Partial<Baseline> = {}): Baseline => ({
  arm: { kind: 'without_skills' },
  reused: false,
  run: { id: 'r', started_at: '2026-01-02T03:04:05.000Z' },
  digest: null,
  results: 'baseline/run.json',
  left_out: { skipped: 0, xfail: 0, with_skills: 0, no_checks: 0, no_input: 0, same_skills: 0 },
  lift: sampleLift(),
  numbers: null,
  skills: [],
  no_signal: { checks: 0, named: [] },
  summary: sampleSummary([]),
  ...baseline,
})
