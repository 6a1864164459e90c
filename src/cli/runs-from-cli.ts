import type { Host } from '../app/host.ts'
import { planPrune, pruneRuns } from '../app/prune-runs.ts'
import { reportsFolder, storedRunIds, unfinishedRunIds } from '../app/run-folders.ts'
import { renderRun } from '../app/show-run.ts'
import { findStoredRun, readStoredRun, type StoredRun } from '../app/stored-runs.ts'
import { findUnfinished, readUnfinished, type UnfinishedRun } from '../app/unfinished-runs.ts'
import { UsageError } from '../core/errors.ts'
import { placeOfFlags } from '../report/place-words.ts'
import { storedRunsText } from '../report/stored-runs-report.ts'
import { type UnfinishedRunRow, unfinishedRunText } from '../report/unfinished-run-report.ts'
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
  const unfinished = new Set(unfinishedRunIds(folder, host))
  const ids = [...storedRunIds(folder, host), ...unfinished].sort().reverse()
  const runs: (StoredRun | UnfinishedRun)[] = []
  for (const id of ids.slice(0, flags.limit)) {
    const isUnfinished = unfinished.has(id)
    runs.push(
      isUnfinished ? await readUnfinished(folder, id, host, placeOfFlags(flags)) : readStoredRun(folder, id, host),
    )
  }
  if (flags.json) {
    printJson({ total: ids.length, runs: runs.map(asData) })
    return 0
  }
  host.stdout(await storedRunsText(runs, ids.length, { color: host.color, width: host.width }))
  return 0
}

const unfinishedData = (run: UnfinishedRunRow) => ({
  id: run.id,
  unfinished: true,
  going_on: run.isGoingOn,
  started_at: run.startedAt,
  duration_ms: run.durationMs,
  command: run.command,
  trials: run.trials,
  planned_trials: run.planned ?? null,
  ended: Object.fromEntries(run.ended),
  resume: run.resume,
})

const asData = (run: StoredRun | UnfinishedRun) => {
  if ('problem' in run) return { id: run.id, unreadable: run.problem }
  if ('unfinished' in run) return unfinishedData(run.unfinished)
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

/** Prints the terminal report of a stored run again, or its run.json; of one that did not end what is there. */
export const showFromCli = async (wanted: string, flags: CommonOptions): Promise<number> => {
  const host = processHost(flags.C)
  const folder = reportsFolder(host, flags.config)
  const begun = findUnfinished(wanted, folder, host)
  if (begun !== undefined)
    return showUnfinished(await readUnfinished(folder, begun, host, placeOfFlags(flags)), flags, host)
  if (wanted === 'latest') await tellOfNewer(folder, flags, host)
  const run = findStoredRun(wanted, folder, host)
  const reporter = flags.json
    ? (await import('../report/json-report.ts')).jsonReporter()
    : await (await import('../report/terminal-report.ts')).terminalReporter({ color: host.color, width: host.width })
  host.stdout(renderRun(run, reporter))
  return 0
}

const showUnfinished = (run: UnfinishedRun, { json }: CommonOptions, host: Host): number => {
  if ('problem' in run) throw new UsageError('bad_run', run.problem)
  if (json) printJson(unfinishedData(run.unfinished))
  else host.stdout(unfinishedRunText(run.unfinished))
  return 0
}

/** The latest run that can be shown may not be the latest one. */
const tellOfNewer = async (folder: string, flags: CommonOptions, host: Host): Promise<void> => {
  const [finished = ''] = storedRunIds(folder, host)
  const [begun] = unfinishedRunIds(folder, host)
  if (begun === undefined || begun < finished || flags.quiet) return
  const run = await readUnfinished(folder, begun, host, placeOfFlags(flags))
  if ('unfinished' in run) host.stderr(`a newer run, ${unfinishedRunText(run.unfinished)}`)
}

/** Deletes runs beyond the newest, after asking. */
export const pruneFromCli = async (flags: PruneFlags): Promise<number> => {
  const host = processHost(flags.C)
  const folder = reportsFolder(host, flags.config)
  const { ids, unfinished, unreadable, baselines } = await planPrune(folder, flags.keep, host)
  const count = ids.length + baselines.length
  for (const id of unreadable) host.stderr(`${id} stays: what it says of itself can't be read\n`)
  if (!flags.json) {
    for (const id of ids) host.stderr(`${id}${unfinished.includes(id) ? ' (unfinished)' : ''}\n`)
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
