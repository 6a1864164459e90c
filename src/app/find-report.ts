import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Host } from './host.ts'
import { type StoredReport, storedReport } from './stored-report.ts'
import { runIdsWith } from './stored-runs.ts'
import { unfinishedReport } from './unfinished-report.ts'

/** Where a run that can be reported lies: its folder, and its run.json once it has ended. */
export type ReportSource = { readonly folder: string; readonly runFile: string | undefined }

/**
 * The run that is meant: `latest`, `previous`, an id or how the only one starts, a run.json, or a folder with one; also
 * one that goes on or was killed. Throws a UsageError where there is none.
 */
export const findReport = (wanted: string, reports: string, host: Host): ReportSource => {
  const ids = reportableIds(reports, host)
  const place = { latest: 0, previous: 1 }[wanted]
  if (place !== undefined) {
    const id = ids[place]
    if (id !== undefined) return sourceIn(join(reports, id), host)
    throw new UsageError('no_runs', `there is no ${wanted} run in ${reports}`, {
      hint: '`skills-eval run` leaves one each time.',
    })
  }
  if (ids.includes(wanted)) return sourceIn(join(reports, wanted), host)
  const path = resolve(host.cwd, wanted)
  const kind = host.files.stat(path)?.kind
  if (kind === 'dir') return sourceIn(path, host)
  if (kind === 'file') return fromFile(path, host)
  const [first, ...others] = ids.filter((id) => id.startsWith(wanted))
  const hint = '`skills-eval runs list` shows all; a path to a run.json works too.'
  if (first === undefined) throw new UsageError('no_run', `there is no run ${visibleLine(wanted)}`, { hint })
  if (others.length > 0)
    throw new UsageError('many_runs', `${others.length + 1} runs start with ${visibleLine(wanted)}`, { hint })
  return sourceIn(join(reports, first), host)
}

/** Reads it; a run without a run.json as far as it has come. The caller closes it. */
export const openReport = async ({ folder, runFile }: ReportSource, host: Host): Promise<StoredReport> => {
  if (runFile === undefined) return unfinishedReport(folder, host)
  const report = storedReport(runFile, host)
  const arm = report.head.baseline === undefined ? undefined : armBeside(folder, host)
  return { ...report, ...(arm === undefined ? {} : { otherArm: arm.cases }) }
}

/** The other arm of a run with a baseline, if it is still there and can be read: a report without it is a report. */
const armBeside = (folder: string, host: Host): StoredReport | undefined => {
  const path = join(folder, 'baseline', 'run.json')
  if (host.files.stat(path)?.kind !== 'file') return undefined
  try {
    return storedReport(path, host)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** Newest first. */
const reportableIds = (reports: string, host: Host): readonly string[] => {
  const ids = ['run.json', 'results.jsonl'].flatMap((file) => runIdsWith(file, reports, host))
  return [...new Set(ids)].sort().reverse()
}

const sourceIn = (folder: string, host: Host): ReportSource => {
  const has = (file: string) => host.files.stat(join(folder, file))?.kind === 'file'
  if (has('run.json')) return { folder, runFile: join(folder, 'run.json') }
  if (has('results.jsonl') && has('run-state.json')) return { folder, runFile: undefined }
  throw new UsageError(
    'no_run',
    `${visibleLine(folder, 500)} has no run.json, and no results of a run that did not end`,
  )
}

/** Any name will do for a run.json; results.jsonl stands for the run that it is of. */
const fromFile = (path: string, host: Host): ReportSource =>
  basename(path) === 'results.jsonl' ? sourceIn(dirname(path), host) : { folder: dirname(path), runFile: path }
