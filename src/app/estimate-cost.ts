import { join } from 'node:path'
import { systemPrompt } from '../agent/prompt.ts'
import { offeredTools } from '../agent/tool-specs.ts'
import { cassettePath, readCassette } from '../cassette/cassette-file.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { EvalCase, PlannedCase, RunPlan } from '../core/plan.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { Usage } from '../core/trajectory.ts'
import { hasRubric } from '../grading/has-rubric.ts'
import { countTokens } from '../lib/tokens.ts'
import type { CostEstimate } from '../report/plan-report.ts'
import type { RunDeps, SuiteSkills } from '../runner/run-deps.ts'
import type { Cassette } from '../schema/cassette.ts'
import type { Check } from '../schema/check.ts'
import type { Config, Profile } from '../schema/config.ts'
import { checksOf } from '../suite/case-checks.ts'
import { maxCassetteBytes } from './cassette-limits.ts'
import { recordingsFolder } from './cassettes.ts'
import type { Host } from './host.ts'
import { judgeProfile } from './open-judge.ts'
import { isLive } from './open-model.ts'
import { type CostOf, costOfProfile, readPriceTable } from './price-table.ts'
import { findProfile, isProfile, judgeOf } from './profiles.ts'
import type { Project } from './project.ts'
import { nameOf, type RecordingChoice, recordModeOf } from './recorded-models.ts'
import { addTimes, addTo, mean, meanOf, noUsage, plus, type UsageSum, usageOf } from './usage-sum.ts'

type World = {
  readonly project: Project
  readonly config: Config
  readonly plan: RunPlan
  readonly skillsOf: RunDeps['skillsOf']
}

/**
 * What each live model of a plan would probably use and cost, judges too. A trial that would be asked counts with what was
 * recorded of its case, else with the mean of what was recorded on the model, else with counted tokens: see `countedUsage`
 * and `countedVerdicts`. Nothing is taken off for a provider's cache. A trial that is replayed costs nothing; one that may
 * turn out stale is not counted.
 */
export const estimateCosts = async (
  { project, config, plan, skillsOf }: World,
  choice: RecordingChoice,
  host: Host,
): Promise<Record<string, CostEstimate>> => {
  const folder = recordingsFolder(project, config)
  const table = await readPriceTable()
  const models = new Map<string, Model>()
  const judges = new Map<string, Model>()
  const prompts = new Map<SuiteSkills, number>()
  const modelOf = (known: Map<string, Model>, name: string, profile: Profile): Model | undefined => {
    if (!isLive(profile)) return undefined
    const model =
      known.get(name) ?? newModel(recordModeOf(profile, choice, host), costOfProfile(profile, table), profile.model)
    known.set(name, model)
    return model
  }
  const promptOf = (skills: SuiteSkills): number => {
    const prompt = prompts.get(skills) ?? promptTokens(skills)
    prompts.set(skills, prompt)
    return prompt
  }
  for (const planned of plan.cases()) {
    const { suite, evalCase, trials } = planned
    if (trials === 0) continue
    const judgeName = hasRubric(evalCase) ? judgeOf(suite) : undefined
    const model = modelOf(models, planned.model, findProfile(planned.model, config))
    const judge =
      judgeName !== undefined && isProfile(judgeName, config)
        ? modelOf(judges, judgeName, judgeProfile(judgeName, config))
        : undefined
    if (!model && !judge) continue
    const recorded = recordedTrials(join(folder, cassettePath(nameOf(planned, choice))), host)
    if (model) {
      const skills = skillsOf(suite)
      const seen = recorded.flatMap(({ turns }) =>
        turns.length === 0 ? [] : [usageOf(turns.map(({ answer }) => answer))],
      )
      addCase(model, trials, seen, () => {
        model.leavesOutSubagents ||= mayDelegate(evalCase, skills)
        return countedUsage(planned, promptOf(skills), skills.universe.length > 0)
      })
    }
    if (judge) {
      const seen = recorded.flatMap(({ judge: calls = [] }) =>
        calls.length === 0 ? [] : [usageOf(calls.map(({ answer }) => answer))],
      )
      addCase(judge, trials, seen, () => countedVerdicts(evalCase))
    }
  }
  const told = (known: ReadonlyMap<string, Model>, nameIn: (name: string) => string) =>
    [...known].map(([name, model]) => [nameIn(name), estimate(name, model)] as const)
  return Object.fromEntries([
    ...told(models, (name) => name),
    ...told(judges, (name) => (models.has(name) ? `${name} (judge)` : name)),
  ])
}

const addCase = (model: Model, trials: number, recorded: readonly UsageSum[], counted: () => UsageSum): void => {
  for (const usage of recorded) addTo(model.seen, usage)
  const asked = askedTrials(model.mode, trials, recorded.length)
  if (asked === 0) return
  if (recorded.length > 0) addTimes(model.known, mean(recorded), asked)
  else addTimes(model.counted, counted(), asked)
}

/** In a case of triggers, none is started. What was recorded has their turns too; a count can't know how many they take. */
const mayDelegate = ({ triggerOnly }: EvalCase, { source }: SuiteSkills): boolean =>
  !triggerOnly && source.visible().some(({ runsAlone }) => runsAlone === true)

type Model = {
  readonly mode: RecordMode
  readonly costOf: CostOf
  /** What the provider calls it. */
  readonly asked: string
  /** Every recorded trial that was read. */
  readonly seen: UsageSum
  /** Trials to be asked whose case is recorded, and those whose case is not. */
  readonly known: UsageSum
  readonly counted: UsageSum
  /** Whether skills that run on their own may be started in what is counted. */
  leavesOutSubagents: boolean
}

const newModel = (mode: RecordMode, costOf: CostOf, asked: string): Model => ({
  mode,
  costOf,
  asked,
  seen: noUsage(),
  known: noUsage(),
  counted: noUsage(),
  leavesOutSubagents: false,
})

const askedTrials = (mode: RecordMode, trials: number, recorded: number): number => {
  switch (mode) {
    case 'replay':
    case 'stale':
      return 0
    case 'missing':
      return Math.max(0, trials - recorded)
    case 'all':
    case 'off':
      return trials
  }
}

const recordedTrials = (path: string, { files }: Host): Cassette['trials'] => {
  if (files.stat(path) === undefined) return []
  try {
    const read = readCassette(files.readText(path, maxCassetteBytes))
    return 'cassette' in read ? read.cassette.trials : []
  } catch (error) {
    if (error instanceof SkillsEvalError) return []
    throw error
  }
}

/** A trial of a task: it selects a skill, looks, acts and answers. */
const TURNS = 4
/** Tokens that a turn adds to the conversation, of a body that is loaded, and of an answer. */
const TURN_TOKENS = 400
const BODY_TOKENS = 1_200
const OUTPUT_TOKENS = 150

/** Every turn sends the prompt with the index and the tools, the request, and what was said so far. */
const countedUsage = ({ evalCase }: PlannedCase, prompt: number, hasSkills: boolean): UsageSum => {
  const { input, triggerOnly, constraints } = evalCase
  const usual = triggerOnly ? 1 : TURNS * input.length
  const turns = Math.min(usual, constraints?.max_turns ?? usual)
  const request = countTokens(input.join('\n'))
  const history = TURN_TOKENS * ((turns * (turns - 1)) / 2) + (hasSkills ? BODY_TOKENS * (turns - 1) : 0)
  return { trials: 1, input: turns * (prompt + request) + history, cached: 0, output: turns * OUTPUT_TOKENS }
}

/** Tokens of what a judge is told beside the case, and of a verdict. */
const JUDGE_TOKENS = 500
const VERDICT_TOKENS = 80

/** Every judge reads the criteria, the request and what is judged, which is taken for a usual answer. */
const countedVerdicts = ({ input, expected }: EvalCase): UsageSum => {
  const sum = { ...noUsage(), trials: 1 }
  const request = countTokens(input.join('\n'))
  for (const { check } of checksOf((expected ?? {}) as Record<string, unknown>)) {
    const { rubric, judges = 1 } = check as Pick<Check, 'rubric' | 'judges'>
    if (rubric === undefined) continue
    const criteria = [rubric].flat()
    const question = JUDGE_TOKENS + OUTPUT_TOKENS + request + countTokens(criteria.join('\n'))
    sum.input = plus(sum.input, judges * question)
    sum.output = plus(sum.output, judges * criteria.length * VERDICT_TOKENS)
  }
  return sum
}

const promptTokens = ({ renderedIndex, universe }: SuiteSkills): number => {
  const tools = offeredTools({
    hasSkills: universe.length > 0,
    mayAllow: () => true,
    isThere: () => true,
    provided: [],
  })
  return countTokens(systemPrompt(renderedIndex, undefined)) + countTokens(JSON.stringify(tools))
}

const estimate = (name: string, { seen, known, counted, leavesOutSubagents, costOf, asked }: Model): CostEstimate => {
  const total = noUsage()
  addTo(total, known)
  const isMeasured = seen.trials > 0
  // What other cases took on this model says more than any count of ours.
  if (counted.trials > 0) {
    const one = isMeasured ? meanOf(seen) : meanOf(counted)
    addTo(total, one, counted.trials)
  }
  const { input, cached, output } = total
  const usage: Usage = {
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    reasoning_tokens: 0,
  }
  const cost = total.trials === 0 ? 0 : costOf(asked, usage, 0)
  const from = [
    ...(known.trials > 0 || (counted.trials > 0 && isMeasured) ? (['recordings'] as const) : []),
    ...(counted.trials > 0 && !isMeasured ? (['tokens'] as const) : []),
  ]
  const reason =
    cost !== null
      ? undefined
      : input === null || output === null
        ? 'the recordings do not say how many tokens were used'
        : `what "${name}" costs is not known: give its price in the profile`
  return {
    trials: total.trials,
    input_tokens: rounded(plus(input, cached)),
    output_tokens: rounded(output),
    cost_usd: cost,
    from,
    ...(leavesOutSubagents && from.includes('tokens') ? { without_subagents: true as const } : {}),
    ...(reason === undefined ? {} : { reason }),
  }
}

const rounded = (tokens: number | null): number | null => (tokens === null ? null : Math.round(tokens))
