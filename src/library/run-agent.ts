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
  /** Told of each event as it happens; may not affect the run. */
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
  const { approve } = options
  const { runTask } = await import('../app/run-task.ts')
  const { config, model, mock, mcp, tools, onEvent } = options
  const outcome = await runTask(
    {
      prompt: options.prompt,
      skills: options.skills ?? [],
      allow: options.allow ?? [],
      command: ['run', '--', options.prompt],
      ...(config === undefined ? {} : { config }),
      ...(model === undefined ? {} : { model }),
      ...(mock === undefined ? {} : { mock }),
      ...(mcp === undefined ? {} : { mcp }),
      ...(tools === undefined ? {} : { tools }),
      ...(onEvent === undefined ? {} : { onEvent }),
      ...(approve === undefined ? {} : { approver: callerApprover(approve) }),
    },
    libraryHost(options, () => undefined),
  )
  const { answer, stop, plan, usage, costUsd, latencyMs, run, trajectory } = outcome
  const output = answer?.text ?? null
  return { stop, output, plan, actions: actionsOf(trajectory), usage, costUsd, latencyMs, run, trajectory }
}
