import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import type { Tool, ToolContext, ToolResult, Workspace } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'

/** Runs a tool in a workspace (in memory unless another is given), without a skill unless one is given. */
export const useTool = (
  tool: Tool,
  params: Readonly<Record<string, unknown>>,
  workspace: Workspace = memoryWorkspace(),
  more: Partial<ToolContext> = {},
): Promise<ToolResult> =>
  tool.run(params, {
    workspace,
    skill: undefined,
    decision: { verdict: 'allow', rule: 'test' },
    permit: async () => ({ verdict: 'allow', rule: 'test' }),
    signal: new AbortController().signal,
    ...more,
  })

/** A skill in the folder `dir`, which is absolute. */
export const skillIn = (dir: string, change: Partial<Skill> = {}): Skill => ({
  name: 'csv-analyzer',
  description: 'Analyses CSV files.',
  source: 'suite',
  dir,
  file: `${dir}/SKILL.md`,
  hiddenFromModel: false,
  hiddenFromUser: false,
  allowedTools: undefined,
  tags: [],
  metadata: {},
  extra: {},
  ...change,
})
