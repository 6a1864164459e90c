import { parseReporter } from '../app/chosen-reporters.ts'
import { type WatchCommand, watchEvals } from '../app/watch-evals.ts'
import { InvalidInputError } from '../core/errors.ts'
import type { CommonOptions } from './common-options.ts'
import { type Interruption, interruption } from './interruption.ts'
import { processHost } from './process-host.ts'
import { progressOnStderr } from './progress.ts'
import { reportError, showDiagnostics } from './report-error.ts'
import type { ParsedRun } from './run-from-cli.ts'
import { tuneEngine } from './tune-engine.ts'

/** Runs what changes touch until it is ended; returns the exit code. */
export const watchFromCli = async (parsed: ParsedRun, flags: CommonOptions): Promise<number> => {
  tuneEngine()
  const options = { ...parsed, reporters: parsed.reporters.map(parseReporter), command: process.argv.slice(2) }
  const interrupted = interruption()
  const hasKeys = process.stdin.isTTY === true
  const host = processHost(flags.C, interrupted.signal)
  try {
    return await watchEvals(options, host, {
      diagnostics: (diagnostics, project) => showDiagnostics(diagnostics, project.dir),
      listener: (plan) => (options.quiet ? {} : progressOnStderr(plan.suites.some((suite) => suite.models.length > 1))),
      broken: async (error) => {
        if (!(error instanceof InvalidInputError)) return void (await reportError(error))
        const { findProject } = await import('../app/project.ts')
        await showDiagnostics(error.diagnostics, findProject(host.cwd, host.home, host.files).dir)
        process.stderr.write('nothing was run\n')
      },
      ...(hasKeys ? { help: ': a runs all, f what did not pass, q quits' } : {}),
      commands: (tell) => (hasKeys ? listenToKeys(tell, interrupted) : () => undefined),
    })
  } finally {
    interrupted.release()
  }
}

const commandOf: Readonly<Record<string, WatchCommand>> = { a: 'all', f: 'failed', q: 'quit' }

const listenToKeys = (tell: (command: WatchCommand) => void, interrupted: Interruption): (() => void) => {
  const { stdin } = process
  const onKey = (keys: string) => {
    for (const key of keys) {
      // A terminal that reads single keys sends no signal.
      if (key === '\u0003') interrupted.interrupt('SIGINT')
      const command = commandOf[key]
      if (command) tell(command)
    }
  }
  stdin.setRawMode(true)
  stdin.setEncoding('utf8').on('data', onKey).resume()
  return () => {
    stdin.off('data', onKey).pause()
    stdin.setRawMode(false)
  }
}
