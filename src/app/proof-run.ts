import { join } from 'node:path'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { scratchFolder } from '../adapters/files/scratch-folder.ts'
import { memoryStore } from '../adapters/memory/memory-store.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { PlannedSuite, RunPlan } from '../core/plan.ts'
import type { CaseResult } from '../core/results.ts'
import { provedModels } from '../distribution/proof.ts'
import { runPlan } from '../runner/run-plan.ts'
import type { Config } from '../schema/config.ts'
import type { Proof, ProvedCase } from '../schema/proof.ts'
import { checksOf } from '../suite/case-checks.ts'
import { isRecord, recordOr } from '../suite/record.ts'
import { evalDeps } from './eval-deps.ts'
import type { Host } from './host.ts'
import { type PreparedRun, prepareRun } from './prepare-run.ts'
import { findProfile } from './profiles.ts'
import { recordingsIn } from './proof-recordings.ts'

/** What the machine says about how a proof may run, whatever the proof says. */
export type ProofRules = Pick<Config, 'sandbox'> & { readonly deny: readonly string[]; readonly runGraders: boolean }

export type ProofRun = Pick<Proof, 'models' | 'cases'> & {
  /** Graders that are run, by their places in the project; where they may not run, nothing was. */
  readonly graders: readonly string[]
  readonly hasRun: boolean
  /** Cases in which a rule of the machine denied something, by `provedKey`, with that rule. */
  readonly denied: ReadonlyMap<string, string>
}

/**
 * Replays the suites of a project that was laid out for it, skills and all: no model is asked, no configuration but
 * the project's own is read, and of that nothing opens what is closed by default. Skill scripts run as in any run.
 */
export const runProof = async (
  dir: string,
  suites: readonly string[],
  rules: ProofRules,
  host: Host,
): Promise<ProofRun> => {
  const scratch = scratchFolder('skills-eval-')
  try {
    const alone = hostAlone(dir, scratch.folder('home'), host)
    const prepared = await prepareRun({ paths: suites }, alone)
    const profiles = [...new Set(prepared.plan.suites.flatMap(({ models }) => models))].map((profile) => ({
      profile,
      provider: findProfile(profile, prepared.config).provider,
    }))
    const graders = gradersOf(prepared.plan, dir)
    const models = provedModels(profiles, recordingsIn(dir, host))
    if (graders.length > 0 && !rules.runGraders) return { models, cases: [], graders, hasRun: false, denied: new Map() }
    // The user's own home is what scripts must not see; only what is read for the run comes from the empty one.
    const denied = new Map<string, string>()
    const cases = await replay(prepared, rules, denied, { ...alone, home: host.home })
    return { models, cases, graders, hasRun: true, denied }
  } finally {
    scratch.remove()
  }
}

/** The program in another folder, with nothing of its user: as in CI, and with no variable but the search path. */
export const hostAlone = (cwd: string, home: string, host: Host): Host => ({
  ...host,
  cwd,
  home,
  env: host.env.PATH === undefined ? {} : { PATH: host.env.PATH },
  isCi: true,
})

const replay = async (
  lenient: PreparedRun,
  rules: ProofRules,
  denied: Map<string, string>,
  host: Host,
): Promise<ProvedCase[]> => {
  const prepared = strict(lenient)
  const scratch = scratchFolder('skills-eval-')
  const cases: ProvedCase[] = []
  const theirs = new Set(lenient.config.permissions?.deny)
  const ownRules = new Set(rules.deny.filter((rule) => !theirs.has(rule)).map((rule) => `configuration: deny ${rule}`))
  try {
    const deps = await evalDeps({
      ...prepared,
      config: safeConfig(prepared.config, rules),
      choice: { record: 'replay', allowStale: false },
      trustSuites: false,
      concurrency: undefined,
      purse: undefined,
      clock: systemClock(),
      scratch,
      host,
    })
    const at = new Map<string, number>()
    for (const { suite, evalCase, model } of prepared.plan.cases())
      at.set(keyOf(suite.name, evalCase.id, model), at.size)
    const caseFinished = (suite: { readonly name: string }, result: CaseResult) => {
      const proved = provedCase(suite.name, result)
      cases.push(proved)
      const rule = deniedBy(result, ownRules)
      if (rule !== undefined) denied.set(provedKey(proved), rule)
    }
    const store = memoryStore()
    const { stopped } = await runPlan(prepared.plan, {
      ...deps,
      store,
      listener: { caseFinished },
      bail: undefined,
      seed: 1,
    })
    if (stopped !== undefined) throw new SkillsEvalError('interrupted', 'the proof was interrupted')
    const placeOf = (one: ProvedCase) => at.get(provedKey(one)) ?? 0
    return cases.sort((a, b) => placeOf(a) - placeOf(b))
  } finally {
    scratch.remove()
  }
}

/** The same run where no suite lets pass what is stale: such a recording shows nothing. */
const strict = (run: PreparedRun): PreparedRun => {
  const copies = new Map(run.plan.suites.map(({ stale: _, ...suite }) => [suite.name, suite as PlannedSuite]))
  const byName = new Map(run.plan.suites.map((suite) => [suite.name, suite]))
  const original = (suite: PlannedSuite) => byName.get(suite.name) ?? suite
  function* cases() {
    for (const planned of run.plan.cases()) yield { ...planned, suite: copies.get(planned.suite.name) ?? planned.suite }
  }
  return {
    ...run,
    plan: { ...run.plan, suites: [...copies.values()], cases },
    skillsOf: (suite) => run.skillsOf(original(suite)),
    indexOf: (suite) => run.indexOf(original(suite)),
  }
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts)

export const provedKey = ({ suite, id, model }: ProvedCase): string => keyOf(suite, id, model)

type Action = CaseResult['trials'][number]['actions'][number]

const withOwn = (action: Action): Action[] => [action, ...(action.actions ?? []).flatMap(withOwn)]

/** The first of these rules that denied an action of a case, of a skill that ran on its own too. */
const deniedBy = ({ trials }: CaseResult, rules: ReadonlySet<string>): string | undefined =>
  trials
    .flatMap(({ actions }) => actions.flatMap(withOwn))
    .find(({ status, rule }) => status === 'denied' && rule !== undefined && rules.has(rule))?.rule

/** A trial whose recording answers other requests shows nothing, whatever the suite lets pass. */
const provedCase = (suite: string, { id, model, status, trials }: CaseResult): ProvedCase => {
  const isStale = trials.some(({ cassette }) => cassette !== undefined && cassette.stale_parts.length > 0)
  return {
    suite,
    id,
    model,
    status: isStale ? 'stale' : status,
    trials: trials.length,
    passed: trials.filter((trial) => trial.status === 'passed').length,
    checks: trials.reduce((sum, { checks }) => sum + checks.length, 0),
  }
}

/** Of a configuration that came with a pack what makes an answer; not what opens or hides something. */
const safeConfig = (config: Config, { sandbox, deny }: ProofRules): Config => {
  const { model, models, security, limits, normalize, permissions } = config
  return {
    ...(model === undefined ? {} : { model }),
    ...(models === undefined ? {} : { models }),
    ...(security === undefined ? {} : { security }),
    ...(limits === undefined ? {} : { limits }),
    ...(normalize === undefined ? {} : { normalize }),
    ...(sandbox === undefined ? {} : { sandbox }),
    permissions: { deny: [...new Set([...(permissions?.deny ?? []), ...deny])] },
  }
}

const gradersOf = (plan: RunPlan, dir: string): readonly string[] => {
  const found = new Set<string>()
  for (const { evalCase } of plan.cases())
    for (const { check } of checksOf(recordOr(evalCase.expected)))
      if (isRecord(check.script) && typeof check.script.run === 'string')
        found.add(check.script.run.replace(`${dir}/`, ''))
  return [...found].sort()
}

export const proofConfigFile = (dir: string): string => join(dir, '.agent/config.json')
