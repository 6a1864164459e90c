import type { RunOptions } from '../app/run-options.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { UsageError } from '../core/errors.ts'
import type { ProvidedTool, RunListener } from '../core/ports.ts'
import type { RunResult } from '../core/results.ts'
import { libraryHost, type Surroundings } from './library-host.ts'

/** As the options of `skills-eval run`, which docs/library.md goes through. */
export type SuitesOptions = Surroundings &
  Partial<
    Pick<
      RunOptions,
      | 'config'
      | 'models'
      | 'filter'
      | 'tags'
      | 'skills'
      | 'trials'
      | 'concurrency'
      | 'bail'
      | 'maxCostUsd'
      | 'seed'
      | 'baseline'
      | 'minLift'
      | 'passWithNoCases'
      | 'trustSuites'
      | 'record'
      | 'audit'
      | 'allowStale'
      | 'retries'
    >
  > & {
    /** Files and folders; default: `evals`. */
    readonly paths?: string | readonly string[]
    /** Tools that every case has besides its own, from `defineTool`. */
    readonly tools?: readonly ProvidedTool[]
    /** Told as things happen. What it throws does not affect the run, and is told by `onNotice`. */
    readonly on?: RunListener
  }

export type SuitesResult = {
  /** What the command line would exit with: 0 where all passed, 1 where something failed, 3 and 4 for errors and stale cases. */
  readonly exitCode: number
  /** All of run.json; null where there was no case to run or the results could not be kept. */
  readonly run: RunResult | null
  /** Warnings about suites and skills. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Runs suites and returns their results, which are also kept below `reports/`. Prints nothing. Throws an
 * InvalidInputError (all mistakes of the files in `diagnostics`) or a UsageError before anything was run.
 */
export const runSuites = async (options: SuitesOptions = {}): Promise<SuitesResult> => {
  const [{ checkOptions }, { suitesOptionsSchema }] = await Promise.all([
    import('../app/check-options.ts'),
    import('./options.ts'),
  ])
  checkOptions<SuitesOptions>('runSuites', suitesOptionsSchema, options)
  const { on = {}, tools = [], config, models, filter, tags, skills, trials, concurrency, bail } = options
  const { maxCostUsd, seed, baseline, minLift, record, audit, retries } = options
  const { passWithNoCases = false, trustSuites = false, allowStale = false } = options
  if (tools.length > 0) await (await import('../app/check-tools.ts')).checkTools(tools)
  if (baseline !== undefined && tools.length > 0) {
    // A stored baseline is known by files; nobody could tell by them which tools it was run with.
    throw new UsageError('baseline_and_tools', '`baseline` and `tools` do not go together')
  }
  const diagnostics: Diagnostic[] = []
  let printed = ''
  const host = libraryHost(options, (text) => {
    printed += text
  })
  const { runEvals } = await import('../app/run-evals.ts')
  // An option that is given as undefined is one that is not given.
  const chosen = Object.fromEntries(
    Object.entries({
      ...{ config, models, filter, tags, skills, trials, concurrency, bail, maxCostUsd },
      ...{ seed, baseline, minLift, record, audit, retries },
    }).filter(([, value]) => value !== undefined),
  ) as Partial<RunOptions>
  const asked: RunOptions = {
    ...chosen,
    ...{ passWithNoCases, trustSuites, allowStale, paths: pathList(options), tools },
    ...{ reporters: [], json: true, quiet: true, list: false, dryRun: false, command: [] },
  }
  const exitCode = await runEvals(asked, host, {
    diagnostics: async (found) => {
      diagnostics.push(...found)
    },
    listener: () => on,
  })
  return { exitCode, run: printed === '' ? null : (JSON.parse(printed) as RunResult), diagnostics }
}

/** One path may stand alone. */
export const pathList = ({ paths = [] }: Pick<SuitesOptions, 'paths'>): readonly string[] =>
  typeof paths === 'string' ? [paths] : paths
