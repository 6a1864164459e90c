import { planPrune, pruneRuns } from '../app/prune-runs.ts'
import { renderRun } from '../app/show-run.ts'
import { findStoredRun, readStoredRun, reportsFolder, type StoredRun, storedRunIds } from '../app/stored-runs.ts'
import { storedRunsText } from '../report/stored-runs-report.ts'
import { askBeforeDeleting } from './ask-before-deleting.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

export type RunsFlags = CommonOptions & { readonly limit: number }
export type PruneFlags = CommonOptions & { readonly keep: number; readonly yes?: boolean }

const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)

/** Prints a row for each stored run; one that can't be read is a row too. */
export const listFromCli = async (flags: RunsFlags): Promise<number> => {
  const host = processHost(flags.C)
  const folder = reportsFolder(host, flags.config)
  const ids = storedRunIds(folder, host)
  const runs = ids.slice(0, flags.limit).map((id) => readStoredRun(folder, id, host))
  if (flags.json) {
    printJson({ total: ids.length, runs: runs.map(asData) })
    return 0
  }
  host.stdout(await storedRunsText(runs, ids.length, { color: host.color, width: host.width }))
  return 0
}

const asData = (run: StoredRun) => {
  if ('problem' in run) return { id: run.id, unreadable: run.problem }
  const { started_at, duration_ms, command, git, interrupted, summary } = run.head
  const { cases, trials, passed, failed, errors, stale, skipped, pass_rate, interval, cost_usd } = summary
  return {
    id: run.id,
    started_at,
    duration_ms,
    command,
    git,
    ...(interrupted === undefined ? {} : { interrupted }),
    ...{ cases, trials, passed, failed, errors, stale, skipped, pass_rate, interval, cost_usd },
  }
}

/** Prints the terminal report of a stored run again, or its run.json. */
export const showFromCli = async (wanted: string, flags: CommonOptions): Promise<number> => {
  const host = processHost(flags.C)
  const run = findStoredRun(wanted, reportsFolder(host, flags.config), host)
  const reporter = flags.json
    ? (await import('../report/json-report.ts')).jsonReporter()
    : await (await import('../report/terminal-report.ts')).terminalReporter({ color: host.color, width: host.width })
  host.stdout(renderRun(run, reporter))
  return 0
}

/** Deletes finished runs beyond the newest, after asking. */
export const pruneFromCli = async (flags: PruneFlags): Promise<number> => {
  const host = processHost(flags.C)
  const folder = reportsFolder(host, flags.config)
  const { ids, unreadable, baselines } = planPrune(folder, flags.keep, host)
  const count = ids.length + baselines.length
  for (const id of unreadable) host.stderr(`${id} stays: its run.json can't be read\n`)
  if (!flags.json) {
    for (const id of ids) host.stderr(`${id}\n`)
    for (const digest of baselines) host.stderr(`baselines/${digest}\n`)
  }
  if (count > 0 && !flags.yes && !(await askBeforeDeleting(count))) {
    host.stderr('nothing was deleted\n')
    return 0
  }
  pruneRuns(folder, { ids, baselines })
  if (flags.json) printJson({ deleted: ids, baselines })
  else host.stdout(`${count} deleted\n`)
  return 0
}
