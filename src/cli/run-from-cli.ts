import { parseReporter } from '../app/chosen-reporters.ts'
import { runEvals } from '../app/run-evals.ts'
import type { RunOptions } from '../app/run-options.ts'
import { InvalidInputError } from '../core/errors.ts'
import type { CommonOptions } from './common-options.ts'
import { interruption } from './interruption.ts'
import { processHost } from './process-host.ts'
import { progressOnStderr } from './progress.ts'
import { showDiagnostics } from './report-error.ts'
import { tuneEngine } from './tune-engine.ts'

export type ParsedRun = Omit<RunOptions, 'reporters' | 'command'> & { readonly reporters: readonly string[] }

/** Runs the suites with progress on stderr; returns the exit code. */
export const runFromCli = async (parsed: ParsedRun, flags: CommonOptions): Promise<number> => {
  tuneEngine()
  const options: RunOptions = {
    ...parsed,
    reporters: parsed.reporters.map(parseReporter),
    command: process.argv.slice(2),
  }
  const interrupted = interruption()
  const host = processHost(flags.C, interrupted.signal)
  try {
    return await runEvals(options, host, {
      diagnostics: (diagnostics, project) => showDiagnostics(diagnostics, project.dir),
      listener: (plan) => {
        if (options.quiet) return {}
        return progressOnStderr(plan.suites.some((suite) => suite.models.length > 1))
      },
    })
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    const { findProject } = await import('../app/project.ts')
    await showDiagnostics(error.diagnostics, findProject(host.cwd, host.home, host.files).dir)
    process.stderr.write('nothing was run\n')
    return 2
  } finally {
    interrupted.release()
  }
}
