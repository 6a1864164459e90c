import { join } from 'node:path'
import { type Chat, type ChatOptions, runChat } from '../app/chat.ts'
import type { Host } from '../app/host.ts'
import { redactedHost } from '../app/redacted-host.ts'
import { interruptionCode } from '../core/interruptions.ts'
import { visible } from '../lib/visible.ts'
import { agentApprover } from './agent-approver.ts'
import { ownCommand } from './agent-from-cli.ts'
import { type AgentView, agentView, pausing } from './agent-progress.ts'
import { type ChatContext, obeyCommand } from './chat-commands.ts'
import { type ChatLines, pipedLines, typedLines } from './chat-lines.ts'
import type { CommonOptions } from './common-options.ts'
import { completeChat } from './complete-chat.ts'
import { processHost } from './process-host.ts'
import { turnSignals } from './turn-signals.ts'

export type ChatFlags = CommonOptions & {
  readonly model?: string
  readonly mock?: string
  readonly mcp?: readonly string[]
  readonly yes?: boolean
  readonly allow?: readonly string[]
  readonly maxCost?: number
  readonly maxTurns?: number
  readonly record?: boolean
  readonly continue?: string | true
}

/**
 * A conversation at the terminal, or with a line of standard input for each request. Answers go to stdout, all else to
 * stderr. Exit 0 when it was left, 3 when a request without a terminal had no answer, 143 on SIGTERM, 129 on SIGHUP.
 */
export const runChatFromCli = async (flags: ChatFlags): Promise<number> => {
  const signals = turnSignals()
  const host = redactedHost(processHost(flags.C, signals.ending), flags.config)
  const view = agentView(flags.quiet === true, host.redactValue)
  const isTyped = process.stdin.isTTY === true && process.stderr.isTTY === true
  const outcome = { isWhole: true }
  try {
    const approver = pausing(agentApprover({ yes: flags.yes === true, isCi: host.isCi }, signals), view)
    await runChat({ ...chatOptions(flags, view), approver }, host, async (chat) => {
      if (!flags.quiet) greet(chat, isTyped, host)
      const lines = isTyped ? typed(chat, host) : pipedLines(process.stdin, signals.ending)
      try {
        const { C, config } = flags
        const place = { ...(C === undefined ? {} : { C }), ...(config === undefined ? {} : { config }) }
        outcome.isWhole = await converse(lines, { chat, host, place, say: host.stderr }, view, signals)
      } finally {
        lines.close()
      }
    })
    return isTyped || outcome.isWhole ? 0 : 3
  } catch (error) {
    if (signals.ending.aborted) return interruptionCode(signals.ending.reason)
    throw host.redactError(error)
  } finally {
    view.close()
    signals.release()
  }
}

const chatOptions = (flags: ChatFlags, view: AgentView): Omit<ChatOptions, 'approver'> => ({
  allow: flags.allow ?? [],
  command: ownCommand(process.argv.slice(2)),
  record: flags.record === true,
  onEvent: view.event,
  ...(flags.config === undefined ? {} : { config: flags.config }),
  ...(flags.model === undefined ? {} : { model: flags.model }),
  ...(flags.mcp === undefined ? {} : { mcp: flags.mcp }),
  ...(flags.mock === undefined ? {} : { mock: flags.mock }),
  ...(flags.maxCost === undefined ? {} : { maxCostUsd: flags.maxCost }),
  ...(flags.maxTurns === undefined ? {} : { maxTurns: flags.maxTurns }),
  ...(flags.continue === undefined ? {} : { continue: flags.continue === true ? 'latest' : flags.continue }),
})

const greet = ({ id, earlier }: Chat, isTyped: boolean, host: Host): void => {
  if (earlier > 0) host.stderr(`chat ${id}, after ${earlier === 1 ? '1 request' : `${earlier} requests`}\n`)
  if (isTyped) host.stderr('/help lists the commands, /quit ends the chat\n')
}

const typed = (chat: Chat, host: Host): ChatLines =>
  typedLines({
    historyFile: join(host.home, '.agent', 'chat-history'),
    complete: (line) => completeChat(line, chat, host),
    signal: host.signal,
    say: host.stderr,
  })

/** Until there is nothing more to say; false where a request had no answer. */
const converse = async (
  lines: ChatLines,
  context: ChatContext,
  view: AgentView,
  signals: ReturnType<typeof turnSignals>,
): Promise<boolean> => {
  const { chat, host } = context
  let isWhole = true
  for (;;) {
    const entry = await lines.next()
    host.signal.throwIfAborted()
    if (entry === undefined) return isWhole
    if (entry.trim() === '') continue
    const done = await obeyCommand(entry, context)
    if (done === 'quit') return isWhole
    if (done === 'done') continue
    const reply = await signals.during((signal) => chat.say(entry.trim(), signal))
    view.pause()
    if (reply.kind === 'answer') host.stdout(`${visible(reply.text)}\n`)
    else {
      isWhole = false
      const why = reply.kind === 'broken' ? 'this request was broken off; the chat goes on' : stopText(reply.stop)
      host.stderr(`${why}\n`)
    }
  }
}

const stopText = (stop: { readonly kind: string; readonly message?: string }): string =>
  `error: ${visible(stop.message ?? stop.kind)}`
