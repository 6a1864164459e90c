import { expect, test } from 'vitest'
import { nullReasons, rateNullReasons } from './null-reasons.ts'
import { summary } from './summarize.ts'

const zeros = { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 }

test('gives a reason for every null of a summary, and for nothing else', () => {
  const reasons = nullReasons(summary({ seed: 1 }).result())
  expect(reasons).toMatchInlineSnapshot(`
    {
      "interval": "no trial could be judged",
      "latency_ms.max": "no usable trial has a latency",
      "latency_ms.mean": "no usable trial has a latency",
      "latency_ms.p50": "no usable trial has a latency",
      "latency_ms.p95": "no usable trial has a latency",
      "pass_rate": "no trial could be judged",
      "trigger.f1": "no labelled skill was expected or selected",
      "trigger.macro.f1": "no skill has an F1",
      "trigger.macro.precision": "no skill has a precision",
      "trigger.macro.recall": "no skill has a recall",
      "trigger.macro.specificity": "no skill has a specificity",
      "trigger.precision": "no labelled skill was selected",
      "trigger.recall": "no observation expected a skill",
      "trigger.specificity": "no observation expected a skill to stay out",
    }
  `)
})

test('tells an unknown price from a count that was not reported', () => {
  const sums = summary({ seed: 1 })
  const usage = { ...zeros, input_tokens: 9, reasoning_tokens: null }
  const trigger = { expected: ['csv'], selected: ['csv'], labelled: 'all', universe: ['csv', 'pdf'] } as const
  sums.addTrial({ status: 'passed', usage, cost_usd: null, latency_ms: 5, actions: [], trigger })
  sums.addCase({ status: 'passed', passed: 1, usable: 1, xfail: false })
  expect(nullReasons(sums.result())).toEqual({
    'usage.reasoning_tokens': 'a model call did not report it',
    cost_usd: 'the price of a model call is not known',
  })
})

test('explains the metrics of one skill', () => {
  expect(rateNullReasons({ precision: 0, recall: null, f1: 0, specificity: 1 })).toEqual({
    recall: 'no observation expected a skill',
  })
})
