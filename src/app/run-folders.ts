import { join, resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { FileKind } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { findProject } from './project.ts'

/** The folder of a run: its result, its trials as they end, and what it needs to go on. */
export const resultFile = 'run.json'
export const rowsFile = 'results.jsonl'
export const stateFile = 'run-state.json'

/** Of a run with a baseline: the folder of the other arm, which holds the same files. */
export const armFolder = (folder: string): string => join(folder, 'baseline')

/** Where the runs of the project that the working folder is in are kept. */
export const reportsFolder = (host: Host, config?: string): string => {
  const project = findProject(host.cwd, host.home, host.files)
  const explicit = config === undefined ? undefined : resolve(host.cwd, config)
  return resolve(project.dir, loadConfig(project, host, explicit).reports ?? 'reports')
}

/**
 * The finished runs in a folder, newest first: an id starts with its time. A link is no run, and neither is a folder
 * without run.json: that run goes on, or crashed and may be resumed.
 */
export const storedRunIds = (reports: string, host: Host): readonly string[] => runIdsWith(resultFile, reports, host)

/** Those that were begun and have no run.json, newest first. */
export const unfinishedRunIds = (reports: string, host: Host): readonly string[] => {
  const finished = new Set(storedRunIds(reports, host))
  return runIdsWith(stateFile, reports, host).filter((id) => !finished.has(id))
}

/** The folders of runs that have this file, newest first. */
export const runIdsWith = (file: string, reports: string, host: Host): readonly string[] =>
  host.files
    .list(reports)
    .flatMap(({ name, kind, isLink }) => (kind === 'dir' && !isLink && runId.test(name) ? [name] : []))
    .filter((name) =>
      host.files
        .list(join(reports, name))
        .some((entry) => entry.name === file && entry.kind === 'file' && !entry.isLink),
    )
    .reverse()

const runId = /^\d{8}-\d{6}-\d{3}-[\da-f]{6}$/

/** What a name of a run led to: an id, or something that lies at this path. */
export type NamedRun = { readonly id: string } | { readonly path: string; readonly kind: FileKind }

/**
 * The run that is meant among those that have one of these files: `latest`, `previous` (the one before it), an id or how
 * the only one starts; or a path, whatever lies there. Throws a UsageError where there is none.
 */
export const namedRun = (wanted: string, having: readonly string[], reports: string, host: Host): NamedRun => {
  const ids = [...new Set(having.flatMap((file) => runIdsWith(file, reports, host)))].sort().reverse()
  const place = { latest: 0, previous: 1 }[wanted]
  if (place !== undefined) {
    const id = ids[place]
    if (id !== undefined) return { id }
    throw new UsageError('no_runs', `there is no ${wanted} run in ${reports}`, {
      hint: '`skills-eval run` leaves one each time.',
    })
  }
  if (ids.includes(wanted)) return { id: wanted }
  const path = resolve(host.cwd, wanted)
  const kind = host.files.stat(path)?.kind
  if (kind !== undefined) return { path, kind }
  const starting = ids.filter((id) => id.startsWith(wanted))
  const begun = starting.length === 0 && unfinishedRunIds(reports, host).find((id) => id.startsWith(wanted))
  if (begun) {
    throw new UsageError('no_run', `there is no finished run ${visibleLine(wanted)}`, {
      hint: `${begun} did not come to its end. To go on: skills-eval run --resume ${begun}`,
    })
  }
  return { id: onlyRun(wanted, starting, '`skills-eval runs list` shows all; a path to a run.json works too.') }
}

/** The one id of those that start as was wanted. Throws a UsageError where there are none or several. */
export const onlyRun = (wanted: string, starting: readonly string[], hint: string): string => {
  const [first, ...others] = starting
  if (first === undefined) throw new UsageError('no_run', `there is no run ${visibleLine(wanted)}`, { hint })
  if (others.length > 0)
    throw new UsageError('many_runs', `${starting.length} runs start with ${visibleLine(wanted)}`, { hint })
  return first
}
