import type { SummaryNumbers } from './summarize.ts'
import type { TriggerRates } from './trigger-rates.ts'

/**
 * Why numbers of a summary are null: dotted path to reason, only for those that are (`{"trigger.recall": "no
 * observation expected a skill"}`). Of the skills one by one it says nothing: `rateNullReasons` does, for one.
 */
export const nullReasons = (summary: SummaryNumbers): Readonly<Record<string, string>> => {
  const { trigger, usage, judge } = summary
  return {
    ...reasons('', { pass_rate: NOT_JUDGED, interval: NOT_JUDGED }, summary),
    ...rateNullReasons(trigger, 'trigger.'),
    ...reasons('trigger.macro.', NO_SKILL_HAS_IT, trigger.macro),
    ...reasons('usage.', NOT_REPORTED, usage),
    ...reasons('', { cost_usd: NO_PRICE }, summary),
    ...reasons('judge.usage.', NOT_REPORTED, judge.usage),
    ...reasons('judge.', { cost_usd: NO_PRICE }, judge),
    ...reasons('latency_ms.', NOT_TIMED, summary.latency_ms),
  }
}

/** Why trigger metrics are null, of one skill or of all: metric, after `prefix`, to reason. */
export const rateNullReasons = (rates: TriggerRates, prefix = ''): Readonly<Record<string, string>> =>
  reasons(prefix, NO_DENOMINATOR, rates)

const reasons = <Key extends string>(
  prefix: string,
  texts: Readonly<Record<Key, string>>,
  values: Readonly<Record<NoInfer<Key>, unknown>>,
): Record<string, string> => {
  const keys = Object.keys(texts) as Key[]
  return Object.fromEntries(keys.filter((key) => values[key] === null).map((key) => [prefix + key, texts[key]]))
}

const NOT_JUDGED = 'no trial could be judged'
const NO_PRICE = 'the price of a model call is not known'
const NO_DENOMINATOR: Readonly<Record<keyof TriggerRates, string>> = {
  precision: 'no labelled skill was selected',
  recall: 'no observation expected a skill',
  f1: 'no labelled skill was expected or selected',
  specificity: 'no observation expected a skill to stay out',
}
const NO_SKILL_HAS_IT = {
  precision: 'no skill has a precision',
  recall: 'no skill has a recall',
  f1: 'no skill has an F1',
  specificity: 'no skill has a specificity',
}
const NOT_REPORTED = {
  input_tokens: 'a model call did not report it',
  output_tokens: 'a model call did not report it',
  cached_input_tokens: 'a model call did not report it',
  reasoning_tokens: 'a model call did not report it',
}
const NOT_TIMED = {
  mean: 'no usable trial has a latency',
  p50: 'no usable trial has a latency',
  p95: 'no usable trial has a latency',
  max: 'no usable trial has a latency',
}
