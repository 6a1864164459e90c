import { join, relative, resolve, sep } from 'node:path'
import { parseArmName } from '../core/arm.ts'
import { UsageError } from '../core/errors.ts'
import { canonicalJson } from '../lib/hash.ts'
import type { RunState } from '../schema/run-state.ts'
import type { Host } from './host.ts'
import type { Project } from './project.ts'
import type { RunOptions } from './run-options.ts'

type Stored = RunState['options']

/** What is of one session of a run only. */
const ownOptions = [
  'bail',
  'json',
  'quiet',
  'list',
  'dryRun',
  'passWithNoCases',
  'resume',
  'rerun',
  'rerunOf',
  'command',
  'tools',
] as const
/** What may be another in each session: it changes neither which trials there are nor how one of them may end. */
const freeOptions: ReadonlySet<string> = new Set([
  'reporters',
  'concurrency',
  'maxCostUsd',
  'retries',
  'minLift',
  'audit',
  'freshBaseline',
])

/** The options as the state of a run keeps them: paths relative to the project. */
export const storedOptions = (options: RunOptions, project: Project, host: Placed): Stored => {
  const own: ReadonlySet<string> = new Set(ownOptions)
  const kept = Object.fromEntries(Object.entries(options).filter(([key]) => !own.has(key)))
  const place = (path: string) => relative(project.dir, resolve(host.cwd, path)).split(sep).join('/') || '.'
  return {
    ...kept,
    allowStale: options.allowStale,
    trustSuites: options.trustSuites,
    paths: options.paths.map(place),
    ...(options.config === undefined ? {} : { config: place(options.config) }),
    ...(isFolderOfSkills(options.baseline) ? { baseline: place(options.baseline) } : {}),
    ...(isThere(options.timings, host.cwd, host) ? { timings: place(options.timings) } : {}),
    reporters: options.reporters.map((one) => (one.path === undefined ? one : { ...one, path: place(one.path) })),
  }
}

type Placed = Pick<Host, 'cwd' | 'files'>

/** And no name of an arm. */
const isFolderOfSkills = (baseline: string | undefined): baseline is string => {
  const kind = baseline === undefined ? undefined : (parseArmName(baseline)?.kind ?? 'version')
  return kind === 'version'
}

/** A run is named by its id, too. */
const isThere = (path: string | undefined, from: string, { files }: Placed): path is string =>
  path !== undefined && files.stat(resolve(from, path)) !== undefined

/**
 * The options of a run that goes on: those it was started with. What is given again must be the same, unless it is
 * free to change. Throws a UsageError naming what is not.
 */
export const resumedOptions = (given: RunOptions, stored: Stored, project: Project, host: Host): RunOptions => {
  const again: Readonly<Record<string, unknown>> = storedOptions(given, project, host)
  const before: Readonly<Record<string, unknown>> = stored
  const changed = Object.keys({ ...before, ...again }).filter(
    (key) => isGiven(again[key]) && !freeOptions.has(key) && canonicalJson(again[key]) !== canonicalJson(before[key]),
  )
  if (changed.length > 0) {
    throw new UsageError(
      'other_plan',
      `the run was started with other options: ${changed.map((key) => told(key, before)).join('; ')}`,
      { hint: 'Leave them out to go on with it, or start a new run.' },
    )
  }
  return startedOptions(given, stored, project, host)
}

/** What is given, and else what another run was started with. Throws a UsageError where that was trusted and this is not. */
export const startedOptions = (given: RunOptions, stored: Stored, project: Project, host: Placed): RunOptions => {
  if (stored.trustSuites && !given.trustSuites) {
    throw new UsageError('trust_again', 'the run was started with --trust-suites', {
      hint: 'Trust is not taken over from a file: give --trust-suites again.',
    })
  }
  const place = (path: string) => relative(host.cwd, join(project.dir, path)) || '.'
  const { reporters = [] } = stored
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => isGiven(value)))
  return {
    ...given,
    ...stored,
    paths: stored.paths.map(place),
    ...(stored.config === undefined ? {} : { config: place(stored.config) }),
    ...(isFolderOfSkills(stored.baseline) ? { baseline: place(stored.baseline) } : {}),
    ...(isThere(stored.timings, project.dir, host) ? { timings: place(stored.timings) } : {}),
    ...chosen,
    reporters:
      given.reporters.length > 0 || given.json
        ? given.reporters
        : reporters.map((one) => (one.path === undefined ? one : { ...one, path: place(one.path) })),
  } as RunOptions
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

const words: Readonly<Record<string, string>> = {
  models: '--model',
  tags: '--tag',
  skills: '--skill',
  maxCostUsd: '--max-cost',
}

const told = (key: string, stored: Readonly<Record<string, unknown>>): string => {
  const name =
    words[key] ?? (key === 'paths' ? 'paths' : `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
  const value = stored[key]
  if (!isGiven(value)) return `${name} was not given`
  if (value === true) return name
  return `${name} ${Array.isArray(value) ? value.join(' ') : typeof value === 'object' ? JSON.stringify(value) : value}`
}
