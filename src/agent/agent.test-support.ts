import { memoryClock } from '../adapters/memory/memory-clock.ts'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import type { ActionType, RawCall } from '../core/actions.ts'
import type { ModelRequest, ModelResponse } from '../core/model.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { Approver, Clock, ModelAdapter, SkillSource, Tool } from '../core/ports.ts'
import { actionsOf } from '../core/trajectory.ts'
import { evalDefaults, policyAuthorizer } from '../permissions/policy-authorizer.ts'
import type { MockScript } from '../schema/mock.ts'
import type { Policy } from '../schema/policy.ts'
import type { ToolDouble } from '../schema/suite.ts'
import { indexSkills } from '../skills/index-skills.ts'
import { renderIndex } from '../skills/render-index.ts'
import { skillSource } from '../skills/skill-source.ts'
import { callToolTool } from '../tools/call-tool.ts'
import { readFileTool } from '../tools/read-file.ts'
import { testDouble } from '../tools/test-double.ts'
import { writeFileTool } from '../tools/write-file.ts'
import type { AgentDeps, AgentTask } from './agent-deps.ts'
import type { Limits } from './budget.ts'
import { type MockOptions, mockModel } from './mock-model.ts'
import { runAgent } from './run-agent.ts'
import type { RunState } from './run-state.ts'

export const skillText = (name: string, more = '', body = `How to ${name}.`): string =>
  `---\nname: ${name}\ndescription: Use for ${name}.\n${more}---\n${body}\n`

export const someSkills: Readonly<Record<string, string>> = {
  '/skills/csv-analyzer/SKILL.md': skillText('csv-analyzer'),
  '/skills/csv-analyzer/references/kpi.md': '# KPI\n\nA number.\n',
  '/skills/csv-analyzer/scripts/top.py': 'print(1)\n',
  '/skills/json-designer/SKILL.md': skillText('json-designer'),
  '/skills/log-triage/SKILL.md': skillText('log-triage'),
  '/skills/secret-keeper/SKILL.md': skillText('secret-keeper', 'disable-model-invocation: true\n'),
  '/skills/no-people/SKILL.md': skillText('no-people', 'user-invocable: false\n'),
}

/** The skills of `files` in memory; `opened` is told each path that is read. */
export const skillsOf = (
  files: Readonly<Record<string, string>> = someSkills,
  opened: (path: string) => void = () => undefined,
): SkillSource => {
  const disk = memoryFiles(files, opened)
  const index = indexSkills([{ path: '/skills', source: 'project' }], disk)
  return skillSource(index, disk, { maxBodyLines: 500, overLong: 'warn' })
}

export type Setting = {
  readonly inputs?: readonly string[]
  readonly firstDecisionOnly?: boolean
  readonly skills?: SkillSource
  readonly model?: ModelAdapter
  readonly mock?: Partial<MockOptions>
  readonly permissions?: Policy
  readonly approver?: Approver
  readonly doubles?: Readonly<Record<string, ToolDouble>>
  readonly tools?: readonly Tool[]
  readonly files?: Readonly<Record<string, string>>
  readonly hard?: Limits
  readonly soft?: Limits
  readonly forbiddenTools?: readonly string[]
  readonly maxRepairs?: number
  readonly maxBodiesPerTurn?: number
  readonly context?: AgentDeps['context']
  readonly subagents?: AgentDeps['subagents']
  readonly offersPerSkill?: boolean
  readonly signal?: AbortSignal
  readonly clock?: Clock
  readonly state?: RunState
}

/** Runs an agent in memory on what the mock says: some skills, reading and writing files, test doubles. */
export const runInMemory = (mock: MockScript | undefined, setting: Setting = {}): Promise<AgentOutcome> => {
  const clock = setting.clock ?? memoryClock()
  const skills = setting.skills ?? skillsOf()
  const provided = Object.entries(setting.doubles ?? {}).map(([name, double]) => testDouble(name, double))
  const tools = [readFileTool(), writeFileTool(), callToolTool(provided), ...(setting.tools ?? [])]
  const task: AgentTask = {
    inputs: setting.inputs ?? ['Do it.'],
    firstDecisionOnly: setting.firstDecisionOnly ?? false,
  }
  const deps: AgentDeps = {
    model: setting.model ?? mockModel(mock, mockOptions(clock, setting.mock)),
    skills,
    renderedIndex: skills.visible().length === 0 ? '' : renderIndex(skills.visible()),
    tools: new Map<ActionType, Tool>(tools.map((tool) => [tool.type, tool])),
    provided,
    authorizer: policyAuthorizer({ defaults: evalDefaults, configured: setting.permissions, runtime: undefined }),
    ...(setting.approver ? { approver: setting.approver } : {}),
    workspace: memoryWorkspace(setting.files ?? { 'data.csv': 'a,b\n1,2\n' }),
    clock,
    hardLimits: setting.hard ?? {},
    softLimits: setting.soft ?? {},
    forbiddenTools: setting.forbiddenTools ?? [],
    maxRepairs: setting.maxRepairs ?? 2,
    maxBodiesPerTurn: setting.maxBodiesPerTurn ?? 2,
    ...(setting.state ? { state: setting.state } : {}),
    ...(setting.context ? { context: setting.context } : {}),
    ...(setting.offersPerSkill ? { offersPerSkill: true } : {}),
    ...(setting.subagents ? { subagents: setting.subagents } : {}),
    signal: setting.signal ?? new AbortController().signal,
  }
  return runAgent(task, deps)
}

export const mockOptions = (clock: Clock, change: Partial<MockOptions> = {}): MockOptions => ({
  profile: 'mock',
  protocol: 'native',
  latencyMs: 0,
  price: { input: 0, output: 0 },
  clock,
  ...change,
})

/** Each action as one line: what it was, what came of it. */
export const actionLines = (outcome: AgentOutcome): string[] =>
  actionsOf(outcome.trajectory).map((record) => `${record.action} ${record.status}: ${record.observation}`)

export const statesOf = (outcome: AgentOutcome): string[] =>
  outcome.trajectory.flatMap((event) => (event.type === 'state' ? [`${event.turn} ${event.state}`] : []))

const usage = { input_tokens: 10, output_tokens: 5, cached_input_tokens: 0, reasoning_tokens: 0 }

export const answer = (change: Partial<ModelResponse> = {}): ModelResponse => ({
  text: '',
  calls: [],
  stop: change.calls === undefined || change.calls.length === 0 ? 'end' : 'tool_use',
  usage,
  costUsd: 0.01,
  latencyMs: 100,
  model: 'scripted-1',
  ...change,
})

export const call = (name: string, input: unknown, id = `call_${name}`): RawCall => ({ id, name, input })

/** A model that gives these answers in turn, and keeps what it was asked. */
export const scriptedModel = (
  answers: readonly ModelResponse[],
  protocol: 'native' | 'text' = 'native',
): ModelAdapter & { readonly requests: readonly ModelRequest[] } => {
  const requests: ModelRequest[] = []
  return {
    profile: 'scripted',
    protocol,
    requests,
    generate: async (request) => {
      requests.push(structuredClone(request))
      const next = answers[requests.length - 1]
      if (!next) throw new Error(`nobody wrote answer ${requests.length}`)
      return next
    },
    close: async () => undefined,
  }
}
