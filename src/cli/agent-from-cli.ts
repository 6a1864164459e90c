import { runTask } from '../app/run-task.ts'
import { actionsOf } from '../core/trajectory.ts'
import { visible } from '../lib/visible.ts'
import type { CommonOptions } from './common-options.ts'
import { interruption } from './interruption.ts'
import { processHost } from './process-host.ts'

type Flags = CommonOptions & { readonly skill?: readonly string[]; readonly model?: string; readonly mock?: string }

/** Runs one task: what it did on stderr, the answer on stdout. Exit 0 when it was answered, 3 when it could not go on. */
export const runAgentFromCli = async (prompt: string, flags: Flags): Promise<number> => {
  const interrupted = interruption()
  const host = processHost(flags.C, interrupted.signal)
  try {
    const outcome = await runTask(
      {
        prompt,
        skills: flags.skill ?? [],
        ...(flags.config === undefined ? {} : { config: flags.config }),
        ...(flags.model === undefined ? {} : { model: flags.model }),
        ...(flags.mock === undefined ? {} : { mock: flags.mock }),
      },
      host,
    )
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
    return 3
  } catch (error) {
    if (interrupted.signal.aborted) return interrupted.signal.reason === 'SIGTERM' ? 143 : 130
    throw error
  } finally {
    interrupted.release()
  }
}
