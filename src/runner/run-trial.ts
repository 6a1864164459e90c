import type { Limits } from '../agent/budget.ts'
import { runAgent } from '../agent/run-agent.ts'
import type { ActionType } from '../core/actions.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { EvalCase, PlannedCase } from '../core/plan.ts'
import type { ModelAdapter, ProvidedTool, Tool } from '../core/ports.ts'
import type { TrialRow } from '../core/results.ts'
import { actionsOf, selectedSkills } from '../core/trajectory.ts'
import { type Grade, grade } from '../grading/grade.ts'
import { callToolTool } from '../tools/call-tool.ts'
import { testDouble } from '../tools/test-double.ts'
import type { RunDeps, SuiteSkills, TrialWorld } from './run-deps.ts'

export type FinishedTrial = { readonly row: TrialRow; readonly trigger: Grade['trigger'] }

/**
 * One attempt at a case: workspace → skills → model → agent → grade. Whatever goes wrong inside is the trial's result;
 * it rejects only when the run was aborted.
 */
export const runTrial = async (planned: PlannedCase, n: number, deps: RunDeps): Promise<FinishedTrial> => {
  const started = deps.clock.monotonic()
  const elapsed = () => Math.round((deps.clock.monotonic() - started) * 1000) / 1000
  let world: TrialWorld | undefined
  let model: ModelAdapter | undefined
  let ok = false
  try {
    world = deps.openWorld(planned, n)
    model = deps.openModel(planned, n)
    const skills = deps.skillsOf(planned.suite)
    const outcome = await runAgent(
      { inputs: planned.evalCase.input, firstDecisionOnly: planned.evalCase.triggerOnly },
      agentDeps(planned.evalCase, skills, model, world, deps),
    )
    ok = outcome.stop.kind !== 'error'
    const graded = await grade(
      { evalCase: planned.evalCase, outcome, universe: skills.universe, workspace: world.workspace },
      world.grading({ ...identity(planned, n), ...observed(outcome) }),
    )
    return { row: finished(planned, n, outcome, graded, elapsed()), trigger: graded.trigger }
  } catch (error) {
    if (deps.signal.aborted) throw error
    return { row: crashed(planned, n, error, elapsed()), trigger: undefined }
  } finally {
    await model?.close(ok)
    await world?.dispose()
  }
}

const agentDeps = (
  evalCase: EvalCase,
  skills: SuiteSkills,
  model: ModelAdapter,
  world: TrialWorld,
  deps: RunDeps,
): Parameters<typeof runAgent>[1] => {
  const provided = Object.entries(evalCase.tools ?? {}).map(([name, double]) => testDouble(name, double))
  const { forbidden_tools: forbiddenTools = [], forbidden_skills: _, ...hard } = evalCase.constraints ?? {}
  return {
    model,
    skills: skills.source,
    renderedIndex: skills.renderedIndex,
    tools: withProvided(world.tools, provided),
    provided,
    authorizer: deps.authorizerOf(evalCase),
    workspace: world.workspace,
    clock: deps.clock,
    hardLimits: hard as Limits,
    softLimits: deps.limits,
    forbiddenTools,
    maxRepairs: deps.maxRepairs,
    maxBodiesPerTurn: deps.maxBodiesPerTurn,
    signal: deps.signal,
  }
}

const withProvided = (
  tools: ReadonlyMap<ActionType, Tool>,
  provided: readonly ProvidedTool[],
): ReadonlyMap<ActionType, Tool> => new Map([...tools, ['call_tool', callToolTool(provided)]])

const identity = (planned: PlannedCase, n: number) => ({
  suite: planned.suite.name,
  case: planned.evalCase.id,
  model: planned.model,
  n,
})

const observed = (outcome: AgentOutcome) => ({
  output: outcome.answer?.text ?? null,
  skills_selected: selectedSkills(outcome.trajectory),
  plan: outcome.plan,
  actions: actionsOf(outcome.trajectory).map(({ skills: _, ...action }) => action),
  usage: outcome.usage,
  cost_usd: outcome.costUsd,
  latency_ms: outcome.latencyMs,
})

const finished = (planned: PlannedCase, n: number, outcome: AgentOutcome, graded: Grade, durationMs: number): TrialRow => {
  const { output, skills_selected, plan, actions, usage, cost_usd, latency_ms } = observed(outcome)
  return {
    ...identity(planned, n),
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

/** A fault of ours, or of a file that changed under the run: the case could not be judged, the others go on. */
const crashed = (planned: PlannedCase, n: number, error: unknown, durationMs: number): TrialRow => {
  const message = error instanceof Error ? error.message : String(error)
  const none = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 }
  return {
    ...identity(planned, n),
    status: 'error',
    reason: `internal: ${message}`,
    error: { code: 'internal', message },
    score: null,
    output: null,
    skills_selected: [],
    plan: null,
    actions: [],
    checks: [],
    usage: none,
    cost_usd: 0,
    duration_ms: durationMs,
    latency_ms: 0,
  }
}
