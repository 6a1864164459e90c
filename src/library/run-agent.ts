import type { TaskOutcome } from '../app/audit-run.ts'
import type { ProvidedTool } from '../core/ports.ts'
import { type ActionRecord, actionsOf, type TrajectoryEvent } from '../core/trajectory.ts'
import { type Approve, callerApprover } from './caller-approver.ts'
import { libraryHost, type Surroundings } from './library-host.ts'

/** As the options of `skills-agent run`. */
export type AgentOptions = Surroundings & {
  readonly prompt: string
  readonly config?: string
  readonly model?: string
  /** The file with the turns of a scripted model. */
  readonly mock?: string
  /** Skills to load at once. */
  readonly skills?: readonly string[]
  /** What is allowed by name: `TOOL` or `TOOL:PATTERN`. */
  readonly allow?: readonly string[]
  /** MCP servers of the configuration. */
  readonly mcp?: readonly string[]
  /** Tools of the caller's, from `defineTool`. */
  readonly tools?: readonly ProvidedTool[]
  /** Answers what the policy asks about; without it what would be asked is denied. Any other answer is a UsageError. */
  readonly approve?: Approve
  /** Told of each event as it happens. What it throws does not affect the run, and is told by `onNotice`. */
  readonly onEvent?: (event: TrajectoryEvent) => void
}

export type AgentResult = Pick<TaskOutcome, 'stop' | 'plan' | 'usage' | 'costUsd' | 'latencyMs' | 'run'> & {
  /** The answer; null where there is none: `stop` says why. */
  readonly output: string | null
  readonly actions: readonly ActionRecord[]
  readonly trajectory: readonly TrajectoryEvent[]
}

/**
 * Does one task with the skills of a folder, under its policy. Prints nothing. Throws a UsageError or an
 * InvalidInputError before anything was done, and the signal's reason where it was aborted.
 */
export const runAgent = async (options: AgentOptions): Promise<AgentResult> => {
  const [{ checkOptions }, { agentOptionsSchema }] = await Promise.all([
    import('../app/check-options.ts'),
    import('./options.ts'),
  ])
  checkOptions<AgentOptions>('runAgent', agentOptionsSchema, options)
  const { approve, config, model, mock, mcp, tools = [], onEvent } = options
  if (tools.length > 0) await (await import('../app/check-tools.ts')).checkTools(tools)
  const { runTask } = await import('../app/run-task.ts')
  const outcome = await runTask(
    {
      prompt: options.prompt,
      skills: options.skills ?? [],
      allow: options.allow ?? [],
      command: commandOf(options),
      ...(config === undefined ? {} : { config }),
      ...(model === undefined ? {} : { model }),
      ...(mock === undefined ? {} : { mock }),
      ...(mcp === undefined ? {} : { mcp }),
      tools,
      ...(onEvent === undefined ? {} : { onEvent }),
      ...(approve === undefined ? {} : { approver: callerApprover(approve) }),
    },
    libraryHost(options, () => undefined),
  )
  const { answer, stop, plan, usage, costUsd, latencyMs, run, trajectory } = outcome
  const output = answer?.text ?? null
  return { stop, output, plan, actions: actionsOf(trajectory), usage, costUsd, latencyMs, run, trajectory }
}

/** The words that do the same in a shell; none where no command line can: it knows no tools of a program. */
const commandOf = ({ prompt, config, model, mock, skills, allow, mcp, tools }: AgentOptions): readonly string[] => {
  if (tools?.length) return []
  const one = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value])
  const each = (flag: string, values: readonly string[] = []) => values.flatMap((value) => [flag, value])
  return [
    'run',
    ...[...one('--config', config), ...one('--model', model), ...one('--mock', mock)],
    ...[...each('--skill', skills), ...each('--allow', allow), ...each('--mcp', mcp)],
    ...['--', prompt],
  ]
}
