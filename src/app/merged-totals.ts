import type { SuiteHead, Summary, TriggerSummary } from '../core/results.ts'
import { sumTriggers } from '../metrics/sum-triggers.ts'
import { type SummaryFold, summary } from '../metrics/summarize.ts'
import { checkThresholds } from '../metrics/thresholds.ts'
import { allThresholds, numbersOf, savedTrials } from '../runner/run-totals.ts'
import type { Thresholds } from '../schema/suite.ts'
import type { Host } from './host.ts'
import { type MergedCase, type MergedSuite, mergedCases, type ShardFile } from './merged-cases.ts'

export type MergedTotals = {
  readonly summary: Summary
  readonly suites: readonly SuiteHead[]
  /** How often each error code ended a case. */
  readonly errorCodes: Readonly<Record<string, number>>
}

type OpenSuite = {
  readonly about: MergedSuite
  readonly all: SummaryFold
  readonly models: Map<string, SummaryFold>
  readonly durations: Map<string, number>
  readonly trigger: TriggerSummary
  /** On each of its models, where it has several. */
  triggerOn(model: string): TriggerSummary
}

/**
 * The numbers of the whole, made anew from the trials of all shards, and the thresholds that no shard could look at. Of
 * the trigger metrics, which need the labels of the cases, the counts of the shards are added up.
 */
export const mergedTotals = (shards: readonly ShardFile[], host: Pick<Host, 'files'>): MergedTotals => {
  const seed = shards[0]?.head.seed ?? 1
  const limits = shards[0]?.shard.thresholds ?? {}
  const whole = summary({ seed })
  const open: OpenSuite[] = []
  const codes = new Map<string, number>()
  const merged = mergedCases(shards, host, (suites) => {
    const [first] = suites
    if (!first) return
    const { name, path, description, distractors } = first
    open.push({
      about: {
        name,
        path,
        ...(description === undefined ? {} : { description }),
        ...(distractors === undefined ? {} : { distractors }),
      },
      all: summary({ seed }),
      models: new Map(),
      durations: new Map(),
      trigger: sumTriggers(suites.map((suite) => suite.summary.trigger)),
      triggerOn: (model) => sumTriggers(suites.flatMap((suite) => suite.model_triggers?.[model] ?? [])),
    })
  })
  for (const one of merged) {
    const suite = open.at(-1)
    if (!suite) continue
    const { model, status, trials } = one.result
    const fold = suite.models.get(model) ?? summary({ seed })
    suite.models.set(model, fold)
    const spent = trials.reduce((ms, trial) => ms + trial.duration_ms, suite.durations.get(model) ?? 0)
    suite.durations.set(model, spent)
    for (const sum of [whole, suite.all, fold]) addCase(sum, one)
    const code = status === 'error' ? trials.find((trial) => trial.error)?.error?.code : undefined
    if (code !== undefined) codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  const suites = open.map((suite) => headOf(suite, limits[suite.about.name]))
  return {
    summary: {
      ...whole.result(),
      trigger: sumTriggers(shards.map(({ head }) => head.summary.trigger)),
      thresholds: allThresholds(suites),
    },
    suites,
    errorCodes: Object.fromEntries(codes),
  }
}

const addCase = (sum: SummaryFold, { result, xfail }: MergedCase): void => {
  for (const trial of result.trials) sum.addTrial(numbersOf(trial))
  const passed = result.trials.filter(({ status }) => status === 'passed').length
  const failed = result.trials.filter(({ status }) => status === 'failed').length
  sum.addCase({ status: result.status, passed, usable: passed + failed, xfail, saved: savedTrials(result) })
}

const headOf = (
  { about, all, models, durations, trigger, triggerOn }: OpenSuite,
  limits: Thresholds | undefined,
): SuiteHead => {
  const numbers = { ...all.result(), trigger }
  const thresholds = limits ? checkThresholds(limits, { ...numbers, unusable: all.unusable() }) : []
  const whole: Summary = { ...numbers, thresholds }
  return {
    ...about,
    summary: whole,
    models: [...models].map(([model, fold]) => ({
      model,
      summary: models.size === 1 ? whole : { ...fold.result(), trigger: triggerOn(model), thresholds: [] },
      duration_ms: durations.get(model) ?? 0,
    })),
  }
}
