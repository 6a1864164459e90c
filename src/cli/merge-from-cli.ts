import { parseReporter } from '../app/chosen-reporters.ts'
import { mergeRuns } from '../app/merge-runs.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

export type MergeFlags = CommonOptions & { readonly partial?: boolean; readonly reporter?: readonly string[] }

/** Makes one run of its shards; returns the exit code that the whole run would have had. */
export const mergeFromCli = async (runs: readonly string[], flags: MergeFlags): Promise<number> =>
  mergeRuns(
    {
      runs,
      ...(flags.config === undefined ? {} : { config: flags.config }),
      reporters: (flags.reporter ?? []).map(parseReporter),
      json: flags.json === true,
      quiet: flags.quiet === true,
      partial: flags.partial === true,
      command: process.argv.slice(2),
    },
    processHost(flags.C),
  )
