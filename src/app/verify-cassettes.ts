import { systemClock } from '../adapters/clock/system-clock.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { memoryStore } from '../adapters/memory/memory-store.ts'
import { UsageError } from '../core/errors.ts'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { CaseResult, Status } from '../core/results.ts'
import { runPlan } from '../runner/run-plan.ts'
import { armOfRecording, openArm } from './arm-skills.ts'
import {
  caseKey,
  casesOf,
  chooseCassettes,
  type FoundCassette,
  findCassettes,
  leakFinder,
  orphanReason,
} from './cassettes.ts'
import { evalDeps } from './eval-deps.ts'
import type { Host } from './host.ts'
import { type PreparedRun, prepareRun } from './prepare-run.ts'

/** `ok`, or what is wrong with a recording, the worst first: a secret, no use as a file, of nothing, of another request. */
export type CassetteState = 'ok' | 'leak' | 'unreadable' | 'orphan' | 'stale' | 'error'
export type CheckedCassette = { readonly found: FoundCassette; readonly state: CassetteState; readonly reason?: string }

export type CassetteQuery = {
  /** Where the suites are. */
  readonly paths: readonly string[]
  readonly config?: string
  /** `suite/case`, a part of it, or a file; all where there is none. */
  readonly wanted: readonly string[]
}

/** All recordings, and the suites that they may be of. */
export const loadCassettes = async (query: CassetteQuery, host: Host) => {
  const prepared = await prepareRun(selectionOf(query), host)
  const { project, config } = prepared
  const found = chooseCassettes(findCassettes(project, config, host), query.wanted, host)
  const cases = casesOf(prepared.plan)
  return { prepared, found, orphanReason: (one: FoundCassette) => orphanReason(one, cases, config, project) }
}

const selectionOf = ({ paths, config }: CassetteQuery) => ({ paths, ...(config === undefined ? {} : { config }) })

/** Checks recordings without asking any model: what is recorded is replayed, with real scripts, and nothing is written. */
export const verifyCassettes = async (query: CassetteQuery, host: Host): Promise<readonly CheckedCassette[]> => {
  const { prepared, found, orphanReason: whyOrphan } = await loadCassettes(query, host)
  const isLeak = leakFinder(prepared.config, host)
  const checked = found.map((one): CheckedCassette => {
    if (isLeak(one)) return { found: one, state: 'leak', reason: 'a secret can be read in it' }
    if ('problem' in one) return { found: one, state: 'unreadable', reason: one.problem }
    const reason = whyOrphan(one)
    return reason === undefined ? { found: one, state: 'ok' } : { found: one, state: 'orphan', reason }
  })
  const replayed = await replay(
    checked.flatMap(({ found: one, state }) => (state === 'ok' && 'cassette' in one ? [one] : [])),
    query,
    host,
  )
  return checked.map((one) => {
    const result = replayed.get(one.found.path)
    // What the checks of the case say is not what is asked here, nor whether the other trials outweigh one.
    const of = (status: Status) => result?.trials.find((trial) => trial.status === status)
    const [stale, broken] = [of('stale'), of('error')]
    if (stale) return { ...one, state: 'stale', reason: stale.reason ?? 'it is stale' }
    if (broken) return { ...one, state: 'error', reason: broken.reason ?? 'it could not be replayed' }
    return one
  })
}

type Usable = Extract<FoundCassette, { readonly cassette: unknown }>

/** What became of each recording's case, by the recording's path; each on the profile that it was recorded with. */
const replay = async (
  recordings: readonly Usable[],
  query: CassetteQuery,
  host: Host,
): Promise<ReadonlyMap<string, CaseResult>> => {
  const results = new Map<string, CaseResult>()
  const clock = systemClock()
  const groups = new Map(
    recordings.map(({ cassette: { profile, arm } }) => [JSON.stringify([profile, arm]), { profile, arm }]),
  )
  for (const { profile, arm } of groups.values()) {
    const byCase = new Map(
      recordings
        .filter(({ cassette }) => cassette.profile === profile && cassette.arm === arm)
        .map((one) => [caseKey(one.cassette.suite, one.cassette.case), one]),
    )
    const run = await prepareRun({ ...selectionOf(query), models: [profile] }, host)
    const prepared = arm === undefined ? run : inArm(run, arm, host)
    if (prepared === undefined) continue
    const scratch = scratchFolder('skills-eval-')
    try {
      const plan = planFor(prepared, byCase)
      const choice = {
        record: 'replay',
        allowStale: false,
        ...(arm === undefined ? {} : { arm: { name: arm, option: arm.replace(/^version:/, '') } }),
      } as const
      const deps = await evalDeps({
        ...prepared,
        plan,
        choice,
        trustSuites: false,
        concurrency: undefined,
        purse: undefined,
        clock,
        scratch,
        host,
      })
      const caseFinished = (suite: { readonly name: string }, result: CaseResult) => {
        const of = byCase.get(caseKey(suite.name, result.id))
        if (of) results.set(of.path, result)
      }
      const listener = { caseFinished }
      await runPlan(plan, { ...deps, store: memoryStore(), listener, bail: undefined, seed: 1 })
    } finally {
      scratch.remove()
    }
  }
  return results
}

/** The run in its other arm; undefined where that can't be had here, such as skills that lie elsewhere. */
const inArm = (run: PreparedRun, name: string, host: Host): PreparedRun | undefined => {
  const found = armOfRecording(name, run.project, host)
  if (found === undefined) return undefined
  try {
    const { plan, skillsOf } = openArm(found, run, host)
    return { ...run, plan, skillsOf }
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** The cases that are recorded, each with as many trials as it has recordings. */
const planFor = ({ plan }: PreparedRun, byCase: ReadonlyMap<string, Usable>): RunPlan => {
  function* cases(): Generator<PlannedCase> {
    let at = 0
    for (const planned of plan.cases()) {
      const recording = byCase.get(caseKey(planned.suite.name, planned.evalCase.id))
      if (!recording) continue
      const { skip: _, ...evalCase } = planned.evalCase
      const trials = recording.cassette.trials.length
      yield { ...planned, evalCase, trials, at }
      at += trials
    }
  }
  const trials = [...byCase.values()].reduce((sum, { cassette }) => sum + cassette.trials.length, 0)
  return { suites: plan.suites, counts: { cases: byCase.size, trials, skipped: 0 }, cases }
}
