import { join, resolve } from 'node:path'
import type * as z from 'zod'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import type { RunResult } from '../core/results.ts'
import { parseJson } from '../lib/json.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { runSchema } from '../schema/run.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { findProject } from './project.ts'

/** run.json without its suites: what a list needs. */
export const storedHeadSchema = runSchema.omit({ suites: true })
export type StoredHead = z.output<typeof storedHeadSchema>

/** A finished run as it was found; `problem` where its run.json is none that we can read. */
export type StoredRun = { readonly id: string } & ({ readonly head: StoredHead } | { readonly problem: string })

export const maxRunBytes = 256 * 1024 * 1024
const maxHeadBytes = 1024 * 1024

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
export const storedRunIds = (folder: string, host: Host): readonly string[] => runIdsWith('run.json', folder, host)

/** The folders of runs that have this file, newest first. */
export const runIdsWith = (file: string, folder: string, host: Host): readonly string[] =>
  host.files
    .list(folder)
    .flatMap(({ name, kind, isLink }) => (kind === 'dir' && !isLink && runId.test(name) ? [name] : []))
    .filter((name) =>
      host.files
        .list(join(folder, name))
        .some((entry) => entry.name === file && entry.kind === 'file' && !entry.isLink),
    )
    .reverse()

const runId = /^\d{8}-\d{6}-\d{3}-[\da-f]{6}$/

/** What the start of a run.json says of its run; only one that is not laid out as ours is read whole. */
export const readStoredRun = (folder: string, id: string, host: Host): StoredRun =>
  readHeadAt(join(folder, id, 'run.json'), id, host)

/** The same for a run.json wherever it lies. */
export const readHeadAt = (path: string, id: string, host: Host): StoredRun => {
  try {
    const { text } = host.files.readHead(path, maxHeadBytes)
    // No line break is inside a string of JSON: what stands before the suites is all of the head.
    const end = text.indexOf(',\n"suites":')
    const json = end === -1 ? host.files.readText(path, maxRunBytes) : `${text.slice(0, end)}}`
    const parsed = parseJson(json)
    if (!parsed.ok) return { id, problem: `it is not JSON: ${parsed.message}` }
    const checked = checkedBy(storedHeadSchema, parsed.value)
    return checked.ok
      ? { id, head: checked.data }
      : { id, problem: `it is no skills-eval/run@1: ${told(checked.issues)}` }
  } catch (error) {
    if (error instanceof SkillsEvalError) return { id, problem: error.message }
    throw error
  }
}

/**
 * The run that is meant: `latest`, `previous` (the one before it), an id or how the only one starts, a run.json, or a
 * folder with one. It may come from anywhere: it is checked whole. Throws a UsageError where it is none.
 */
export const findStoredRun = (wanted: string, folder: string, host: Host): RunResult =>
  readRun(storedRunPath(wanted, folder, host), host)

/** Where the run.json of the run that is meant lies, as for `findStoredRun`. */
export const storedRunPath = (wanted: string, folder: string, host: Host): string =>
  pathIn(folder, 'run.json', wanted, host)

/** The path of this file of the run that is meant. Throws a UsageError where there is none. */
export const pathIn = (folder: string, file: string, wanted: string, host: Host): string => {
  const ids = runIdsWith(file, folder, host)
  const place = { latest: 0, previous: 1 }[wanted]
  if (place !== undefined) {
    const id = ids[place]
    if (id !== undefined) return join(folder, id, file)
    throw new UsageError('no_runs', `there is no ${wanted} run in ${folder}`, {
      hint: '`skills-eval run` leaves one each time.',
    })
  }
  if (ids.includes(wanted)) return join(folder, wanted, file)
  const path = resolve(host.cwd, wanted)
  const kind = host.files.stat(path)?.kind
  if (kind !== undefined) return kind === 'dir' ? join(path, file) : path
  const [first, ...others] = ids.filter((id) => id.startsWith(wanted))
  const begun = file === 'run.json' && runIdsWith('run-state.json', folder, host).find((id) => id.startsWith(wanted))
  const hint = begun
    ? `${begun} did not come to its end. To go on: skills-eval run --resume ${begun}`
    : '`skills-eval runs list` shows all; a path to a run.json works too.'
  if (first === undefined)
    throw new UsageError('no_run', `there is no ${begun ? 'finished ' : ''}run ${visibleLine(wanted)}`, { hint })
  if (others.length > 0)
    throw new UsageError('many_runs', `${others.length + 1} runs start with ${visibleLine(wanted)}`, { hint })
  return join(folder, first, file)
}

/** A run.json, checked whole. Throws a UsageError where it is none. */
export const readRun = (path: string, { files }: Pick<Host, 'files'>): RunResult => {
  const refuse = (problem: string): never => {
    throw new UsageError('bad_run', `${visibleLine(path, 500)} can't be used: ${problem}`)
  }
  const parsed = parseJson(files.readText(path, maxRunBytes))
  if (!parsed.ok) return refuse(`it is not JSON: ${parsed.message}`)
  const checked = checkedBy(runSchema, parsed.value)
  if (!checked.ok) return refuse(`it is no skills-eval/run@1: ${told(checked.issues)}`)
  const repeated = firstRepeated(checked.data)
  return repeated === undefined ? checked.data : refuse(`it has ${visibleLine(repeated)} twice`)
}

export const told = (issues: readonly z.core.$ZodIssue[]): string => {
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return first ? `${visibleLine(first.path.join('.'))}: ${visibleLine(first.message)}${more}` : 'it is not valid'
}

/** A case or trial that stands there twice would count twice. */
const firstRepeated = ({ suites }: RunResult): string | undefined => {
  const seen = new Set<string>()
  for (const { name, cases } of suites) {
    for (const { id, model, trials } of cases) {
      const key = JSON.stringify([name, id, model])
      if (seen.has(key)) return `the case ${name}/${id}`
      seen.add(key)
      if (new Set(trials.map(({ n }) => n)).size < trials.length) return `a trial of ${name}/${id}`
    }
  }
  return undefined
}
