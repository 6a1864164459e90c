import type { Readable, Writable } from 'node:stream'
import type { ApprovalAnswer } from '../../core/ports.ts'

export type Terminal = { readonly input: Readable; readonly output: Writable }

/** Asks the person at the terminal; undefined where they broke off (Ctrl-C, Escape) or `signal` was aborted. */
export const askApproval = async (
  { input, output }: Terminal,
  signal: AbortSignal,
): Promise<Omit<ApprovalAnswer, 'by'> | undefined> => {
  const { isCancel, select, text } = await import('@clack/prompts')
  const answer = await select({
    message: 'Allow it?',
    options: [
      { value: 'once', label: 'yes, once' },
      { value: 'run', label: 'yes, for this run', hint: 'the same with the same parameters is not asked again' },
      { value: 'no', label: 'no' },
      { value: 'why', label: 'no, and tell the agent why' },
    ],
    // What was typed before the question stood there must not be a yes.
    initialValue: 'no',
    input,
    output,
    signal,
  })
  if (isCancel(answer)) return undefined
  if (answer === 'once' || answer === 'run' || answer === 'no') return { answer }
  const reason = await text({ message: 'What shall the agent be told?', input, output, signal })
  if (isCancel(reason)) return undefined
  const told = (reason ?? '').trim()
  return told === '' ? { answer: 'no' } : { answer: 'no', reason: told }
}
