import { join } from 'node:path'
import { systemPrompt } from '../agent/prompt.ts'
import { offeredTools } from '../agent/tool-specs.ts'
import { cassettePath, readCassette } from '../cassette/cassette-file.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { Usage } from '../core/trajectory.ts'
import { countTokens } from '../lib/tokens.ts'
import type { CostEstimate } from '../report/plan-report.ts'
import type { RunDeps, SuiteSkills } from '../runner/run-deps.ts'
import type { Cassette } from '../schema/cassette.ts'
import type { Config } from '../schema/config.ts'
import { maxCassetteBytes } from './cassette-limits.ts'
import { recordingsFolder } from './cassettes.ts'
import type { Host } from './host.ts'
import { isLive } from './open-model.ts'
import { type CostOf, costOfProfile, readPriceTable } from './price-table.ts'
import { findProfile } from './profiles.ts'
import type { Project } from './project.ts'
import { nameOf, type RecordingChoice, recordModeOf } from './recorded-models.ts'

type World = {
  readonly project: Project
  readonly config: Config
  readonly plan: RunPlan
  readonly skillsOf: RunDeps['skillsOf']
}

/**
 * What each live model of a plan would probably use and cost. A trial that would be asked counts with what was recorded of
 * its case, else with the mean of what was recorded on the model, else with counted tokens: see `countedUsage`. Nothing is
 * taken off for a provider's cache. A trial that is replayed costs nothing; one that may turn out stale is not counted.
 */
export const estimateCosts = async (
  { project, config, plan, skillsOf }: World,
  choice: RecordingChoice,
  host: Host,
): Promise<Record<string, CostEstimate>> => {
  const folder = recordingsFolder(project, config)
  const table = await readPriceTable()
  const models = new Map<string, Model>()
  const prompts = new Map<SuiteSkills, number>()
  for (const planned of plan.cases()) {
    const profile = findProfile(planned.model, config)
    if (!isLive(profile) || planned.trials === 0) continue
    const model =
      models.get(planned.model) ??
      newModel(recordModeOf(profile, choice, host), costOfProfile(profile, table), profile.model)
    models.set(planned.model, model)
    const recorded = recordedOf(join(folder, cassettePath(nameOf(planned, choice))), host)
    for (const usage of recorded) addTo(model.seen, usage)
    const asked = askedTrials(model.mode, planned.trials, recorded.length)
    if (asked === 0) continue
    if (recorded.length > 0) addTimes(model.known, mean(recorded), asked)
    else {
      const skills = skillsOf(planned.suite)
      const prompt = prompts.get(skills) ?? promptTokens(skills)
      prompts.set(skills, prompt)
      addTimes(model.counted, countedUsage(planned, prompt, skills.universe.length > 0), asked)
    }
  }
  return Object.fromEntries([...models].map(([name, model]) => [name, estimate(name, model)]))
}

type Sum = { trials: number; input: number | null; cached: number | null; output: number | null }
type Model = {
  readonly mode: RecordMode
  readonly costOf: CostOf
  /** What the provider calls it. */
  readonly asked: string
  /** Every recorded trial that was read. */
  readonly seen: Sum
  /** Trials to be asked whose case is recorded, and those whose case is not. */
  readonly known: Sum
  readonly counted: Sum
}

const noSum = (): Sum => ({ trials: 0, input: 0, cached: 0, output: 0 })

const newModel = (mode: RecordMode, costOf: CostOf, asked: string): Model => ({
  mode,
  costOf,
  asked,
  seen: noSum(),
  known: noSum(),
  counted: noSum(),
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

const recordedOf = (path: string, { files }: Host): readonly Sum[] => {
  if (files.stat(path) === undefined) return []
  try {
    const read = readCassette(files.readText(path, maxCassetteBytes))
    return 'cassette' in read ? read.cassette.trials.map(usageOf) : []
  } catch (error) {
    if (error instanceof SkillsEvalError) return []
    throw error
  }
}

const usageOf = ({ turns }: Cassette['trials'][number]): Sum => {
  const sum = { ...noSum(), trials: 1 }
  for (const { answer } of turns) {
    const {
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: output,
      reasoning_tokens: more,
    } = answer.usage
    sum.input = plus(sum.input, input)
    // Where a provider does not tell a part, it is in the rest.
    sum.cached = plus(sum.cached, cached ?? 0)
    sum.output = plus(sum.output, output === null ? null : output + (more ?? 0))
  }
  return sum
}

const plus = (sum: number | null, more: number | null): number | null =>
  sum === null || more === null ? null : sum + more

const addTo = (sum: Sum, more: Sum, times = 1): void => {
  sum.trials += more.trials * times
  for (const key of ['input', 'cached', 'output'] as const)
    sum[key] = plus(sum[key], more[key] === null ? null : more[key] * times)
}

const addTimes = (sum: Sum, one: Sum, times: number): void => addTo(sum, { ...one, trials: 1 }, times)

const mean = (sums: readonly Sum[]): Sum => {
  const all = noSum()
  for (const sum of sums) addTo(all, sum)
  return meanOf(all)
}

const meanOf = ({ trials, input, cached, output }: Sum): Sum => ({
  trials: 1,
  input: input === null ? null : input / trials,
  cached: cached === null ? null : cached / trials,
  output: output === null ? null : output / trials,
})

/** A trial of a task: it selects a skill, looks, acts and answers. */
const TURNS = 4
/** Tokens that a turn adds to the conversation, of a body that is loaded, and of an answer. */
const TURN_TOKENS = 400
const BODY_TOKENS = 1_200
const OUTPUT_TOKENS = 150

/** Every turn sends the prompt with the index and the tools, the request, and what was said so far. */
const countedUsage = ({ evalCase }: PlannedCase, prompt: number, hasSkills: boolean): Sum => {
  const { input, triggerOnly, constraints } = evalCase
  const usual = triggerOnly ? 1 : TURNS * input.length
  const turns = Math.min(usual, constraints?.max_turns ?? usual)
  const request = countTokens(input.join('\n'))
  const history = TURN_TOKENS * ((turns * (turns - 1)) / 2) + (hasSkills ? BODY_TOKENS * (turns - 1) : 0)
  return { trials: 1, input: turns * (prompt + request) + history, cached: 0, output: turns * OUTPUT_TOKENS }
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

const estimate = (name: string, { seen, known, counted, costOf, asked }: Model): CostEstimate => {
  const total = noSum()
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
    ...(reason === undefined ? {} : { reason }),
  }
}

const rounded = (tokens: number | null): number | null => (tokens === null ? null : Math.round(tokens))
