import { auditRuns } from '../app/audit-runs.ts'
import { checkHistoryText } from '../report/check-history-report.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

export type AuditRunsFlags = CommonOptions & { readonly minTrials: number }

/** Prints which checks never failed in stored runs, and which always did. */
export const auditRunsFromCli = async (wanted: readonly string[], flags: AuditRunsFlags): Promise<number> => {
  const host = processHost(flags.C)
  const history = auditRuns(wanted, { config: flags.config, minTrials: flags.minTrials }, host)
  if (flags.json) host.stdout(`${JSON.stringify(history, null, 2)}\n`)
  else {
    host.stdout(await checkHistoryText(history, { color: host.color, width: host.width }))
  }
  return 0
}
