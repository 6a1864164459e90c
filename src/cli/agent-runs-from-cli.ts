import { findRun, listRuns } from '../app/list-runs.ts'
import { placeOfFlags } from '../report/place-words.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)

/** Prints a row for each record, newest first; one that can't be read is a row too. */
export const listRunsFromCli = async (flags: CommonOptions & { readonly limit?: number }): Promise<number> => {
  const host = processHost(flags.C)
  const { runs, total } = listRuns(flags.limit ?? 20, host)
  if (flags.json) {
    printJson({
      total,
      runs: runs.map((listed) => ('run' in listed ? listed.run : { id: listed.id, unreadable: listed.problem })),
    })
    return 0
  }
  const { runsListText } = await import('../report/agent-run-report.ts')
  const width = process.stdout.isTTY ? host.width : Number.POSITIVE_INFINITY
  host.stdout(await runsListText(runs, total, { color: host.color, width }))
  return 0
}

/** Prints one record. */
export const showRunFromCli = async (id: string, flags: CommonOptions): Promise<number> => {
  const host = processHost(flags.C)
  const run = findRun(id, host, placeOfFlags(flags))
  if (flags.json) {
    printJson(run)
    return 0
  }
  const { agentRunText } = await import('../report/agent-run-report.ts')
  host.stdout(agentRunText(run, { color: host.color }))
  return 0
}

export type PromoteFlags = CommonOptions & { readonly to: string; readonly id?: string }

/** Makes a case of a recorded run. Exit 0 where the case does what the run did, else 1. */
export const promoteRunFromCli = async (wanted: string, flags: PromoteFlags): Promise<number> => {
  const host = processHost(flags.C)
  const [{ recordedRunOf }, { tellSavedCase }] = await Promise.all([
    import('../app/promote-run.ts'),
    import('./saved-case.ts'),
  ])
  return tellSavedCase(recordedRunOf(wanted, host, placeOfFlags(flags)), flags.to, flags, host)
}
