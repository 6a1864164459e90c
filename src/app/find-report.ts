import { basename, dirname, join } from 'node:path'
import { UsageError } from '../core/errors.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Host } from './host.ts'
import { armFolder, namedRun, resultFile, rowsFile, stateFile } from './run-folders.ts'
import { type StoredReport, storedReport } from './stored-report.ts'
import { unfinishedReport } from './unfinished-report.ts'

/** Where a run that can be reported lies: its folder, and its run.json once it has ended. */
export type ReportSource = { readonly folder: string; readonly runFile: string | undefined }

/**
 * The run that is meant: `latest`, `previous`, an id or how the only one starts, a run.json, or a folder with one; also
 * one that goes on or was killed. Throws a UsageError where there is none.
 */
export const findReport = (wanted: string, reports: string, host: Host): ReportSource => {
  const named = namedRun(wanted, [resultFile, rowsFile], reports, host)
  if ('id' in named) return sourceIn(join(reports, named.id), host)
  return named.kind === 'dir' ? sourceIn(named.path, host) : fromFile(named.path, host)
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
  const path = join(armFolder(folder), resultFile)
  if (host.files.stat(path)?.kind !== 'file') return undefined
  try {
    return storedReport(path, host)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

const sourceIn = (folder: string, host: Host): ReportSource => {
  const has = (file: string) => host.files.stat(join(folder, file))?.kind === 'file'
  if (has(resultFile)) return { folder, runFile: join(folder, resultFile) }
  if (has(rowsFile) && has(stateFile)) return { folder, runFile: undefined }
  throw new UsageError(
    'no_run',
    `${visibleLine(folder, 500)} has no run.json, and no results of a run that did not end`,
  )
}

/** Any name will do for a run.json; results.jsonl stands for the run that it is of. */
const fromFile = (path: string, host: Host): ReportSource =>
  basename(path) === rowsFile ? sourceIn(dirname(path), host) : { folder: dirname(path), runFile: path }
