import { parseReporter } from '../app/chosen-reporters.ts'
import { reportRun } from '../app/report-run.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

export type ReportFlags = CommonOptions & { readonly reporter?: readonly string[] }

/** Renders the reports of a stored run again; returns the exit code. */
export const reportFromCli = async (run: string, flags: ReportFlags): Promise<number> =>
  reportRun(
    {
      run,
      ...(flags.config === undefined ? {} : { config: flags.config }),
      reporters: (flags.reporter ?? []).map(parseReporter),
      json: flags.json === true,
      quiet: flags.quiet === true,
    },
    processHost(flags.C),
  )
