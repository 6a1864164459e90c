import { join } from 'node:path'
import type * as z from 'zod'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import type { RunResult } from '../core/results.ts'
import { parseJson } from '../lib/json.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { runSchema } from '../schema/run.ts'
import type { Host } from './host.ts'
import { namedRun, resultFile } from './run-folders.ts'

/** run.json without its suites: what a list needs. */
export const storedHeadSchema = runSchema.omit({ suites: true })
export type StoredHead = z.output<typeof storedHeadSchema>

/** A finished run as it was found; `problem` where its run.json is none that we can read. */
export type StoredRun = { readonly id: string } & ({ readonly head: StoredHead } | { readonly problem: string })

export const maxRunBytes = 256 * 1024 * 1024
const maxHeadBytes = 1024 * 1024

/** What the start of a run.json says of its run; only one that is not laid out as ours is read whole. */
export const readStoredRun = (folder: string, id: string, host: Host): StoredRun =>
  readHeadAt(join(folder, id, resultFile), id, host)

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
export const storedRunPath = (wanted: string, reports: string, host: Host): string =>
  pathIn(reports, resultFile, wanted, host)

/** The path of this file of the run that is meant. Throws a UsageError where there is none. */
export const pathIn = (reports: string, file: string, wanted: string, host: Host): string => {
  const named = namedRun(wanted, [file], reports, host)
  if ('id' in named) return join(reports, named.id, file)
  return named.kind === 'dir' ? join(named.path, file) : named.path
}

/** A run.json, checked whole. Throws a UsageError where it is none. */
export const readRun = (path: string, { files }: Pick<Host, 'files'>): RunResult => {
  const refuse = (problem: string): never => {
    throw refusedRun(path, problem)
  }
  const parsed = parseJson(files.readText(path, maxRunBytes))
  if (!parsed.ok) return refuse(`it is not JSON: ${parsed.message}`)
  const checked = checkedBy(runSchema, parsed.value)
  if (!checked.ok) return refuse(`it is no skills-eval/run@1: ${told(checked.issues)}`)
  const repeated = firstRepeated(checked.data)
  return repeated === undefined ? checked.data : refuse(`it has ${visibleLine(repeated)} twice`)
}

export const refusedRun = (path: string, problem: string): UsageError =>
  new UsageError('bad_run', `${visibleLine(path, 500)} can't be used: ${visibleLine(problem, 500)}`)

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
