import type { Limits } from '../agent/budget.ts'
import { runAgent } from '../agent/run-agent.ts'
import type { ActionType } from '../core/actions.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import { type EvalCase, type PlannedCase, reasonOf } from '../core/plan.ts'
import type { ModelAdapter, ProvidedTool, SkillSource, Tool } from '../core/ports.ts'
import type { TrialRow } from '../core/results.ts'
import { triggerObservation } from '../grading/check-skills.ts'
import { type Grade, grade } from '../grading/grade.ts'
import { availableSkills } from '../skills/available-skills.ts'
import { controlledSkills } from '../skills/controlled-skills.ts'
import { callToolTool } from '../tools/call-tool.ts'
import { testDouble } from '../tools/test-double.ts'
import { caseFacts } from './case-facts.ts'
import type { RunDeps, SuiteSkills, TrialWorld } from './run-deps.ts'
import { type TrialJudge, trialJudge } from './trial-judge.ts'
import { crashedRow, finishedRow, type Identity, observed, type Spent, withAttempts } from './trial-row.ts'
import { workspaceNotes } from './workspace-notes.ts'

export type FinishedTrial = { readonly row: TrialRow; readonly trigger: Grade['trigger'] }

/** One trial of a case, tried again as often as `mayRetry` says. It rejects only when the run was aborted. */
export const runTrial = async (planned: PlannedCase, n: number, deps: RunDeps): Promise<FinishedTrial> => {
  const failures: TrialRow[] = []
  for (let attempt = 1; ; attempt += 1) {
    const { row, trigger } = await tryOnce(planned, n, attempt, deps)
    if (!deps.mayRetry(planned, row, attempt)) {
      const whole = deps.redact(withAttempts(row, failures))
      // The inputs come last: what tells results apart must not change with what is redacted.
      if (!deps.inputsOf) return { row: whole, trigger }
      const facts = n === 1 ? { planned: deps.redact(caseFacts(planned)) } : {}
      return { row: { ...whole, ...facts, inputs: deps.inputsOf(planned) }, trigger }
    }
    deps.signal.throwIfAborted()
    // A stale recording is no failure of the model: it is recorded at once.
    if (row.status !== 'error') continue
    failures.push(row)
    const waitMs = deps.backOffMs?.(failures.length) ?? 0
    if (waitMs > 0) await deps.clock.sleep(waitMs, deps.signal)
  }
}

/** A trial that was finished before, as the running sums take it. */
export const keptTrial = (planned: PlannedCase, row: TrialRow, deps: RunDeps): FinishedTrial => {
  const isUsable = row.status === 'passed' || row.status === 'failed'
  const trigger = isUsable
    ? triggerObservation(planned.evalCase.expected?.skills, row.skills_selected, deps.skillsOf(planned.suite))
    : undefined
  return { row, trigger }
}

/** One attempt: workspace → skills → model → agent → grade. Whatever goes wrong inside is the trial's result. */
const tryOnce = async (planned: PlannedCase, n: number, number: number, deps: RunDeps): Promise<FinishedTrial> => {
  const started = deps.clock.monotonic()
  const elapsed = () => Math.round((deps.clock.monotonic() - started) * 1000) / 1000
  const identity = identityOf(planned, n)
  const opened: Opened = { isInOrder: false, isJudged: false, spent: 'nothing' }
  const problems: unknown[] = []
  let attempted: Attempted | undefined
  try {
    attempted = await attempt(planned, n, number, opened, deps)
  } catch (error) {
    problems.push(error)
  }
  problems.push(...(await close(opened)))
  if (attempted && problems.length === 0) {
    const { outcome, graded } = attempted
    return {
      row: { ...finishedRow(identity, outcome, graded, elapsed()), ...recorded(opened) },
      trigger: graded.trigger,
    }
  }
  deps.signal.throwIfAborted()
  const row = crashedRow(identity, problems[0], opened.spent, elapsed())
  return { row: { ...row, ...recorded(opened) }, trigger: undefined }
}

const identityOf = ({ suite, evalCase, model }: PlannedCase, n: number): Identity => ({
  suite: suite.name,
  case: evalCase.id,
  model,
  n,
  ...(reasonOf(evalCase.xfail) === undefined ? {} : { xfail: true }),
  ...(evalCase.rowsOf === undefined ? {} : { rows_of: evalCase.rowsOf }),
})

/** What a trial has opened so far, and what is known of its cost. */
type Opened = {
  world?: TrialWorld
  model?: ModelAdapter
  judge?: TrialJudge
  isInOrder: boolean
  isJudged: boolean
  spent: Spent
}
type Attempted = { readonly outcome: AgentOutcome; readonly graded: Grade }

const recorded = ({ model, judge }: Opened): Pick<TrialRow, 'cassette' | 'judge'> => {
  const spent = judge?.spent()
  return {
    ...(spent === undefined ? {} : { judge: spent }),
    ...(model?.recording === undefined ? {} : { cassette: model.recording.use() }),
  }
}

const attempt = async (
  planned: PlannedCase,
  n: number,
  number: number,
  opened: Opened,
  deps: RunDeps,
): Promise<Attempted> => {
  const { evalCase, suite } = planned
  const world = deps.openWorld(planned, n)
  opened.world = world
  const model = deps.openModel(planned, n, { n: number, world })
  opened.model = model
  const skills = deps.skillsOf(suite)
  const outside = await toolsOfServers(world, model)
  opened.spent = 'unknown'
  const outcome = await runAgent(
    { inputs: evalCase.input, firstDecisionOnly: evalCase.triggerOnly },
    agentDeps(evalCase, outside, skills, model, world, deps),
  )
  opened.spent = outcome
  opened.isInOrder = outcome.stop.kind !== 'error' && outcome.stop.kind !== 'stale'
  // What came to no answer is not judged.
  const judge = opened.isInOrder ? trialJudge(planned, model, deps) : undefined
  if (judge) opened.judge = judge
  const graded = await grade(
    { evalCase, outcome, universe: skills.universe, distractors: skills.distractors, workspace: world.workspace },
    {
      ...world.grading(() => ({ suite: suite.name, case: evalCase.id, model: planned.model, n, ...observed(outcome) })),
      ...(judge ? { judge } : {}),
    },
  )
  opened.isJudged = graded.status === 'passed' || graded.status === 'failed'
  return { outcome, graded }
}

/** Ends the trial for the judge, for the model, then for the world, each whatever becomes of the other; what failed is returned. */
const close = async ({ model, world, judge, isInOrder, isJudged }: Opened): Promise<unknown[]> => {
  const problems: unknown[] = []
  for (const end of [() => judge?.model.close(isJudged), () => model?.close(isInOrder), () => world?.dispose()]) {
    try {
      await end()
    } catch (error) {
      problems.push(error)
    }
  }
  return problems
}

const toolsOfServers = async (world: TrialWorld, model: ModelAdapter): Promise<readonly ProvidedTool[]> => {
  const { servers } = world
  if (servers === undefined) return []
  if (model.provided) return model.provided(servers)
  return [...servers.atHand, ...(await servers.open())]
}

const agentDeps = (
  evalCase: EvalCase,
  outside: readonly ProvidedTool[],
  skills: SuiteSkills,
  model: ModelAdapter,
  world: TrialWorld,
  deps: RunDeps,
): Parameters<typeof runAgent>[1] => {
  const doubles = Object.entries(evalCase.tools ?? {}).map(([name, double]) => testDouble(name, double))
  // A test double stands in the place of a server's tool of the same name.
  const provided = [...doubles, ...outside.filter(({ name }) => !doubles.some((double) => double.name === name))]
  const { forbidden_tools: forbiddenTools = [], forbidden_skills: _, ...hard } = evalCase.constraints ?? {}
  const source = availableSkills(skills.source, {
    own: new Set(world.tools.keys()),
    provided: new Set(provided.map(({ name }) => name)),
  })
  return {
    model,
    // Off in one trial, on in the next.
    skills: evalCase.agent?.skill_controls ? controlledSkills(() => source) : source,
    renderedIndex: indexFor(evalCase, skills, source),
    ...(evalCase.agent?.agents_md ? { projectNotes: workspaceNotes(world.workspace) } : {}),
    tools: withProvided(world.tools, provided, model),
    provided,
    offersPerSkill: offersPerSkill(evalCase, deps),
    authorizer: deps.authorizerOf(evalCase),
    workspace: world.workspace,
    clock: deps.clock,
    hardLimits: hard as Limits,
    softLimits: deps.limits,
    forbiddenTools,
    maxRepairs: deps.maxRepairs,
    maxBodiesPerTurn: deps.maxBodiesPerTurn,
    context: contextFor(evalCase, skills, world, deps),
    ...(deps.subagents ? { subagents: deps.subagents } : {}),
    signal: deps.signal,
  }
}

const offersPerSkill = ({ agent }: EvalCase, deps: RunDeps): boolean =>
  agent?.offer_tools === undefined ? deps.offersPerSkill === true : agent.offer_tools === 'per_skill'

const contextFor = ({ agent }: EvalCase, { source }: SuiteSkills, world: TrialWorld, deps: RunDeps) => {
  const tokens = agent?.context_tokens ?? deps.contextTokens
  const places = [...Object.values(world.places), ...source.visible().map(({ dir }) => dir)]
  return { ...(tokens === undefined ? {} : { tokens }), places: places.sort((a, b) => b.length - a.length) }
}

const indexFor = ({ agent }: EvalCase, skills: SuiteSkills, available: SkillSource): string =>
  agent?.index_tokens === undefined && available === skills.source
    ? skills.renderedIndex
    : (skills.indexWithin?.(agent?.index_tokens, available.visible()) ?? skills.renderedIndex)

const withProvided = (
  tools: ReadonlyMap<ActionType, Tool>,
  provided: readonly ProvidedTool[],
  { recording }: ModelAdapter,
): ReadonlyMap<ActionType, Tool> => {
  const all = new Map<ActionType, Tool>([...tools, ['call_tool', callToolTool(provided)]])
  return recording === undefined ? all : new Map([...all].map(([type, tool]) => [type, recording.tool(tool)]))
}
