import { basename, join } from 'node:path'
import { UsageError } from '../core/errors.ts'
import { visibleLine } from '../lib/visible.ts'
import { chosenReporters } from './chosen-reporters.ts'
import { findReport, openReport, type ReportSource } from './find-report.ts'
import type { Host } from './host.ts'
import { findProject } from './project.ts'
import { reportsFolder, resultFile, rowsFile, stateFile } from './run-folders.ts'
import type { ReporterChoice, RunOptions } from './run-options.ts'
import type { StoredReport } from './stored-report.ts'
import { reportFiles, tellReporters } from './write-reports.ts'

export type ReportOptions = Pick<RunOptions, 'config' | 'reporters' | 'json' | 'quiet'> & {
  /** `latest`, `previous`, an id or how it starts, a folder, or a run.json. */
  readonly run: string
}

/**
 * `skills-eval report`: the reports of a stored run again, also of one that has not ended. Without a choice, the files in
 * its folder but run.json, and the terminal report. Returns 0, or 3 where one could not be written: how the run went is
 * said by its own exit code. Throws a UsageError for what is no run.
 */
export const reportRun = async (options: ReportOptions, host: Host): Promise<number> => {
  const source = findReport(options.run, reportsFolder(host, options.config), host)
  const report = await openReport(source, host)
  try {
    const chosen = chosenReporters(options, {}, findProject(host.cwd, host.home, host.files), host)
    const isFree = options.reporters.length === 0
    const own = isFree && !options.json ? ownFiles(source) : []
    const choices = [...own, ...chosen]
    requireOther(choices, source)
    if (!options.quiet) host.stderr(unfinishedLine(report))
    const unwritten = await tellReporters(report.head, report.cases(), {
      choices,
      redact: (value) => value,
      otherArm: report.otherArm?.(),
      host,
    })
    if (own.length > 0 && !options.quiet) host.stderr(`written again: ${visibleLine(source.folder, 500)}\n`)
    for (const problem of unwritten) host.stderr(`error: ${visibleLine(problem, 2000)}\n`)
    return unwritten.length > 0 ? 3 : 0
  } finally {
    report.close()
  }
}

/**
 * run.json is what the others are made of: it is not written, least of all for a run that may go on. Beside a file with
 * another name lies who knows what: nothing is written there.
 */
const ownFiles = ({ folder, runFile }: ReportSource): readonly ReporterChoice[] =>
  runFile === undefined || basename(runFile) === resultFile
    ? reportFiles(folder).filter(({ name }) => name !== 'json')
    : []

/** A report must not replace what it is read from. */
const requireOther = (choices: readonly ReporterChoice[], { folder, runFile }: ReportSource): void => {
  const sources = [runFile, join(folder, rowsFile), join(folder, stateFile)]
  const same = choices.find(({ path }) => path !== undefined && sources.includes(path))
  if (same)
    throw new UsageError('report_is_source', `${visibleLine(same.path ?? '', 500)} is what the report is made of`)
}

const unfinishedLine = (report: StoredReport): string => {
  if (report.head.interrupted !== 'unfinished') return ''
  const { planned } = report
  const of = planned === undefined ? '' : ` of ${planned}`
  return `the run ${visibleLine(report.head.id)} has not ended: ${report.head.summary.cases}${of} cases are there\n`
}
