import { askApproval } from '../adapters/terminal/ask-approval.ts'
import type { Approver } from '../core/ports.ts'
import type { Interruption } from './interruption.ts'
import { wantsColor } from './process-host.ts'

/**
 * Who answers: `--yes` for what is not of high risk, then the person at the terminal, on stderr. Where input or output
 * is no terminal, and in CI, nobody does.
 */
export const agentApprover = (
  options: { readonly yes: boolean; readonly isCi: boolean },
  interrupted: Pick<Interruption, 'interrupt'>,
): Approver => {
  const { stdin, stderr } = process
  const isSomebodyThere = stdin.isTTY === true && stderr.isTTY === true && !options.isCi
  return {
    ask: async (question, { signal }) => {
      if (options.yes && question.risk !== 'high') return { answer: 'once', by: '--yes' }
      if (!isSomebodyThere) return undefined
      const { approvalQuestionText } = await import('../report/approval-question.ts')
      stderr.write(`\n${approvalQuestionText(question, wantsColor(true))}`)
      const answer = await askApproval({ input: stdin, output: stderr }, signal)
      // A terminal in raw mode makes no signal of Ctrl-C: the run ends as if it had.
      if (answer === undefined && !signal.aborted) interrupted.interrupt('SIGINT')
      signal.throwIfAborted()
      return answer && { ...answer, by: 'terminal' }
    },
  }
}
