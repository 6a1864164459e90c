import { type Action, formatSkillRef, mainParam, type SkillRef } from '../core/actions.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { BodyText } from '../core/model.ts'
import type { AgentStop } from '../core/outcome.ts'
import type { ApprovalAnswer, Decision, PermissionRequest, Tool, ToolContext, ToolResult } from '../core/ports.ts'
import { isShellTool } from '../core/shell-tool.ts'
import type { Skill } from '../core/skill.ts'
import type { ActionRecord } from '../core/trajectory.ts'
import { canonicalJson, sha256 } from '../lib/hash.ts'
import type { AgentDeps } from './agent-deps.ts'
import { describePlan, updatePlan } from './plan.ts'
import type { RunState } from './run-state.ts'
import { selectSkills } from './select-skills.ts'
import { type WithheldTools, whyWithheld } from './skill-tools.ts'
import type { RunAlone } from './subagent.ts'

/** What came of one action; `stop` ends the run, `answered` ends the request. */
export type Performed = {
  readonly status: ActionRecord['status']
  readonly text: string
  readonly rule?: string
  readonly exitCode?: number
  readonly skills?: ActionRecord['skills']
  readonly bodies?: readonly BodyText[]
  readonly subagents?: ActionRecord['subagents']
  readonly actions?: ActionRecord['actions']
  readonly answered?: boolean
  readonly stop?: AgentStop
}

export type TurnContext = {
  readonly turn: number
  bodies: number
  readonly withheld: WithheldTools
  readonly runAlone: RunAlone
}

/** permit → execute one validated action. What goes wrong is an observation; it throws only on abort or for a bug. */
export const performAction = async (
  action: Action,
  context: TurnContext,
  state: RunState,
  deps: AgentDeps,
): Promise<Performed> => {
  const skill = owningSkill(action, state, deps)
  if (skill && 'problem' in skill) return { status: 'error', text: skill.problem }
  const decision = await decide(action, skill, context, state, deps)
  if (decision.verdict === 'deny') {
    const reason = decision.reason === undefined ? '' : ` ${decision.reason}`
    return {
      status: 'denied',
      text: `${action.action} is not permitted (${decision.rule}).${reason}`,
      rule: decision.rule,
    }
  }
  if (decision.verdict === 'ask') {
    const refused = await askFor(action, skill, decision, context.turn, state, deps)
    if (refused) return refused
  }
  const performed = await execute(action, skill, decision, context, state, deps)
  return performed.rule === undefined ? { ...performed, rule: decision.rule } : performed
}

/** The loaded skill that an action names, where it names one. */
const owningSkill = (action: Action, state: RunState, deps: AgentDeps): Skill | { problem: string } | undefined => {
  if (action.action !== 'load_resource' && action.action !== 'run_script') return undefined
  const ref: SkillRef = action.params.skill
  const loaded = state.loaded.get(ref.name)
  const isOff = deps.skills.controls?.disabled().includes(ref.name) === true
  if (loaded && !isOff && (ref.source === undefined || ref.source === loaded.source)) return loaded
  const resolved = deps.skills.resolve(ref)
  if ('problem' in resolved) return resolved
  return (
    state.loaded.get(resolved.name) ?? {
      problem: `${formatSkillRef(ref)} is not loaded: select it with select_skills first`,
    }
  )
}

const decide = async (
  action: Action,
  skill: Skill | undefined,
  { turn, withheld }: TurnContext,
  state: RunState,
  deps: AgentDeps,
): Promise<Decision> => {
  const target = targetOf(action)
  const forbidden =
    deps.forbiddenTools.includes(action.action) ||
    (action.action === 'call_tool' && deps.forbiddenTools.includes(target))
  const decision: Decision = forbidden
    ? { verdict: 'deny', rule: 'constraints.forbidden_tools' }
    : (notOffered(action, withheld, state, deps) ??
      (await deps.authorizer.decide(permissionRequest(action, target, skill, state))))
  state.trajectory.push({
    type: 'decision',
    turn,
    action: action.action,
    target,
    ...(skill ? { skill: skill.name } : {}),
    verdict: decision.verdict,
    rule: decision.rule,
  })
  return decision
}

/** A tool that comes with a skill, where no such skill has been loaded. */
const notOffered = (
  action: Action,
  withheld: WithheldTools,
  state: RunState,
  { skills }: AgentDeps,
): Decision | undefined => {
  if (action.action !== 'call_tool') return undefined
  const { tool } = action.params
  const owners = withheld.get(tool)
  if (owners === undefined) return undefined
  return { verdict: 'deny', rule: 'tools.offer: per_skill', reason: whyWithheld(tool, owners, state.loaded, skills) }
}

const permissionRequest = (
  action: Action,
  target: string,
  skill: Skill | undefined,
  state: RunState,
): PermissionRequest => ({
  tool: action.action,
  target,
  params: action.params,
  skill,
  loaded: [...state.loaded.values()],
})

const targetOf = (action: Action): string => {
  if (action.action === 'select_skills') return action.params.skills.map(formatSkillRef).join(', ')
  if (action.action === 'disable_skill' || action.action === 'enable_skill') return formatSkillRef(action.params.skill)
  const value = (action.params as Readonly<Record<string, unknown>>)[mainParam(action.action)]
  return typeof value === 'string' ? value : ''
}

/** Asks the person, once or for the run; undefined where the action may go on. */
const askFor = async (
  action: Action,
  skill: Skill | undefined,
  decision: Decision,
  turn: number,
  state: RunState,
  deps: AgentDeps,
): Promise<Performed | undefined> => {
  const target = targetOf(action)
  // With all its parameters: what else a shell is to run, or another content of a file, is nothing that was agreed to.
  const key = JSON.stringify([action.action, skill?.name ?? null, sha256(canonicalJson(action.params))])
  if (state.approved.has(key)) return undefined
  const risk = isShellCall(action) ? 'high' : (deps.tools.get(action.action)?.risk ?? 'high')
  const { rule } = decision
  const about = { action: action.action, target, rule }
  const answer = await deps.approver?.ask(
    { ...about, params: action.params, skill: skill?.name, risk },
    { signal: deps.signal },
  )
  state.trajectory.push({
    type: 'approval',
    turn,
    ...about,
    ...(skill ? { skill: skill.name } : {}),
    answer: answer === undefined ? 'nobody' : isYes(answer) ? answer.answer : 'no',
    ...(answer ? { by: answer.by } : {}),
    ...(answer?.reason === undefined ? {} : { reason: answer.reason }),
  })
  if (answer === undefined) return needsApproval(action, decision)
  if (!isYes(answer)) {
    const reason = answer.reason === undefined ? '' : ` They said: ${answer.reason}`
    return { status: 'denied', text: `${action.action} was refused by the person who was asked.${reason}`, rule }
  }
  if (answer.answer === 'run') state.approved.add(key)
  return undefined
}

/** Whoever answers may not be ours: what is no clear yes is a no. */
const isYes = ({ answer }: ApprovalAnswer): boolean => answer === 'once' || answer === 'run'

const isShellCall = (action: Action): boolean => action.action === 'call_tool' && isShellTool(action.params.tool)

const needsApproval = (action: Action, decision: Decision): Performed => {
  const target = targetOf(action)
  const grant = target === '' ? action.action : `${action.action}(${target})`
  const message = `${grant} needs approval (${decision.rule}) and nobody is there to give it; ${withoutAsking(action, decision)}`
  return {
    status: 'denied',
    text: message,
    rule: decision.rule,
    stop: { kind: 'error', code: 'approval_required', message },
  }
}

const withoutAsking = (action: Action, { rule }: Decision): string => {
  const isAsked = /^[a-z -]+: ask /.test(rule) && !rule.startsWith('default')
  // To allow a shell by its name would let any line pass.
  if (isShellCall(action) && !/: ask bash\(/i.test(rule)) {
    const place = isAsked ? ' in place of that rule' : ''
    return `where it may run without, Bash(…) rules in permissions.allow must name its commands${place}`
  }
  return isAsked
    ? 'where it may run without, move that rule from ask to allow'
    : 'where it may run without, permissions.allow must name it'
}

const execute = async (
  action: Action,
  skill: Skill | undefined,
  decision: Decision,
  context: TurnContext,
  state: RunState,
  deps: AgentDeps,
): Promise<Performed> => {
  switch (action.action) {
    case 'select_skills':
      return select(action.params, context, state, deps)
    case 'search_skills':
      return searchSkills(action.params.query, action.params.limit ?? 10, deps)
    case 'disable_skill':
    case 'enable_skill':
      return controlSkill(action, deps)
    case 'load_resource':
      return loadResource(action.params, skill, context.turn, state, deps)
    case 'update_plan': {
      const updated = updatePlan(state.plan, action.params)
      if ('problem' in updated) return { status: 'error', text: updated.problem }
      state.plan = updated.plan
      state.trajectory.push({ type: 'plan', turn: context.turn, plan: updated.plan })
      return { status: 'ok', text: describePlan(updated.plan) }
    }
    case 'final_answer': {
      const { text, json } = action.params
      const answer = { text: text ?? JSON.stringify(json, null, 2), ...(json === undefined ? {} : { json }) }
      state.answer = answer
      state.trajectory.push({ type: 'answer', turn: context.turn, ...answer })
      return { status: 'ok', text: answer.text, answered: true }
    }
    default:
      return useTool(action, skill, decision, state, deps)
  }
}

const select = async (
  params: Extract<Action, { action: 'select_skills' }>['params'],
  context: TurnContext,
  state: RunState,
  deps: AgentDeps,
): Promise<Performed> => {
  const { turn, runAlone } = context
  const at = { turn, already: context.bodies, maxBodies: deps.maxBodiesPerTurn, runAlone }
  const { text, loaded, failed, bodies, subagents, stop } = await selectSkills(params, state, deps.skills, at)
  context.bodies += bodies.length
  const isDone = loaded.length > 0 && subagents.every((end) => end.isAnswered)
  return {
    status: isDone ? 'ok' : 'error',
    text,
    skills: { loaded, failed },
    bodies,
    ...(subagents.length === 0
      ? {}
      : { subagents: subagents.map((end) => end.result), actions: subagents.flatMap((end) => end.actions) }),
    ...(stop ? { stop } : {}),
  }
}

const searchSkills = async (query: string, limit: number, deps: AgentDeps): Promise<Performed> => {
  const hits = await deps.skills.search(query, limit)
  const lines = hits.map((hit) => `${hit.name} (${hit.source}): ${hit.description}`)
  return { status: 'ok', text: lines.join('\n') || 'no skill matches' }
}

const controlSkill = (
  { action, params }: Extract<Action, { action: 'disable_skill' | 'enable_skill' }>,
  { skills: { controls } }: AgentDeps,
): Performed => {
  if (!controls) return { status: 'error', text: `${action} is not available in this run` }
  const isOff = action === 'disable_skill'
  const skill = isOff ? controls.disable(params.skill, 'model') : controls.enable(params.skill, 'model')
  if ('problem' in skill) return { status: 'error', text: skill.problem }
  if (!isOff) return { status: 'ok', text: `${skill.name} is enabled: it can be selected again` }
  return {
    status: 'ok',
    text: `${skill.name} is disabled: it is not found, loaded or used until enable_skill, and its instructions, where you have them, hold no more`,
  }
}

const loadResource = async (
  params: Extract<Action, { action: 'load_resource' }>['params'],
  skill: Skill | undefined,
  turn: number,
  state: RunState,
  deps: AgentDeps,
): Promise<Performed> => {
  if (!skill) return { status: 'error', text: 'load_resource needs the skill that the file belongs to' }
  const { path, section, lines } = params
  const resource = await deps.skills.resource(skill, {
    path,
    ...(section === undefined ? {} : { section }),
    ...(lines === undefined ? {} : { lines }),
  })
  if ('problem' in resource) return { status: 'error', text: resource.problem }
  state.trajectory.push({ type: 'disclosed', turn, skill: skill.name, level: 'resource', path, bytes: resource.bytes })
  return { status: 'ok', text: resource.text }
}

const useTool = async (
  action: Action,
  skill: Skill | undefined,
  decision: Decision,
  state: RunState,
  deps: AgentDeps,
): Promise<Performed> => {
  const tool = deps.tools.get(action.action)
  if (!tool) return { status: 'error', text: `${action.action} is not available in this run` }
  const result = await runTool(tool, action.params, {
    workspace: deps.workspace,
    skill,
    decision,
    permit: (target) => deps.authorizer.decide(permissionRequest(action, target, skill, state)),
    signal: deps.signal,
  })
  return {
    status: result.status,
    text: result.text,
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
  }
}

/** What a tool can put into words is for the model; anything else is a bug and ends the trial. */
const runTool = async (
  tool: Tool,
  params: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<ToolResult> => {
  try {
    return await tool.run(params, context)
  } catch (error) {
    if (!(error instanceof SkillsEvalError) || context.signal.aborted) throw error
    return { status: 'error', text: error.message }
  }
}
