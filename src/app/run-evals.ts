import { join, resolve } from 'node:path'
import { systemClock, systemIds } from '../adapters/clock/system-clock.ts'
import { makeFolder } from '../adapters/files/output-file.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { type GitState, gitState } from '../adapters/process/git-state.ts'
import { jsonlStore } from '../adapters/store/jsonl-store.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import type { RunPlan } from '../core/plan.ts'
import type { Clock, RunListener } from '../core/ports.ts'
import { providerAddress } from '../core/provider-address.ts'
import type { RunHead } from '../core/results.ts'
import { visibleLine } from '../lib/visible.ts'
import { isAuditMissed } from '../report/audit-tables.ts'
import { exitCode } from '../report/exit-code.ts'
import { type FinishedRun, runPlan } from '../runner/run-plan.ts'
import type { Profile } from '../schema/config.ts'
import { chosenReporters } from './chosen-reporters.ts'
import { purse as openPurse } from './cost-limit.ts'
import { evalDeps } from './eval-deps.ts'
import type { Host } from './host.ts'
import { noCases } from './no-cases.ts'
import { isLive } from './open-model.ts'
import { plannedRecordings } from './planned-recordings.ts'
import { type PreparedRun, prepareRun } from './prepare-run.ts'
import { findProfile } from './profiles.ts'
import type { Project } from './project.ts'
import { isAsked } from './recorded-models.ts'
import type { ReporterChoice, RunOptions } from './run-options.ts'
import { withSeenSkills } from './seen-skills.ts'
import { unknownSkills } from './unknown-skills.ts'
import { preloadReporters, writeReports } from './write-reports.ts'

/** What the caller shows of a run: diagnostics as they are found, and its progress. */
export type RunView = {
  diagnostics(diagnostics: readonly Diagnostic[], project: Project): Promise<void>
  listener(plan: RunPlan): RunListener & { close?(): void }
}

/**
 * `skills-eval run`: reads suites, runs them, writes the reports, and returns the exit code. Throws an
 * InvalidInputError or a UsageError (exit 2) before anything was run.
 */
export const runEvals = async (options: RunOptions, host: Host, view: RunView): Promise<number> => {
  const prepared = await prepare(options, host, view)
  if (options.list || options.dryRun) return showPlan(prepared, options, host)
  if (prepared.plan.counts.cases === 0) return 0
  return execute(prepared, options, host, view)
}

type Prepared = PreparedRun & { readonly reporters: readonly ReporterChoice[] }

const prepare = async (options: RunOptions, host: Host, view: RunView): Promise<Prepared> => {
  const prepared = await prepareRun(options, host)
  const { project, config, plan, skillsOf } = prepared
  const reporters = chosenReporters(options, config, project, host)
  if (plan.counts.cases === 0 && !options.passWithNoCases) throw noCases(options, prepared.suites)
  const told = [...prepared.diagnostics, ...unknownSkills(plan, skillsOf)]
  await view.diagnostics(
    told.filter((diagnostic) => diagnostic.severity !== 'info'),
    project,
  )
  return { ...prepared, reporters }
}

const showPlan = async (prepared: Prepared, options: RunOptions, host: Host): Promise<number> => {
  const { plan, config } = prepared
  const report = await import('../report/plan-report.ts')
  if (options.list) {
    for (const text of report.listPlan(plan)) host.stdout(text)
    return 0
  }
  const contacts = (model: string) => contactOf(findProfile(model, config), options, host)
  const totals = report.planTotals(plan, contacts, plannedRecordings(prepared, options, host))
  if (options.json) host.stdout(`${JSON.stringify(totals, null, 2)}\n`)
  else host.stdout(await report.dryRunText(totals, { color: host.color, width: host.width }))
  return 0
}

/** A scripted model contacts nobody, nor does a replay. */
const contactOf = (profile: Profile, options: RunOptions, host: Host): string | null =>
  isLive(profile) && isAsked(profile, options, host) ? new URL(providerAddress(profile)).host : null

const execute = async (prepared: Prepared, options: RunOptions, host: Host, view: RunView): Promise<number> => {
  const { project, config, plan } = prepared
  const clock = systemClock()
  const scratch = scratchFolder('skills-eval-')
  const { trustSuites, concurrency, maxCostUsd } = options
  const purse = maxCostUsd === undefined ? undefined : openPurse(maxCostUsd)
  const world = { ...prepared, choice: options, trustSuites, concurrency, purse, clock, scratch, host }
  // A model without its key is a mistake of the command: nothing is left behind for it.
  const deps = await evalDeps(world)
  const started = { at: clock.now(), monotonic: clock.monotonic() }
  // What is tested is what was there before: asked for now, waited for at the end.
  const git = gitState(project.dir)
  const id = systemIds(clock).run()
  const folder = join(resolve(project.dir, config.reports ?? 'reports'), id)
  makeFolder(folder)
  const store = jsonlStore(join(folder, 'results.jsonl'))
  const listener = view.listener(plan)
  const seed = options.seed ?? 1
  try {
    const preloaded = preloadReporters(prepared.reporters, host, clock)
    const run = await runPlan(plan, {
      ...deps,
      store,
      listener,
      bail: options.bail,
      seed,
    })
    listener.close?.()
    const ran = runHead(run, { id, started, clock, seed, git: await git, options, host })
    const head = await audited(withSeenSkills(ran, plan.suites, prepared.skillsOf), run, plan, deps, options, host)
    await preloaded
    const unwritten = await writeReports(head, plan, store, {
      folder,
      choices: prepared.reporters,
      redact: deps.redact,
      host,
    })
    if (!options.json && !options.quiet) host.stderr(`results: ${folder}\n`)
    for (const problem of [...unwritten, ...faultOf(run)]) host.stderr(`error: ${visibleLine(problem, 2000)}\n`)
    const code = exitCode({
      summary: head.summary,
      suites: head.suites,
      interrupted: head.interrupted,
      errorCodes: run.totals.errorCodes(),
      gateMissed: isAuditMissed(head),
    })
    return code === 0 && unwritten.length > 0 ? 3 : code
  } finally {
    listener.close?.()
    store.close()
    scratch.remove()
  }
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
  return audit === undefined ? { ...head, interrupted: String(deps.signal.reason) } : { ...head, audit }
}

/** Progress may not affect a run; that it broke is told once. */
const faultOf = ({ listenerFault }: FinishedRun): readonly string[] =>
  listenerFault === undefined ? [] : [`the progress could not be shown: ${listenerFault}`]

const runHead = (
  run: FinishedRun,
  about: {
    readonly id: string
    readonly started: { readonly at: number; readonly monotonic: number }
    readonly clock: Clock
    readonly seed: number
    readonly git: GitState
    readonly options: RunOptions
    readonly host: Host
  },
): RunHead => ({
  format: 'skills-eval/run@1',
  id: about.id,
  started_at: new Date(about.started.at).toISOString(),
  duration_ms: Math.round(about.clock.monotonic() - about.started.monotonic),
  tool: { name: 'skills-eval', version: about.host.version },
  command: [...about.options.command],
  git: about.git,
  seed: about.seed,
  ...(run.stopped === 'aborted' ? { interrupted: String(about.host.signal.reason) } : {}),
  summary: run.totals.summary(),
  suites: run.totals.suites(),
})
