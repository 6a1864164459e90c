import type { AgentOutcome } from '../core/outcome.ts'
import { visible } from '../lib/visible.ts'
import { shellWord } from '../report/shell-word.ts'

/**
 * The command that does the same task with the grant that it ended for; undefined where it did not end so, and where
 * a word of it can't be pasted into a terminal as it is shown.
 */
export const commandWithGrant = (argv: readonly string[], { stop, trajectory }: AgentOutcome): string | undefined => {
  if (stop.kind !== 'error' || stop.code !== 'approval_required') return undefined
  const asked = trajectory.findLast((event) => event.type === 'approval')
  if (asked?.type !== 'approval') return undefined
  const grant = asked.target === '' ? asked.action : `${asked.action}:${asked.target}`
  const command = argv[0] === 'agent' ? ['skills-eval'] : ['skills-agent']
  // Behind `--` an option would be a part of the task.
  const end = argv.indexOf('--')
  const words = end < 0 ? [...argv, '--allow', grant] : [...argv.slice(0, end), '--allow', grant, ...argv.slice(end)]
  const all = [...command, ...words]
  return all.some((word) => /[\n\t]/.test(word) || visible(word) !== word) ? undefined : all.map(shellWord).join(' ')
}
