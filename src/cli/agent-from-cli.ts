import type { TaskOutcome } from '../app/audit-run.ts'
import type { Host } from '../app/host.ts'
import { runTask } from '../app/run-task.ts'
import { type ActionRecord, actionsOf } from '../core/trajectory.ts'
import { visible, visibleLine } from '../lib/visible.ts'
import { agentApprover } from './agent-approver.ts'
import type { CommonOptions } from './common-options.ts'
import { interruption } from './interruption.ts'
import { processHost } from './process-host.ts'

export type AgentFlags = CommonOptions & {
  readonly skill?: readonly string[]
  readonly model?: string
  readonly mock?: string
  readonly yes?: boolean
  readonly allow?: readonly string[]
  readonly mcp?: readonly string[]
}

/** Runs one task: what it did on stderr, the answer on stdout. Exit 0 when it was answered, 3 when it could not go on. */
export const runAgentFromCli = async (prompt: string, flags: AgentFlags): Promise<number> => {
  const interrupted = interruption()
  const host = processHost(flags.C, interrupted.signal)
  try {
    const outcome = await runTask(
      {
        prompt,
        skills: flags.skill ?? [],
        allow: flags.allow ?? [],
        approver: agentApprover({ yes: flags.yes === true, isCi: host.isCi }, interrupted),
        command: ownCommand(process.argv.slice(2)),
        ...(flags.config === undefined ? {} : { config: flags.config }),
        ...(flags.model === undefined ? {} : { model: flags.model }),
        ...(flags.mcp === undefined ? {} : { mcp: flags.mcp }),
        ...(flags.mock === undefined ? {} : { mock: flags.mock }),
      },
      host,
    )
    if (flags.json) host.stdout(`${JSON.stringify(asData(outcome), null, 2)}\n`)
    else show(outcome, flags.quiet === true, host)
    return tellStop(outcome, flags, host)
  } catch (error) {
    if (interrupted.signal.aborted) return interrupted.signal.reason === 'SIGTERM' ? 143 : 130
    throw error
  } finally {
    interrupted.release()
  }
}

/** `skills-eval agent run …` is `skills-agent run …`. */
const ownCommand = (words: readonly string[]): readonly string[] => (words[0] === 'agent' ? words.slice(1) : words)

const asData = (outcome: TaskOutcome) => ({
  stop: outcome.stop,
  output: outcome.answer?.text ?? null,
  plan: outcome.plan,
  actions: actionsOf(outcome.trajectory),
  approvals: outcome.trajectory.flatMap((event) => {
    if (event.type !== 'approval') return []
    const { type: _, ...approval } = event
    return [approval]
  }),
  usage: outcome.usage,
  cost_usd: outcome.costUsd,
  run: outcome.run,
  ...(outcome.allowCommand === undefined ? {} : { allow_command: outcome.allowCommand }),
})

const show = (outcome: TaskOutcome, isQuiet: boolean, host: Host): void => {
  if (!isQuiet) {
    for (const action of actionsOf(outcome.trajectory)) {
      host.stderr(`${action.turn}. ${visible(action.action)} ${action.status}${whyNot(action, outcome)}\n`)
    }
  }
  if (outcome.answer) host.stdout(`${visible(outcome.answer.text)}\n`)
}

/** The first line of what the model was told; what ended the run is told at the end. */
const whyNot = ({ status, observation }: ActionRecord, { stop }: TaskOutcome): string => {
  if (status === 'ok' || ('message' in stop && stop.message === observation)) return ''
  return `: ${visibleLine(observation.split('\n', 1)[0] ?? '', 300)}`
}

const tellStop = ({ stop, allowCommand }: TaskOutcome, flags: AgentFlags, host: Host): number => {
  const isLacking = stop.kind === 'error' && stop.code === 'approval_required'
  if ('message' in stop) host.stderr(`error: ${isLacking ? 'approval_required: ' : ''}${visible(stop.message)}\n`)
  if (allowCommand !== undefined && (isLacking || !(flags.json || flags.quiet))) {
    const what = isLacking ? 'to allow it' : 'some of it was denied because no rule allows it; to allow it'
    host.stderr(`${what}, run:\n  ${allowCommand}\n`)
  }
  return stop.kind === 'answered' ? 0 : 3
}
