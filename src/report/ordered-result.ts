import type { CaseResult, RunHead, SuiteHead, TrialResult } from '../core/results.ts'

type HeadKey = Exclude<keyof RunHead, 'suites'>

export const headKeys = [
  'format',
  'id',
  'started_at',
  'duration_ms',
  'tool',
  'command',
  'folder',
  'git',
  'seed',
  'interrupted',
  'shard',
  'missing_shards',
  'merged_from',
  'arm',
  'baseline',
  'summary',
  'interference',
  'audit',
] as const satisfies readonly HeadKey[]

export const suiteKeys = [
  'name',
  'path',
  'description',
  'distractors',
  'summary',
  'model_triggers',
] as const satisfies readonly (keyof SuiteHead)[]

export const caseKeys = [
  'id',
  'description',
  'input',
  'tags',
  'model',
  'line',
  'golden',
  'status',
  'reason',
  'pass_rate',
  'pass_at_k',
  'pass_pow_k',
  'pass_k_reason',
  'interval',
  'flaky',
  'part',
  'trials_planned',
  'xfail',
  'rubric_hash',
  'rows_of',
  'baseline',
  'trials',
] as const satisfies readonly (keyof CaseResult)[]

export const trialKeys = [
  'n',
  'attempts',
  'status',
  'reason',
  'error',
  'score',
  'output',
  'skills_selected',
  'plan',
  'actions',
  'checks',
  'usage',
  'cost_usd',
  'judge',
  'duration_ms',
  'latency_ms',
  'cassette',
] as const satisfies readonly (keyof TrialResult)[]

/** The value's own `keys` that are set, in their order: however it was put together, it is written the same way. */
export const inOrder = <T extends object, K extends keyof T>(value: T, keys: readonly K[]): Partial<Pick<T, K>> => {
  const ordered: Partial<Pick<T, K>> = {}
  for (const key of keys) if (value[key] !== undefined) ordered[key] = value[key]
  return ordered
}

export const orderedTrial = (trial: TrialResult) => inOrder(trial, trialKeys)

export const orderedCase = (result: CaseResult) => ({
  ...inOrder(result, caseKeys),
  trials: result.trials.map(orderedTrial),
})
