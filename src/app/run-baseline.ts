import { join, resolve } from 'node:path'
import type * as z from 'zod'
import { makeFolder } from '../adapters/files/output-file.ts'
import { removeTree } from '../adapters/files/remove-tree.ts'
import type { ScratchFolder } from '../adapters/files/scratch-folder.ts'
import { jsonlStore } from '../adapters/store/jsonl-store.ts'
import { armName } from '../core/arm.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { Clock, RunListener, Store } from '../core/ports.ts'
import type { Baseline, RunHead } from '../core/results.ts'
import { type ArmPair, liftFold } from '../metrics/lift.ts'
import { pairStreams } from '../metrics/pair-cases.ts'
import { baselineName } from '../report/baseline-tables.ts'
import { plural } from '../report/format-number.ts'
import { caseResult } from '../runner/case-result.ts'
import type { RunDeps } from '../runner/run-deps.ts'
import { runPlan } from '../runner/run-plan.ts'
import { caseResultSchema, checkResultSchema, trialSchema } from '../schema/run.ts'
import { type FoundArm, findArm, type OpenedArm, openArm } from './arm-skills.ts'
import { baselineDigest } from './baseline-digest.ts'
import type { Purse } from './cost-limit.ts'
import { evalDeps } from './eval-deps.ts'
import type { Host } from './host.ts'
import { interruptedBy } from './interrupted-by.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { RecordingChoice } from './recorded-models.ts'
import { armFolder, resultFile, rowsFile } from './run-folders.ts'
import type { RunOptions } from './run-options.ts'
import { saveBaseline, savedBaselines, takeBaseline } from './saved-baselines.ts'
import { comparableSchema, openStoredCases } from './stored-cases.ts'
import { type BaselineOf, type ToldCase, writeRunJson } from './write-reports.ts'

/** The other arm of a run, planned. */
export type PreparedBaseline = {
  readonly found: FoundArm
  readonly arm: OpenedArm
  readonly choice: RecordingChoice
}

/** Plans what `--baseline` asks for, before anything runs; undefined where nothing does. Throws a UsageError. */
export const prepareBaseline = (
  prepared: PreparedRun,
  options: RunOptions,
  host: Host,
): PreparedBaseline | undefined => {
  const { baseline: option } = options
  if (option === undefined) {
    const flag = options.minLift === undefined ? options.freshBaseline && '--fresh-baseline' : '--min-lift'
    if (flag) {
      throw new UsageError('no_baseline', `${flag} needs a baseline`, { hint: 'Add --baseline without_skills.' })
    }
    return undefined
  }
  const found = findArm(option, prepared.project, host)
  const arm = openArm(found, prepared, host)
  return { found, arm, choice: { ...options, arm: { name: armName(found.arm), option } } }
}

/** Whether an earlier run has the arm, so that it would not be run. */
export const isSaved = (
  prepared: PreparedRun,
  { found, arm, choice }: PreparedBaseline,
  options: RunOptions,
  host: Host,
): boolean => {
  const { project, config } = prepared
  if (options.freshBaseline) return false
  const digest = baselineDigest({ project, config, found, arm, choice, seed: options.seed ?? 1, host })
  return (
    digest !== undefined && savedBaselines(resolve(project.dir, config.reports ?? 'reports'), host).includes(digest)
  )
}

export type BaselineWorld = {
  readonly prepared: PreparedRun
  readonly baseline: PreparedBaseline
  readonly options: RunOptions
  /** The run itself, ended. */
  readonly run: { readonly head: RunHead; readonly store: Store; readonly isWhole: boolean }
  readonly folder: string
  readonly reports: string
  readonly seed: number
  readonly purse: Purse | undefined
  readonly clock: Clock
  readonly scratch: ScratchFolder
  readonly redact: RunDeps['redact']
  readonly host: Host
  listener(plan: RunPlan): RunListener & { close?(): void }
}

export type FinishedBaseline = {
  readonly section: Baseline
  readonly baselineOf: BaselineOf
  /** Those of the arm, whole, as they are stored. */
  cases(): Iterable<ToldCase>
}

/** A difference within this is no change, as it is for `compare`. */
const delta = 0.05

/**
 * Runs the other arm, or takes it from an earlier run of the same inputs, and holds the run against it. What goes wrong in
 * it is told in its section and fails nothing.
 */
export const runBaseline = async (world: BaselineWorld): Promise<FinishedBaseline> => {
  try {
    return await compareArms(world)
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
    // The run has ended and is to be reported, whatever became of the other arm.
    return finished(world, { reused: false, digest: null, problem: error.message }, undefined)
  }
}

const compareArms = async (world: BaselineWorld): Promise<FinishedBaseline> => {
  const { baseline, options, run, folder, reports, host } = world
  const { found, arm } = baseline
  const nothing = (problem: string) => finished(world, { reused: false, digest: null, problem }, undefined)
  if (!run.isWhole) return nothing('it was not run: the run itself did not come to its end')
  if (arm.plan.counts.cases === 0) return nothing('no case runs in it')
  const digest = baselineDigest({ ...world.prepared, ...world, found, arm, choice: baseline.choice }) ?? null
  const into = armFolder(folder)
  // What an earlier session of this run left of it.
  removeTree(into)
  const say = (text: string) => {
    if (!options.quiet && !options.json) host.stderr(`baseline ${baselineName(found.arm)}: ${text}\n`)
  }
  if (digest !== null && !options.freshBaseline && takeBaseline(reports, digest, into, host)) {
    say('as it was before, nothing of it has changed')
    return finished(world, { reused: true, digest }, openGraded(world))
  }
  say(plural(arm.plan.counts.cases, 'case'))
  const { problem, isSound } = await runArm(world, into)
  if (problem === undefined && isSound && digest !== null) saveBaseline(reports, digest, into)
  return finished(world, { reused: false, digest, problem }, openGraded(world))
}

/** Sound: every trial of it has a verdict. */
const runArm = async (
  world: BaselineWorld,
  into: string,
): Promise<{ readonly problem: string | undefined; readonly isSound: boolean }> => {
  const { prepared, baseline, options, run, seed, clock, host } = world
  const { plan, skillsOf } = baseline.arm
  const { trustSuites, concurrency, tools } = options
  makeFolder(into)
  const deps = await evalDeps({
    ...world,
    ...prepared,
    plan,
    skillsOf,
    choice: baseline.choice,
    trustSuites,
    concurrency,
    tools,
  })
  const store = jsonlStore(join(into, rowsFile))
  const listener = world.listener(plan)
  const started = { at: clock.now(), monotonic: clock.monotonic() }
  try {
    const done = await runPlan(plan, { ...deps, store, listener, bail: undefined, seed })
    const isCut = done.stopped === 'aborted'
    const summary = done.totals.summary()
    const head: RunHead = {
      ...run.head,
      id: `${run.head.id}-baseline`,
      started_at: new Date(started.at).toISOString(),
      duration_ms: Math.round(clock.monotonic() - started.monotonic),
      ...(isCut ? { interrupted: interruptedBy(host.signal) } : {}),
      arm: baseline.found.arm,
      summary,
      suites: done.totals.suites(),
    }
    await writeRunJson(head, plan, store, { path: join(into, resultFile), redact: deps.redact, host })
    return {
      problem: isCut ? 'it was interrupted' : undefined,
      isSound: summary.errors + summary.stale === 0,
    }
  } finally {
    listener.close?.()
    store.close()
  }
}

const gradedSchema = comparableSchema.extend({
  reason: comparableSchema.shape.id.optional(),
  trials: comparableSchema.shape.trials.element
    .extend({
      ...trialSchema.pick({ reason: true, error: true }).shape,
      checks: checkResultSchema
        .pick({ name: true, kind: true, place: true, passed: true, score: true, weight: true })
        .array(),
    })
    .array(),
})

/** What the arm has left in the folder of the run. */
const openGraded = (world: BaselineWorld) => openStored(world, gradedSchema)

const openStored = <S extends Parameters<typeof openStoredCases>[1]>({ folder, host }: BaselineWorld, schema: S) => {
  const path = join(armFolder(folder), resultFile)
  return host.files.stat(path) === undefined ? undefined : openStoredCases(path, schema, host.files)
}

/** To be shown beside the run: where the rest can't be read, it is left out, since it fails nothing. */
function* wholeCases(world: BaselineWorld): Generator<ToldCase> {
  try {
    yield* openStored(world, caseResultSchema)?.cases ?? []
  } catch (error) {
    if (!(error instanceof SkillsEvalError)) throw error
  }
}

const finished = (
  world: BaselineWorld,
  about: { readonly reused: boolean; readonly digest: string | null; readonly problem?: string | undefined },
  stored: ReturnType<typeof openGraded>,
): FinishedBaseline => {
  const { baseline, seed, run, options } = world
  const { problem } = about
  const fold = liftFold({ seed, delta })
  let firstProblem: string | undefined
  for (const { suite, base, head } of pairStreams(stored?.cases ?? [], casesOfRun(world))) {
    firstProblem ??= base && problemOf(base)
    if (!base || !head) continue
    const { planned, ...graded } = head
    const { line, pass_threshold: threshold } = planned.evalCase
    fold.add({ suite, line, skills: labelsOf(planned), threshold, base, head: graded })
  }
  const { caseOf, lift, numbers, skills, no_signal } = fold.result(stored?.head ?? run.head, run.head)
  const { minLift } = options
  return {
    section: {
      arm: baseline.found.arm,
      reused: about.reused,
      run: stored ? { id: stored.head.id.replace(/-baseline$/, ''), started_at: stored.head.started_at } : null,
      digest: about.digest,
      results: stored ? 'baseline/run.json' : null,
      ...(problem === undefined ? {} : { problem }),
      ...(firstProblem === undefined ? {} : { first_problem: firstProblem }),
      left_out: { ...baseline.arm.leftOut },
      lift,
      numbers: lift.cases === 0 ? null : numbers,
      skills,
      no_signal,
      ...(minLift === undefined ? {} : { gate: liftGate(minLift, lift) }),
      summary: stored?.head.summary ?? null,
    },
    baselineOf: ({ suite, evalCase, model }) => caseOf({ suite: suite.name, id: evalCase.id, model }),
    cases: () => wholeCases(world),
  }
}

/** Why a case could not be judged, in full: it may name the command that records it. */
const problemOf = ({ trials, reason }: z.output<typeof gradedSchema>): string | undefined => {
  const bad = trials.find(({ status }) => status === 'error' || status === 'stale')
  return bad && (bad.error?.message ?? bad.reason ?? reason)
}

type CaseOfRun = ArmPair['head'] & { readonly planned: PlannedCase }

/** The cases of the run that are in the arm too. Both plans list them alike. */
function* casesOfRun({
  prepared,
  baseline,
  run,
  redact,
}: BaselineWorld): Generator<{ readonly suite: string; readonly result: CaseOfRun }> {
  const inArm = baseline.arm.plan.cases()[Symbol.iterator]()
  let next = inArm.next()
  for (const planned of prepared.plan.cases()) {
    if (next.done) return
    if (!isSameCase(planned, next.value)) continue
    next = inArm.next()
    const rows = Array.from({ length: planned.trials }, (_, i) => run.store.read(planned.at + i))
    yield { suite: planned.suite.name, result: { ...caseResult(planned, rows, redact), planned } }
  }
}

const isSameCase = (a: PlannedCase, b: PlannedCase): boolean =>
  a.evalCase.id === b.evalCase.id && a.model === b.model && a.suite.name === b.suite.name

const labelsOf = ({ evalCase: { expected } }: PlannedCase): readonly string[] => {
  const { skills = [] } = expected ?? {}
  return Array.isArray(skills) ? skills : (skills.includes ?? [])
}

/** Decided by the lift that was seen, if it is no chance; one that is not known meets no limit. */
const liftGate = (limit: number, { difference: actual, p }: Baseline['lift']): NonNullable<Baseline['gate']> => {
  if (actual === null || actual < limit - 1e-9) return { limit, actual, result: 'missed' }
  return { limit, actual, result: p !== null && p <= 0.05 ? 'met' : 'inconclusive' }
}
