import type { ScratchFolder } from '../adapters/files/scratch-folder.ts'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { Clock, ProvidedTool } from '../core/ports.ts'
import { evalDefaults, policyAuthorizer } from '../permissions/policy-authorizer.ts'
import type { RunDeps } from '../runner/run-deps.ts'
import type { Config } from '../schema/config.ts'
import { offersPerSkill, subagentLimits } from './agent-limits.ts'
import type { Purse } from './cost-limit.ts'
import type { Host } from './host.ts'
import { guardedServers, requireServers, serverOpener, withServers } from './mcp-servers.ts'
import { judgeOpener } from './open-judge.ts'
import { isLive, modelOpener, type OpenModel } from './open-model.ts'
import { askedJudges } from './planned-judges.ts'
import { findProfile } from './profiles.ts'
import type { Project } from './project.ts'
import { isAsked, type RecordingChoice, recordedModels } from './recorded-models.ts'
import type { RecordingDigests } from './recording-digests.ts'
import { scriptWorld } from './script-world.ts'
import { openTrialWorld, plainTools } from './trial-world.ts'

export type EvalWorld = {
  readonly project: Project
  readonly config: Config
  readonly plan: RunPlan
  readonly skillsOf: RunDeps['skillsOf']
  /** Told of the recordings that are read. */
  readonly recordingDigests?: RecordingDigests
  readonly choice: RecordingChoice
  readonly trustSuites: boolean
  readonly concurrency: number | undefined
  /** Of the caller of the library. */
  readonly tools?: readonly ProvidedTool[] | undefined
  /** What the run may spend, where that is limited. */
  readonly purse: Purse | undefined
  /** What answers instead of the profiles' own models. */
  readonly open?: OpenModel
  readonly clock: Clock
  readonly scratch: ScratchFolder
  readonly host: Host
}

export type EvalDeps = Omit<RunDeps, 'store' | 'listener' | 'bail' | 'seed'> & {
  /** Recordings that the disk did not take, in words. */
  readonly unwritten: readonly string[]
}

/** All that the trials of a plan need of the world. Throws a UsageError where a model that may be asked has no key. */
export const evalDeps = async (world: EvalWorld): Promise<EvalDeps> => {
  const { config, plan, skillsOf, choice, clock, scratch, host } = world
  const asked = modelsOf(plan).filter((name) => isAsked(findProfile(name, config), choice, host))
  const judges = askedJudges(plan, config, choice, host)
  const open = world.open ?? (await modelOpener(asked, config, host, clock, world.purse))
  const openJudge = await judgeOpener(judges, config, host, clock, world.purse)
  const parts = { ...scriptWorld(host, config), scratch, signal: host.signal }
  const tools = plainTools(clock)
  const openServers = serverOpener(config, world.project, host)
  requireNamedServers(plan, config)
  return {
    ...(await recordedModels({ ...world, open, openJudge })),
    openWorld: (planned, n) =>
      withServers(
        openTrialWorld(planned, n, parts, tools),
        { names: planned.evalCase.mcp, atHand: world.tools },
        openServers,
        () => scratch.folder(`${planned.at + n}-servers`),
      ),
    skillsOf,
    authorizerOf: authorizers(config, world.trustSuites),
    limits: config.limits ?? {},
    maxRepairs: config.limits?.max_repairs ?? 2,
    maxBodiesPerTurn: config.limits?.max_bodies_per_turn ?? 2,
    ...(config.limits?.context_tokens === undefined ? {} : { contextTokens: config.limits.context_tokens }),
    subagents: subagentLimits(config),
    offersPerSkill: offersPerSkill(config),
    clock,
    concurrency: world.concurrency ?? config.concurrency ?? usualConcurrency([...asked, ...judges], config, host),
    signal: host.signal,
  }
}

const modelsOf = (plan: RunPlan): readonly string[] => [...new Set(plan.suites.flatMap((suite) => suite.models))]

/** Cases beyond this many are rows of data: a wrong name shows in the first of them. */
const casesLookedAt = 2_000

const requireNamedServers = (plan: RunPlan, config: Config): void => {
  let looked = 0
  for (const { suite, evalCase } of plan.cases()) {
    if (++looked > casesLookedAt) return
    if (evalCase.mcp) requireServers(evalCase.mcp, config, `${suite.path}, case ${evalCase.id}`)
  }
}

/** A provider takes so many requests at a time from everybody; the machine has nothing to do with it. */
const liveConcurrency = 4

const usualConcurrency = (asked: readonly string[], config: Config, host: Host): number =>
  asked.some((name) => isLive(findProfile(name, config))) ? liveConcurrency : host.cores

/** Most cases have no policy of their own and share one authorizer. */
const authorizers = (config: Config, trustRuntime: boolean): RunDeps['authorizerOf'] => {
  const open = (runtime: PlannedCase['evalCase']['permissions']) =>
    policyAuthorizer({ defaults: evalDefaults, configured: config.permissions, runtime, trustRuntime })
  const shared = open(undefined)
  const { call_tool: _, ...strictDefaults } = evalDefaults
  return (evalCase) => {
    const { permissions: runtime, mcp, tools } = evalCase
    const usual = runtime === undefined ? shared : open(runtime)
    if (mcp === undefined) return usual
    const strict = policyAuthorizer({
      defaults: strictDefaults,
      configured: config.permissions,
      runtime,
      trustRuntime,
    })
    return guardedServers(usual, strict, Object.keys(tools ?? {}))
  }
}
