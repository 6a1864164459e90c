import { surviveBrokenOutput } from './broken-output.ts'
import type { ProgramName } from './command-line.ts'
import { version } from './version.ts'

/** Runs one command line; resolves with the exit code. Nothing is loaded that the command does not need. */
export const main = async (name: ProgramName, argv: readonly string[]): Promise<number> => {
  surviveBrokenOutput()
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version}\n`)
    return 0
  }
  const { runProgram } = await import('./run-program.ts')
  return runProgram(name, argv)
}
