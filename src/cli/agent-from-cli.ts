import type { TaskOutcome } from '../app/audit-run.ts'
import type { Host } from '../app/host.ts'
import { type RedactedHost, redactedHost } from '../app/redacted-host.ts'
import { type RecordedOutcome, runTask, type TaskOptions } from '../app/run-task.ts'
import { UsageError } from '../core/errors.ts'
import { interruptionCode } from '../core/interruptions.ts'
import { actionsOf, type TrajectoryEvent } from '../core/trajectory.ts'
import { visible } from '../lib/visible.ts'
import { jsonText } from '../report/json-text.ts'
import { placeOfFlags } from '../report/place-words.ts'
import { shellLine } from '../report/shell-line.ts'
import { agentApprover } from './agent-approver.ts'
import { type AgentView, agentView, pausing } from './agent-progress.ts'
import type { CommonOptions } from './common-options.ts'
import { interruption } from './interruption.ts'
import { processHost } from './process-host.ts'
import { readPrompt } from './read-prompt.ts'

export type AgentFlags = CommonOptions & {
  readonly promptFile?: string
  readonly skill?: readonly string[]
  readonly model?: string
  readonly mock?: string
  readonly yes?: boolean
  readonly allow?: readonly string[]
  readonly maxCost?: number
  readonly maxTurns?: number
  readonly record?: boolean
  readonly recordTo?: string
  readonly replay?: string
  readonly saveCase?: string
  readonly events?: boolean
  readonly mcp?: readonly string[]
}

/**
 * Runs one task: what it does on stderr, the answer on stdout. Exit 0 when it was answered, 3 when it could not go on,
 * 4 when a recording is to another request; with --save-case 1 when the case does not replay as it ran.
 */
export const runAgentFromCli = async (words: readonly string[], flags: AgentFlags): Promise<number> => {
  if (flags.events && flags.json) {
    throw new UsageError('events_and_json', '--events and --json both print on stdout: choose one')
  }
  const interrupted = interruption()
  const host = redactedHost(processHost(flags.C, interrupted.signal), flags.config)
  const view = agentView(flags.quiet === true || flags.json === true || flags.events === true, host.redactValue)
  try {
    const prompt = await readPrompt(words, flags.promptFile, host)
    if (flags.events) print({ type: 'start', format: 'skills-eval/agent-event@1', version: host.version }, host)
    const outcome = await runTask({ ...taskOptions(prompt, flags, view, host), approver: approverOf() }, host)
    view.close()
    if (flags.events) print(host.redactValue(endOf(outcome)), host)
    else if (flags.json) host.stdout(`${JSON.stringify(host.redactValue(asData(outcome)), null, 2)}\n`)
    else if (outcome.answer) host.stdout(`${visible(outcome.answer.text)}\n`)
    const code = tellStop(outcome, flags, host)
    return (await told(outcome, flags, host)) || code
  } catch (error) {
    if (interrupted.signal.aborted) return interruptionCode(interrupted.signal.reason)
    throw host.redactError(error)
  } finally {
    view.close()
    interrupted.release()
  }

  function approverOf() {
    return pausing(agentApprover({ yes: flags.yes === true, isCi: host.isCi }, interrupted), view)
  }
}

const taskOptions = (
  prompt: string,
  flags: AgentFlags,
  view: AgentView,
  host: RedactedHost,
): Omit<TaskOptions, 'approver'> => ({
  prompt,
  skills: flags.skill ?? [],
  allow: flags.allow ?? [],
  command: ownCommand(process.argv.slice(2)),
  record: flags.record === true,
  onEvent: (event) => {
    view.event(event)
    if (flags.events) print(host.redactValue(event), host)
  },
  ...(flags.config === undefined ? {} : { config: flags.config }),
  ...(flags.model === undefined ? {} : { model: flags.model }),
  ...(flags.mcp === undefined ? {} : { mcp: flags.mcp }),
  ...(flags.mock === undefined ? {} : { mock: flags.mock }),
  ...(flags.recordTo === undefined ? {} : { recordTo: flags.recordTo }),
  ...(flags.replay === undefined ? {} : { replay: flags.replay }),
  ...(flags.saveCase === undefined ? {} : { saveCase: flags.saveCase }),
  ...(flags.maxCost === undefined ? {} : { maxCostUsd: flags.maxCost }),
  ...(flags.maxTurns === undefined ? {} : { maxTurns: flags.maxTurns }),
})

/** `skills-eval agent run …` is `skills-agent run …`. */
export const ownCommand = (words: readonly string[]): readonly string[] =>
  words[0] === 'agent' ? words.slice(1) : words

const print = (event: TrajectoryEvent | object, host: Host): void => host.stdout(`${jsonText(event)}\n`)

const endOf = ({ stop, usage, costUsd, run }: TaskOutcome) => ({ type: 'end', stop, usage, cost_usd: costUsd, run })

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

const tellStop = ({ stop, allowCommand }: TaskOutcome, flags: AgentFlags, host: Host): number => {
  const isLacking = stop.kind === 'error' && stop.code === 'approval_required'
  if ('message' in stop) host.stderr(`error: ${isLacking ? 'approval_required: ' : ''}${visible(stop.message)}\n`)
  if (allowCommand !== undefined && (isLacking || !(flags.json || flags.events || flags.quiet))) {
    const what = isLacking ? 'to allow it' : 'some of it was denied because no rule allows it; to allow it'
    host.stderr(`${what}, run:\n  ${allowCommand}\n`)
  }
  if (stop.kind === 'stale') return 4
  return stop.kind === 'answered' ? 0 : 3
}

/** What became of the recording; the exit code of a case that was asked for and is not as it should be, else 0. */
const told = async ({ recorded, run }: RecordedOutcome, flags: AgentFlags, host: Host): Promise<number> => {
  if (recorded === undefined) return 0
  const isTold = !(flags.quiet || flags.json || flags.events)
  if (flags.record && run !== null && isTold && !('problem' in recorded.draft)) {
    const { folder, config } = placeOfFlags(flags)
    const command = shellLine(['skills-agent', 'runs', 'promote', ...folder, run, ...config])
    host.stderr(`recorded; to make it a case: ${command} --to evals/NAME.eval.yaml\n`)
  }
  if (flags.recordTo !== undefined && recorded.cassette === undefined) {
    host.stderr(`warning: ${visible(flags.recordTo)} was not written: a request has no answer\n`)
  }
  if (flags.saveCase === undefined) return 0
  const { tellSavedCase } = await import('./saved-case.ts')
  return tellSavedCase(recorded, flags.saveCase, flags, host)
}
