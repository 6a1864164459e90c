import { CommanderError } from 'commander'
import type { ProgramName } from './command-line.ts'
import { buildProgram } from './program.ts'

/** Parses and runs; every mistake of a person ends as words on stderr and exit code 2, a bug keeps its stack. */
export const runProgram = async (name: ProgramName, argv: readonly string[]): Promise<number> => {
  let code = 0
  const program = buildProgram(name, (result) => {
    code = result
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { reportError } = await import('./report-error.ts')
    return reportError(error)
  }
}
