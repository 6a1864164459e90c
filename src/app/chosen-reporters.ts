import { dirname, resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { Config } from '../schema/config.ts'
import { reporterNames } from '../schema/reporter-names.ts'
import type { Host } from './host.ts'
import type { Project } from './project.ts'
import type { ReporterChoice, RunOptions } from './run-options.ts'

/**
 * What a run reports besides what it leaves in its folder; paths are absolute. Those of the command line, else those of
 * the configuration, whose paths are relative to the project. `--json` prints run.json alone; otherwise the terminal
 * report, unless another reporter prints to stdout. Throws a UsageError for what could not be written.
 */
export const chosenReporters = (
  options: Pick<RunOptions, 'reporters' | 'json'>,
  config: Config,
  project: Project,
  host: Pick<Host, 'cwd' | 'files'>,
): readonly ReporterChoice[] => {
  const chosen =
    options.reporters.length > 0
      ? options.reporters.map((choice) => inFolder(choice, host.cwd))
      : (config.reporters ?? []).map((written) => inFolder(parseReporter(written), project.dir))
  for (const { path } of chosen) if (path !== undefined) requireWritable(path, host)
  const toFiles = chosen.filter((choice) => choice.path !== undefined)
  const toStdout = chosen.filter((choice) => choice.path === undefined)
  requireOneText(toStdout)
  requireDifferent(toFiles)
  if (options.json) return [...toFiles, { name: 'json' }]
  const printed: readonly ReporterChoice[] = toStdout.length > 0 ? toStdout : [{ name: 'terminal' }]
  return [...toFiles, ...printed.toSorted((a, b) => Number(a.name === 'github') - Number(b.name === 'github'))]
}

/** `junit=reports/junit.xml` or `github`; throws a UsageError for a name that is none, and for an empty path. */
export const parseReporter = (written: string): ReporterChoice => {
  const [name = '', ...rest] = written.split('=')
  const found = reporterNames.find((candidate) => candidate === name)
  if (!found)
    throw new UsageError('unknown_reporter', `there is no reporter "${name}"`, {
      hint: `There is: ${reporterNames.join(', ')}.`,
    })
  if (rest.length === 0) return { name: found }
  const path = rest.join('=')
  if (path === '') {
    throw new UsageError('no_report_path', `--reporter ${written} names no file`, {
      hint: `Write ${found}=PATH, or ${found} alone to print to stdout.`,
    })
  }
  return { name: found, path }
}

const inFolder = ({ name, path }: ReporterChoice, folder: string): ReporterChoice =>
  path === undefined ? { name } : { name, path: resolve(folder, path) }

/** What is found out before the run costs nothing. */
const requireWritable = (path: string, { files }: Pick<Host, 'files'>): void => {
  const there = files.stat(path)
  if (there?.kind === 'dir') throw new UsageError('report_is_folder', `the report ${path} is a folder: name a file`)
  // A report replaces what was at its path: a device or a pipe must not be replaced.
  if (there?.kind === 'other') {
    throw new UsageError('report_is_no_file', `the report ${path} is no regular file`, {
      hint: 'A reporter without a path prints to stdout.',
    })
  }
  let above = dirname(path)
  while (files.stat(above) === undefined && dirname(above) !== above) above = dirname(above)
  if (files.stat(above)?.kind !== 'dir')
    throw new UsageError('report_in_file', `the report ${path} can't be written: ${above} is no folder`)
}

/** Annotations come at the end, so they may follow the terminal report; two other texts would mix. */
const requireOneText = (toStdout: readonly ReporterChoice[]): void => {
  const names = toStdout.map(({ name }) => name)
  const texts = names.includes('terminal') ? names.filter((name) => name !== 'github') : names
  if (texts.length < 2) return
  throw new UsageError('mixed_output', `${names.join(' and ')} can't both print to stdout`, {
    hint: `Give one of them a file: --reporter ${names.at(-1)}=PATH.`,
  })
}

const requireDifferent = (toFiles: readonly ReporterChoice[]): void => {
  const paths = toFiles.map(({ path }) => path)
  const twice = paths.find((path, i) => paths.indexOf(path) !== i)
  if (twice !== undefined) throw new UsageError('same_report', `two reporters write to ${twice}`)
}
