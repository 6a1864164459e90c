import { UsageError } from '../core/errors.ts'
import type { RunPlan } from '../core/plan.ts'
import { hasRubric } from '../grading/has-rubric.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Config } from '../schema/config.ts'
import type { Host } from './host.ts'
import { isLive } from './open-model.ts'
import { costOfProfile, mostUsdOf, readPriceTable } from './price-table.ts'
import { findProfile, judgeOf } from './profiles.ts'
import { isAsked, type RecordingChoice } from './recorded-models.ts'

/**
 * Refuses a live model of unknown price where a limit on the cost holds: `--max-cost`, `max_cost_usd` of a case or
 * `thresholds.cost_usd` of a suite would be asked about a number that nobody will know, once the money is spent. Throws a
 * UsageError.
 */
export const requirePrices = async (
  plan: RunPlan,
  config: Config,
  choice: RecordingChoice & { readonly maxCostUsd?: number },
  host: Pick<Host, 'isCi'>,
): Promise<void> => {
  const unpriced = new Set<string>()
  const names = new Set(plan.suites.flatMap(({ models }) => models))
  if (choice.maxCostUsd !== undefined) for (const judge of judgesOf(plan)) names.add(judge)
  for (const name of names) {
    const profile = findProfile(name, config)
    if (!isLive(profile) || !isAsked(profile, choice, host)) continue
    const most = mostUsdOf(profile, costOfProfile(profile, await readPriceTable()))
    if (most(0) === null) unpriced.add(name)
  }
  const [first] = unpriced
  if (first === undefined) return
  if (choice.maxCostUsd !== undefined) throw refused('--max-cost', first)
  for (const { name: suite, models, thresholds } of plan.suites) {
    const model = models.find((name) => unpriced.has(name))
    if (thresholds?.cost_usd !== undefined && model !== undefined)
      throw refused(`thresholds.cost_usd of ${suite}`, model)
  }
  for (const { suite, evalCase, model } of plan.cases()) {
    if (evalCase.constraints?.max_cost_usd !== undefined && unpriced.has(model))
      throw refused(`max_cost_usd of ${suite.name}/${evalCase.id}`, model)
  }
}

/** Those that would judge something. */
const judgesOf = (plan: RunPlan): ReadonlySet<string> => {
  const judges = new Set<string>()
  for (const { suite, evalCase } of plan.cases()) if (hasRubric(evalCase)) judges.add(judgeOf(suite))
  return judges
}

const refused = (gate: string, model: string): UsageError =>
  new UsageError('no_price', `${visibleLine(gate, 300)}: what "${visibleLine(model)}" costs is not known`, {
    hint: 'Give its price in the profile: {"price": {"input": …, "output": …}} in USD per million tokens.',
  })
