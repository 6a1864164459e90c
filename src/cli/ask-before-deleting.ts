import { askYesNo } from '../adapters/terminal/ask-yes-no.ts'
import { UsageError } from '../core/errors.ts'

/** Asks at the terminal whether the things that were just named are to be deleted. Throws a UsageError where nobody is there. */
export const askBeforeDeleting = async (count: number): Promise<boolean> => {
  const { stdin, stderr } = process
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new UsageError('not_asked', 'nobody is there to be asked whether they are to be deleted', {
      hint: 'Add --yes.',
    })
  }
  return askYesNo(`Delete ${count === 1 ? 'it' : `these ${count}`}?`, { input: stdin, output: stderr })
}
