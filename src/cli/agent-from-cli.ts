import { runTask, type TaskOptions } from '../app/run-task.ts'
import { actionsOf } from '../core/trajectory.ts'
import { visible } from '../lib/visible.ts'
import { commandWithGrant } from './command-with-grant.ts'
import type { CommonOptions } from './common-options.ts'
import { interruption } from './interruption.ts'
import { processHost } from './process-host.ts'
import { yesApprover } from './yes-approver.ts'

export type AgentFlags = CommonOptions & {
  readonly skill?: readonly string[]
  readonly model?: string
  readonly mock?: string
  readonly allow?: readonly string[]
  readonly yes?: boolean
}

/** Runs one task: what it did on stderr, the answer on stdout. Exit 0 when it was answered, 3 when it could not go on. */
export const runAgentFromCli = async (prompt: string, flags: AgentFlags): Promise<number> => {
  const interrupted = interruption()
  const host = processHost(flags.C, interrupted.signal)
  try {
    const outcome = await runTask(taskOptions(prompt, flags), host)
    const actions = actionsOf(outcome.trajectory)
    if (flags.json) {
      host.stdout(
        `${JSON.stringify({ stop: outcome.stop, output: outcome.answer?.text ?? null, plan: outcome.plan, actions, usage: outcome.usage, cost_usd: outcome.costUsd }, null, 2)}\n`,
      )
    } else {
      if (!flags.quiet) for (const action of actions) host.stderr(`${action.turn}. ${action.action} ${action.status}\n`)
      if (outcome.answer) host.stdout(`${visible(outcome.answer.text)}\n`)
    }
    if (outcome.stop.kind === 'answered') return 0
    if (outcome.stop.kind !== 'decided') host.stderr(`error: ${visible(outcome.stop.message)}\n`)
    const again = commandWithGrant(process.argv.slice(2), outcome)
    if (again !== undefined) host.stderr(`to allow it: ${again}\n`)
    return 3
  } catch (error) {
    if (interrupted.signal.aborted) return interrupted.signal.reason === 'SIGTERM' ? 143 : 130
    throw error
  } finally {
    interrupted.release()
  }
}

const taskOptions = (prompt: string, flags: AgentFlags): TaskOptions => ({
  prompt,
  skills: flags.skill ?? [],
  allow: flags.allow ?? [],
  ...(flags.yes ? { approver: yesApprover } : {}),
  ...(flags.config === undefined ? {} : { config: flags.config }),
  ...(flags.model === undefined ? {} : { model: flags.model }),
  ...(flags.mock === undefined ? {} : { mock: flags.mock }),
})
