import { SkillsEvalError, ToolServerError } from '../core/errors.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { TrialRow } from '../core/results.ts'
import { actionsOf, selectedSkills } from '../core/trajectory.ts'
import type { Grade } from '../grading/grade.ts'
import { usageSum } from '../metrics/usage.ts'

export type Identity = Pick<TrialRow, 'suite' | 'case' | 'model' | 'n' | 'xfail' | 'rows_of'>

/** What a trial used up, as far as it is known when it crashes. */
export type Spent = 'nothing' | 'unknown' | Pick<AgentOutcome, 'usage' | 'costUsd' | 'latencyMs'>

/** What came of the agent's work, in the words of run.json. */
export const observed = (outcome: AgentOutcome) => ({
  output: outcome.answer?.text ?? null,
  skills_selected: selectedSkills(outcome.trajectory),
  plan: outcome.plan,
  actions: actionsOf(outcome.trajectory).map(({ skills: _, ...action }) => action),
  usage: outcome.usage,
  cost_usd: outcome.costUsd,
  latency_ms: outcome.latencyMs,
})

export const finishedRow = (identity: Identity, outcome: AgentOutcome, graded: Grade, durationMs: number): TrialRow => {
  const { output, skills_selected, plan, actions, usage, cost_usd, latency_ms } = observed(outcome)
  return {
    ...identity,
    status: graded.status,
    ...(graded.reason === undefined ? {} : { reason: graded.reason }),
    ...(graded.error === undefined ? {} : { error: graded.error }),
    score: graded.score,
    output,
    skills_selected,
    plan,
    actions,
    checks: [...graded.checks],
    usage,
    cost_usd,
    duration_ms: durationMs,
    latency_ms,
  }
}

/** A fault of ours, of a server of tools that did not start, or of a file that changed under the run: the case could not be judged, the others go on. */
export const crashedRow = (identity: Identity, problem: unknown, spent: Spent, durationMs: number): TrialRow => {
  const message = problem instanceof Error ? problem.message : String(problem)
  const code = problem instanceof ToolServerError ? 'tool_server_error' : 'internal'
  const isBug = problem instanceof Error && !(problem instanceof SkillsEvalError)
  return {
    ...identity,
    status: 'error',
    reason: `${code}: ${message.split('\n', 1)[0] ?? ''}`,
    // A bug keeps its stack: there is no other trace of it.
    error: { code, message: isBug ? (problem.stack ?? message) : message },
    score: null,
    output: null,
    skills_selected: [],
    plan: null,
    actions: [],
    checks: [],
    ...numbersOf(spent),
    duration_ms: durationMs,
  }
}

/** The row of the attempt that counts; what it and those before it used up is paid for together. */
export const withAttempts = (row: TrialRow, failures: readonly TrialRow[]): TrialRow => {
  if (failures.length === 0) return row
  const all = [...failures, row]
  const spent = usageSum()
  for (const one of all) spent.add(one)
  const sum = (key: 'duration_ms' | 'latency_ms') => all.reduce((ms, one) => ms + one[key], 0)
  return {
    ...row,
    attempts: all.length,
    ...spent.result(),
    ...judgeOf(all),
    duration_ms: sum('duration_ms'),
    latency_ms: sum('latency_ms'),
  }
}

/** What judging all attempts used up. */
const judgeOf = (all: readonly TrialRow[]): Pick<TrialRow, 'judge'> => {
  const judged = all.flatMap(({ judge }) => judge ?? [])
  const last = judged.at(-1)
  if (last === undefined) return {}
  const spent = usageSum()
  for (const one of judged) spent.add(one)
  return { judge: { ...last, ...spent.result(), models: [...new Set(judged.flatMap(({ models }) => models))] } }
}

const numbersOf = (spent: Spent): Pick<TrialRow, 'usage' | 'cost_usd' | 'latency_ms'> => {
  if (spent === 'nothing') return { usage: allCounts(0), cost_usd: 0, latency_ms: 0 }
  if (spent === 'unknown') return { usage: allCounts(null), cost_usd: null, latency_ms: 0 }
  return { usage: spent.usage, cost_usd: spent.costUsd, latency_ms: spent.latencyMs }
}

const allCounts = (count: number | null): TrialRow['usage'] => ({
  input_tokens: count,
  output_tokens: count,
  cached_input_tokens: count,
  reasoning_tokens: count,
})
