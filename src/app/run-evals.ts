import { dirname } from 'node:path'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { type GitState, gitState } from '../adapters/process/git-state.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import type { RunPlan } from '../core/plan.ts'
import type { RunListener } from '../core/ports.ts'
import type { RunHead } from '../core/results.ts'
import { boundedCache } from '../lib/bounded-cache.ts'
import { visibleLine } from '../lib/visible.ts'
import { isAuditMissed } from '../report/audit-tables.ts'
import { exitCode } from '../report/exit-code.ts'
import { placeWords } from '../report/place-words.ts'
import { countedRows } from '../runner/adaptive-case.ts'
import { type FinishedRun, runPlan } from '../runner/run-plan.ts'
import { type CaseInputs, caseInputs } from './case-inputs.ts'
import { chosenReporters } from './chosen-reporters.ts'
import { purse as openPurse } from './cost-limit.ts'
import { evalDeps } from './eval-deps.ts'
import type { Host } from './host.ts'
import { interruptedBy } from './interrupted-by.ts'
import { noCases } from './no-cases.ts'
import { type PreparedRun, prepareRun } from './prepare-run.ts'
import { requirePrices } from './price-gate.ts'
import type { Project } from './project.ts'
import type { RecordingDigests } from './recording-digests.ts'
import type { Rerun } from './rerun.ts'
import { resumeCommand } from './resume-command.ts'
import { type PreparedBaseline, prepareBaseline, runBaseline } from './run-baseline.ts'
import type { ReporterChoice, RunOptions } from './run-options.ts'
import { type FoundRun, findRunToResume, openSession, type RunSession } from './run-session.ts'
import { withSeenSkills } from './seen-skills.ts'
import { showPlan } from './show-plan.ts'
import { unknownSkills } from './unknown-skills.ts'
import { preloadReporters, toldCases, writeReports } from './write-reports.ts'

/** What the caller shows of a run: diagnostics as they are found, and its progress. */
export type RunView = {
  diagnostics(diagnostics: readonly Diagnostic[], project: Project): Promise<void>
  listener(plan: RunPlan): RunListener & { close?(): void }
}

/**
 * `skills-eval run`: reads suites, runs them, writes the reports, and returns the exit code. Throws an
 * InvalidInputError or a UsageError (exit 2) before anything was run.
 */
export const runEvals = async (given: RunOptions, host: Host, view: RunView): Promise<number> => {
  const start = await howToStart(given, host)
  const { found, rerun } = start
  const stored = found?.state.cases
  const chosen = rerun?.cases ?? (stored && new Set(stored))
  const options = start.options.paths.length === 0 ? { ...start.options, paths: ['evals'] } : start.options
  if (rerun?.cases.size === 0) {
    host.stderr(`no case of ${rerun.source} ended as ${rerun.statuses.join(' or ')}: there is nothing to run again\n`)
    return 0
  }
  const prepared = await prepare(options, chosen, host, view)
  if (options.list || options.dryRun) return showPlan(prepared, options, host)
  // A shard without a case is still one of those that are merged.
  if (prepared.plan.counts.cases === 0 && !prepared.shard) return 0
  return execute(prepared, options, { found, chosen }, host, view)
}

type Start = { readonly options: RunOptions; readonly found?: FoundRun; readonly rerun?: Rerun }

/** A run of its own, the rest of one that was begun, or what did not pass in another. */
const howToStart = async (given: RunOptions, host: Host): Promise<Start> => {
  const { resume, rerun, rerunOf } = given
  if (resume !== undefined && rerun !== undefined) {
    throw new UsageError('resume_and_rerun', '--resume and --rerun do not go together', {
      hint: '--rerun STATUS --rerun-of RUN starts a new run of cases of RUN; --resume RUN goes on with RUN itself.',
    })
  }
  if (rerunOf !== undefined && rerun === undefined) throw new UsageError('no_rerun', '--rerun-of goes with --rerun')
  if (resume !== undefined) {
    const found = await findRunToResume({ ...given, resume }, host)
    return { options: found.options, found }
  }
  if (rerun === undefined) return { options: given }
  const { findRerun } = await import('./rerun.ts')
  const again = await findRerun({ ...given, rerun }, host)
  return { options: again.options, rerun: again }
}

type Prepared = PreparedRun & {
  readonly reporters: readonly ReporterChoice[]
  /** The other arm, where one was asked for. */
  readonly baseline: PreparedBaseline | undefined
  readonly inputsOf: CaseInputs
  readonly recordingDigests: RecordingDigests
  /** Which part of the whole plan this one is. */
  readonly shard: RunHead['shard']
}

const prepare = async (
  options: RunOptions,
  chosen: ReadonlySet<string> | undefined,
  host: Host,
  view: RunView,
): Promise<Prepared> => {
  const whole = await prepareRun(options, host)
  const prepared = chosen ? { ...whole, plan: (await import('./rerun.ts')).rerunPlan(whole.plan, chosen) } : whole
  const { project, config, plan, skillsOf } = prepared
  const reporters = chosenReporters(options, config, project, host)
  if (plan.counts.cases === 0 && !options.passWithNoCases)
    throw noCases(options, prepared.suites, chosen && whole.plan.counts.cases)
  const baseline = plan.counts.cases === 0 ? undefined : prepareBaseline(prepared, options, host)
  const told = [...prepared.diagnostics, ...unknownSkills(plan, skillsOf), ...(baseline?.arm.diagnostics ?? [])]
  await view.diagnostics(
    told.filter((diagnostic) => diagnostic.severity !== 'info'),
    project,
  )
  const recordingDigests = boundedCache<string, string>(64)
  const inputsOf = caseInputs({ project, config, indexOf: prepared.indexOf, choice: options, recordingDigests, host })
  if (options.shard === undefined) {
    if (options.timings !== undefined) throw new UsageError('no_shard', '--timings goes with --shard')
    return { ...prepared, reporters, baseline, inputsOf, recordingDigests, shard: undefined }
  }
  if (baseline !== undefined) {
    throw new UsageError('shard_and_baseline', '--shard and --baseline do not go together', {
      hint: 'A lift is told over all cases: run the baseline without --shard, for instance with --filter.',
    })
  }
  if (options.audit !== undefined) {
    throw new UsageError('shard_and_audit', '--shard and --audit do not go together', {
      hint: 'Give --audit to a run without --shard: it needs no model.',
    })
  }
  const { shardOf } = await import('./shard.ts')
  const shard = shardOf(plan, options.shard, inputsOf, options, host)
  return { ...prepared, reporters, baseline, inputsOf, recordingDigests, ...shard }
}

const execute = async (
  prepared: Prepared,
  options: RunOptions,
  { found, chosen }: { readonly found: FoundRun | undefined; readonly chosen: ReadonlySet<string> | undefined },
  host: Host,
  view: RunView,
): Promise<number> => {
  const { project, config, plan, inputsOf, shard } = prepared
  await requirePrices(plan, config, options, host)
  const clock = systemClock()
  const scratch = scratchFolder('skills-eval-')
  const { trustSuites, concurrency, maxCostUsd } = options
  const purse = maxCostUsd === undefined ? undefined : openPurse(maxCostUsd)
  const { tools } = options
  const world = { ...prepared, choice: options, trustSuites, concurrency, tools, purse, clock, scratch, host }
  // A model without its key is a mistake of the command: nothing is left behind for it.
  const deps = await evalDeps(world)
  // What is tested is what was there before: asked for now, waited for at the end.
  const git = gitState(project.dir)
  const session = await openSession(options, found, {
    project,
    config,
    plan,
    inputsOf,
    chosen,
    redact: deps.redact,
    clock,
    host,
  })
  const { folder, store } = session
  const toGoOn = resumeCommand(session.id, placeWords(options.command), trustSuites)
  if (found?.state.ended && session.earlier) requireWhole(plan, session, session.earlier.found)
  const listener = view.listener(plan)
  const seed = options.seed ?? 1
  let hasEnded = false
  try {
    const preloaded = preloadReporters(prepared.reporters, host, clock)
    const run = await runPlan(plan, {
      ...deps,
      store,
      inputsOf,
      ...(session.earlier ? { kept: session.earlier.kept } : {}),
      listener,
      bail: options.bail,
      seed,
    })
    listener.close?.()
    const ran = runHead(run, { session, seed, shard, git: await git, host })
    const own = await audited(withSeenSkills(ran, plan.suites, prepared.skillsOf), run, plan, deps, options, host)
    const compared =
      prepared.baseline &&
      (await runBaseline({
        ...{ prepared, baseline: prepared.baseline, options, folder, seed, purse, clock, scratch, host },
        reports: dirname(folder),
        run: { head: own, store, isWhole: run.stopped === undefined },
        redact: deps.redact,
        listener: view.listener,
      }))
    const head: RunHead = {
      ...own,
      ...(compared ? { baseline: compared.section } : {}),
      // Also where it was the baseline that was cut short.
      ...(host.signal.aborted ? { interrupted: interruptedBy(host.signal) } : {}),
    }
    await preloaded
    const unreported = await writeReports(head, toldCases(plan, store, deps.redact, compared?.baselineOf), {
      folder,
      choices: prepared.reporters,
      redact: deps.redact,
      otherArm: compared?.cases(),
      host,
    })
    const unwritten = [...deps.unwritten, ...unreported]
    hasEnded = run.stopped === undefined && head.interrupted === undefined && unwritten.length === 0
    if (!options.json && !options.quiet) host.stderr(`results: ${folder}\n`)
    if (head.interrupted !== undefined) host.stderr(`to go on: ${toGoOn}\n`)
    for (const problem of [...unwritten, ...faultOf(run)]) host.stderr(`error: ${visibleLine(problem, 2000)}\n`)
    const code = exitCode({
      summary: head.summary,
      suites: head.suites,
      interrupted: head.interrupted,
      gateMissed: head.baseline?.gate?.result === 'missed' || isAuditMissed(head),
      inconclusive: head.baseline?.gate?.result === 'inconclusive',
      errorCodes: run.totals.errorCodes(),
    })
    return code === 0 && unwritten.length > 0 ? 3 : code
  } catch (error) {
    // The disk is full, or gone: something was run, and what could be kept of it is there.
    if (!(error instanceof SkillsEvalError) || error instanceof UsageError) throw error
    listener.close?.()
    host.stderr(`error: ${visibleLine(error.message, 2000)}\n`)
    host.stderr(`to go on: ${toGoOn}\n`)
    return 3
  } finally {
    listener.close?.()
    session.close(hasEnded)
    scratch.remove()
  }
}

/** A run that has ended is a base for others to be compared with. Throws a UsageError where it would become another. */
const requireWhole = (plan: RunPlan, session: RunSession, found: NonNullable<RunSession['earlier']>['found']): void => {
  let missing = 0
  for (const planned of plan.cases()) {
    const rows = Array.from({ length: planned.trials }, (_, i) => found(planned, i + 1))
    if (countedRows(planned, rows).includes(undefined)) missing += 1
  }
  if (missing === 0) return
  session.close(true)
  const changed = missing === 1 ? '1 case is not what it was then' : `${missing} cases are not what they were then`
  throw new UsageError('run_ended', `the run ${session.id} has ended, and ${changed}`, {
    hint: 'Start a new run: skills-eval run. What did not pass is run again by --rerun failed.',
  })
}

/** The audit comes when the run is over, and enters none of its numbers; a run that was stopped has none. */
const audited = async (
  head: RunHead,
  run: FinishedRun,
  plan: RunPlan,
  deps: Awaited<ReturnType<typeof evalDeps>>,
  { audit: mode, quiet }: RunOptions,
  host: Host,
): Promise<RunHead> => {
  if (mode === undefined || run.stopped !== undefined) return head
  if (!quiet) host.stderr('audit: each case again, with agents that do nothing\n')
  const { auditPlan } = await import('../runner/audit-plan.ts')
  const audit = await auditPlan(plan, deps, mode)
  return audit === undefined ? { ...head, interrupted: interruptedBy(deps.signal) } : { ...head, audit }
}

/** Progress may not affect a run; that it broke is told once. */
const faultOf = ({ listenerFault }: FinishedRun): readonly string[] =>
  listenerFault === undefined ? [] : [`what listens to the run failed: ${listenerFault}`]

const runHead = (
  run: FinishedRun,
  about: {
    readonly session: RunSession
    readonly seed: number
    readonly shard: RunHead['shard']
    readonly git: GitState
    readonly host: Host
  },
): RunHead => ({
  format: 'skills-eval/run@1',
  id: about.session.id,
  started_at: about.session.startedAt,
  duration_ms: about.session.durationMs(),
  tool: { name: 'skills-eval', version: about.host.version },
  command: [...about.session.command],
  ...(about.session.worksIn === undefined ? {} : { folder: about.session.worksIn }),
  git: about.git,
  seed: about.seed,
  ...(run.stopped === 'aborted' ? { interrupted: interruptedBy(about.host.signal) } : {}),
  ...(about.shard === undefined ? {} : { shard: about.shard }),
  summary: run.totals.summary(),
  suites: run.totals.suites(),
})
