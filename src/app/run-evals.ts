import { join, resolve } from 'node:path'
import { systemClock, systemIds } from '../adapters/clock/system-clock.ts'
import { makeFolder } from '../adapters/files/output-file.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { type GitState, gitState } from '../adapters/process/git-state.ts'
import { jsonlStore } from '../adapters/store/jsonl-store.ts'
import { type Diagnostic, hasErrors } from '../core/diagnostic.ts'
import { InvalidInputError } from '../core/errors.ts'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { Clock, RunListener } from '../core/ports.ts'
import { providerAddress } from '../core/provider-address.ts'
import type { RunHead } from '../core/results.ts'
import { visibleLine } from '../lib/visible.ts'
import { evalDefaults, policyAuthorizer } from '../permissions/policy-authorizer.ts'
import { exitCode } from '../report/exit-code.ts'
import type { RunDeps } from '../runner/run-deps.ts'
import { type FinishedRun, runPlan } from '../runner/run-plan.ts'
import type { Config, Profile } from '../schema/config.ts'
import { planRun } from '../suite/plan-run.ts'
import { chosenReporters } from './chosen-reporters.ts'
import { purse } from './cost-limit.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { loadSuites } from './load-suites.ts'
import { noCases } from './no-cases.ts'
import { isLive, modelOpener } from './open-model.ts'
import { defaultModel, findProfile } from './profiles.ts'
import { findProject, type Project } from './project.ts'
import type { ReporterChoice, RunOptions } from './run-options.ts'
import { scriptWorld } from './script-world.ts'
import { configuredRoots } from './skill-roots.ts'
import { indexForSuites } from './suite-skills.ts'
import { openTrialWorld, plainTools } from './trial-world.ts'
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

type Prepared = {
  readonly project: Project
  readonly config: Config
  readonly plan: RunPlan
  readonly skillsOf: RunDeps['skillsOf']
  readonly reporters: readonly ReporterChoice[]
}

const prepare = async (options: RunOptions, host: Host, view: RunView): Promise<Prepared> => {
  const project = findProject(host.cwd, host.home, host.files)
  const config = loadConfig(project, host, options.config === undefined ? undefined : resolve(host.cwd, options.config))
  const reporters = chosenReporters(options, config, project, host)
  const loaded = await loadSuites(options.paths, project, host)
  if (hasErrors(loaded.diagnostics)) throw new InvalidInputError(loaded.diagnostics)
  const planned = await planRun(loaded.suites, {
    files: host.files,
    ...(options.filter ? { filter: options.filter } : {}),
    ...(options.tags ? { tags: options.tags } : {}),
    ...(options.skills ? { skills: options.skills } : {}),
    ...(options.models ? { models: options.models } : {}),
    ...(options.trials === undefined ? {} : { trials: options.trials }),
    defaultModel: defaultModel(config),
    ci: host.isCi,
  })
  const diagnostics = [...loaded.diagnostics, ...planned.diagnostics]
  if (hasErrors(diagnostics)) throw new InvalidInputError(diagnostics)
  for (const name of modelsOf(planned.plan)) findProfile(name, config)
  if (planned.plan.counts.cases === 0 && !options.passWithNoCases) throw noCases(options, loaded.suites)
  const skills = indexForSuites(planned.plan.suites, configuredRoots(project, config, host), config, host)
  const told = [...diagnostics, ...skills.diagnostics, ...unknownSkills(planned.plan, skills.skillsOf)]
  await view.diagnostics(
    told.filter((diagnostic) => diagnostic.severity !== 'info'),
    project,
  )
  return { project, config, plan: planned.plan, skillsOf: skills.skillsOf, reporters }
}

const showPlan = async ({ plan, config }: Prepared, options: RunOptions, host: Host): Promise<number> => {
  const report = await import('../report/plan-report.ts')
  const contacts = (model: string) => contactOf(findProfile(model, config))
  if (options.list) {
    for (const text of report.listPlan(plan)) host.stdout(text)
  } else if (options.json) {
    host.stdout(`${JSON.stringify(report.planTotals(plan, contacts), null, 2)}\n`)
  } else {
    host.stdout(await report.dryRunText(report.planTotals(plan, contacts), { color: host.color, width: host.width }))
  }
  return 0
}

/** A scripted model contacts nobody. */
const contactOf = (profile: Profile): string | null => (isLive(profile) ? new URL(providerAddress(profile)).host : null)

const execute = async (prepared: Prepared, options: RunOptions, host: Host, view: RunView): Promise<number> => {
  const { project, config, plan } = prepared
  const clock = systemClock()
  const shared = options.maxCostUsd === undefined ? undefined : purse(options.maxCostUsd)
  const openModel = await modelOpener(modelsOf(plan), config, host, clock, shared)
  const started = { at: clock.now(), monotonic: clock.monotonic() }
  // What is tested is what was there before: asked for now, waited for at the end.
  const git = gitState(project.dir)
  const id = systemIds(clock).run()
  const folder = join(resolve(project.dir, config.reports ?? 'reports'), id)
  makeFolder(folder)
  const store = jsonlStore(join(folder, 'results.jsonl'))
  const scratch = scratchFolder('skills-eval-')
  const listener = view.listener(plan)
  const seed = options.seed ?? 1
  try {
    const parts = { ...scriptWorld(host, config), scratch, signal: host.signal }
    const tools = plainTools(clock)
    const preloaded = preloadReporters(prepared.reporters, host, clock)
    const run = await runPlan(plan, {
      openModel: (planned) => openModel(planned.model, planned.evalCase.mock),
      openWorld: (planned, n) => openTrialWorld(planned, n, parts, tools),
      skillsOf: prepared.skillsOf,
      authorizerOf: authorizers(config, options.trustSuites),
      limits: config.limits ?? {},
      maxRepairs: config.limits?.max_repairs ?? 2,
      maxBodiesPerTurn: config.limits?.max_bodies_per_turn ?? 2,
      clock,
      store,
      listener,
      concurrency: options.concurrency ?? config.concurrency ?? usualConcurrency(plan, config, host),
      bail: options.bail,
      seed,
      signal: host.signal,
    })
    listener.close?.()
    const head = runHead(run, { id, started, clock, seed, git: await git, options, host })
    await preloaded
    const unwritten = await writeReports(head, plan, store, { folder, choices: prepared.reporters, host })
    if (!options.json && !options.quiet) host.stderr(`results: ${folder}\n`)
    for (const problem of [...unwritten, ...faultOf(run)]) host.stderr(`error: ${visibleLine(problem, 2000)}\n`)
    const code = exitCode({
      summary: head.summary,
      suites: head.suites,
      interrupted: head.interrupted,
      errorCodes: run.totals.errorCodes(),
    })
    return code === 0 && unwritten.length > 0 ? 3 : code
  } finally {
    listener.close?.()
    store.close()
    scratch.remove()
  }
}

const modelsOf = (plan: RunPlan): readonly string[] => [...new Set(plan.suites.flatMap((suite) => suite.models))]

/** A provider takes so many requests at a time from everybody; the machine has nothing to do with it. */
const liveConcurrency = 4

const usualConcurrency = (plan: RunPlan, config: Config, host: Host): number =>
  modelsOf(plan).some((name) => isLive(findProfile(name, config))) ? liveConcurrency : host.cores

/** Progress may not affect a run; that it broke is told once. */
const faultOf = ({ listenerFault }: FinishedRun): readonly string[] =>
  listenerFault === undefined ? [] : [`the progress could not be shown: ${listenerFault}`]

/** Most cases have no policy of their own and share one authorizer. */
const authorizers = (config: Config, trustRuntime: boolean): RunDeps['authorizerOf'] => {
  const open = (runtime: PlannedCase['evalCase']['permissions']) =>
    policyAuthorizer({ defaults: evalDefaults, configured: config.permissions, runtime, trustRuntime })
  const shared = open(undefined)
  return (evalCase) => (evalCase.permissions === undefined ? shared : open(evalCase.permissions))
}

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
