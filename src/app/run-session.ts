import { basename, dirname, join, resolve } from 'node:path'
import { systemIds } from '../adapters/clock/system-clock.ts'
import { makeFolder, writeText } from '../adapters/files/output-file.ts'
import { lockRun } from '../adapters/files/run-lock.ts'
import { jsonlStore, type ResumedStore, resumedStore } from '../adapters/store/jsonl-store.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { Clock, Store } from '../core/ports.ts'
import type { TrialRow } from '../core/results.ts'
import { parseJson } from '../lib/json.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import type { RunDeps } from '../runner/run-deps.ts'
import type { Config } from '../schema/config.ts'
import type { RunState } from '../schema/run-state.ts'
import type { Host } from './host.ts'
import { keptTrials } from './kept-trials.ts'
import { findProject, type Project, workingFolder } from './project.ts'
import { resumedOptions, storedOptions } from './resumed-options.ts'
import { reportsFolder, rowsFile, stateFile } from './run-folders.ts'
import type { RunOptions } from './run-options.ts'
import { pathIn, told } from './stored-runs.ts'

// A rerun names its cases, and may be of very many.
const maxStateBytes = 64 * 1024 * 1024

/** A run that was found to go on with. */
export type FoundRun = {
  readonly folder: string
  readonly state: RunState
}

/** The run that `--resume` means, and the options that it goes on with. Throws a UsageError where there is none. */
export const findRunToResume = async (
  given: RunOptions & { readonly resume: string },
  host: Host,
): Promise<FoundRun & { readonly options: RunOptions }> => {
  const path = pathIn(reportsFolder(host, given.config), stateFile, given.resume, host)
  if (host.files.stat(path)?.kind !== 'file') {
    throw new UsageError('no_resume', `${visibleLine(dirname(path), 500)} can't be resumed: it has no ${stateFile}`, {
      hint: 'Paths stand before --resume, or behind --resume=RUN. Runs of earlier versions and merged ones can not go on.',
    })
  }
  const state = await readRunState(path, host)
  const project = findProject(host.cwd, host.home, host.files)
  return { folder: dirname(path), state, options: resumedOptions(given, state.options, project, host) }
}

/** Throws a UsageError for what is none. */
export const readRunState = async (path: string, host: Host): Promise<RunState> => {
  const { runStateSchema } = await import('../schema/run-state.ts')
  const refuse = (problem: string): never => {
    throw new UsageError(
      'no_resume',
      `${visibleLine(dirname(path), 500)} can't be resumed: its ${stateFile} ${problem}`,
    )
  }
  const parsed = parseJson(host.files.readText(path, maxStateBytes))
  if (!parsed.ok) return refuse('is not JSON')
  const checked = checkedBy(runStateSchema, parsed.value)
  return checked.ok ? checked.data : refuse(`is no skills-eval/run-state@1: ${told(checked.issues)}`)
}

type Kept = NonNullable<RunDeps['kept']>

/** A stretch of work on a run: the first one, or one that goes on with it. */
export type RunSession = {
  readonly id: string
  readonly folder: string
  readonly startedAt: string
  readonly command: readonly string[]
  /** Where that command worked, relative to the project; undefined where that is the project itself. */
  readonly worksIn: string | undefined
  readonly store: Store
  /** The results of earlier sessions that may stand; `found` only looks at one that has the same inputs. */
  readonly earlier: { readonly kept: Kept; readonly found: Kept } | undefined
  /** How long the run has taken, earlier sessions with it. */
  durationMs(): number
  /** `hasEnded`: nothing is left to be done, and the reports are written. */
  close(hasEnded: boolean): void
}

/**
 * Makes the folder of a new run, or takes that of an earlier one; in it, what is needed to go on should this session
 * not come to its end.
 */
export const openSession = async (
  options: RunOptions,
  found: FoundRun | undefined,
  about: {
    readonly project: Project
    readonly config: Config
    readonly plan: RunPlan
    readonly inputsOf: NonNullable<RunDeps['inputsOf']>
    /** The cases of a rerun; undefined where the options say which there are. */
    readonly chosen: ReadonlySet<string> | undefined
    readonly redact: RunDeps['redact']
    readonly clock: Clock
    readonly host: Host
  },
): Promise<RunSession> => {
  const { project, config, plan, inputsOf, clock, host } = about
  const begun = clock.monotonic()
  const folder = found?.folder ?? join(resolve(project.dir, config.reports ?? 'reports'), systemIds(clock).run())
  makeFolder(folder)
  const unlock = lockRun(folder)
  const release = (error: unknown): never => {
    unlock()
    throw error
  }
  const begunAs: RunState = found?.state ?? {
    format: 'skills-eval/run-state@1',
    id: basename(folder),
    started_at: new Date(clock.now()).toISOString(),
    command: [...options.command],
    ...workingFolder(project, host),
    options: storedOptions(options, project, host),
    ...(about.chosen ? { cases: [...about.chosen] } : {}),
    duration_ms: 0,
  }
  const state: RunState = { ...begunAs, ...aboutPlan(about.plan) }
  const path = join(folder, rowsFile)
  const write = (change: Partial<RunState>) =>
    writeText(join(folder, stateFile), `${JSON.stringify(about.redact({ ...state, ...change }), null, 2)}\n`)
  if (!found) write({})
  const resumed = found ? await openResumed(path).catch(release) : undefined
  const earlier = resumed && earlierTrials(resumed, { config, options, inputsOf, host })
  if (earlier && !options.quiet) host.stderr(`resuming ${state.id}: ${howMany(plan, earlier)}\n`)
  const durationMs = () => Math.round(state.duration_ms + clock.monotonic() - begun)
  const noteTime = () => unlessUnwritable(() => write({ duration_ms: durationMs() }))
  const store = noting(resumed ?? jsonlStore(path), noteTime, clock)
  return {
    id: state.id,
    folder,
    startedAt: state.started_at,
    command: state.command,
    worksIn: state.folder,
    store,
    earlier,
    durationMs,
    close: (hasEnded) => {
      store.close()
      try {
        unlessUnwritable(() => write({ duration_ms: durationMs(), ended: hasEnded }))
      } finally {
        unlock()
      }
    },
  }
}

/** The run itself matters more than its state, and how it went is told. */
const unlessUnwritable = (write: () => void): void => {
  try {
    write()
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
  }
}

const noteEveryMs = 1000

/**
 * A store that has the time noted, now and then, when a result was kept: who is killed can't say how long it took.
 * Where the state is long, since it names very many cases, that is done less often.
 */
const noting = (store: Store, noteTime: () => void, clock: Clock): Store => {
  let next = clock.monotonic()
  return {
    ...store,
    append: (at, row) => {
      store.append(at, row)
      const now = clock.monotonic()
      if (now < next) return
      noteTime()
      const tookMs = clock.monotonic() - now
      next = now + Math.max(noteEveryMs, 50 * tookMs)
    },
  }
}

type Earlier = NonNullable<RunSession['earlier']> & {
  /** The same as `kept`, without reading it. */
  isKept(planned: PlannedCase, n: number): boolean
  readonly lines: number
}

const earlierTrials = (
  store: ResumedStore,
  about: {
    readonly config: Config
    readonly options: RunOptions
    readonly inputsOf: NonNullable<RunDeps['inputsOf']>
    readonly host: Host
  },
): Earlier => {
  const { config, options, inputsOf, host } = about
  const found: Kept = (planned, n) => store.look(inputsOf(planned), n)
  const has = (planned: PlannedCase, n: number) => store.has(inputsOf(planned), n) || undefined
  const adopt: Kept = (planned, n) => store.adopt(planned.at + n - 1, inputsOf(planned), n)
  const isKept = keptTrials({ kept: has, found }, config, options, host)
  return {
    found,
    kept: keptTrials({ kept: adopt, found }, config, options, host),
    isKept: (planned, n) => isKept(planned, n) === true,
    lines: store.found,
  }
}

/** `3 trials are there`, and how many were but are not of the run as it is now. */
const howMany = (plan: RunPlan, { isKept, lines }: Earlier): string => {
  let kept = 0
  for (const planned of plan.cases()) {
    for (let n = 1; n <= planned.trials; n += 1) if (isKept(planned, n)) kept += 1
  }
  const are = (count: number) => (count === 1 ? 'is' : 'are')
  const gone = lines - kept
  const replaced = gone > 0 ? `, ${gone} more ${are(gone)} of what has changed since` : ''
  return `${kept} ${kept === 1 ? 'trial' : 'trials'} ${are(kept)} there${replaced}`
}
const aboutPlan = ({ suites, counts }: Pick<RunPlan, 'suites' | 'counts'>): Pick<RunState, 'suites' | 'counts'> => ({
  suites: suites.map(({ name, path, description, models }) => ({
    name,
    path,
    ...(description === undefined ? {} : { description }),
    models: [...models],
  })),
  counts: { cases: counts.cases, trials: counts.trials },
})

const openResumed = async (path: string): Promise<ResumedStore> => {
  const { trialSchema } = await import('../schema/run.ts')
  return resumedStore(path, (line) =>
    // The rest was checked as the line was found.
    checkedBy(trialSchema, line).ok ? (line as TrialRow) : undefined,
  )
}
