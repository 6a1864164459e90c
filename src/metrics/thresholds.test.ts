import { describe, expect, test } from 'vitest'
import { checkThresholds, type Gated } from './thresholds.ts'

const summary: Gated = {
  pass_rate: 0.9,
  trigger: { precision: 0.8, recall: 0.7, f1: 0.75 },
  usage: { input_tokens: 500, output_tokens: 70, cached_input_tokens: 400, reasoning_tokens: 30 },
  cost_usd: 0.5,
  latency_ms: { p95: 2500 },
  trials: 40,
  unusable: 4,
}

const unknown: Gated = {
  pass_rate: null,
  trigger: { precision: null, recall: null, f1: null },
  usage: { input_tokens: 900, output_tokens: null, cached_input_tokens: 0, reasoning_tokens: 0 },
  cost_usd: null,
  latency_ms: { p95: null },
  trials: 0,
  unusable: 0,
}

const met = {
  pass_rate: 0.9,
  trigger: { precision: 0.8, recall: 0.7, f1: 0.75 },
  cost_usd: 0.5,
  tokens: 1000,
  p95_seconds: 2.5,
  max_unusable: '10%',
}

const missed = {
  pass_rate: 0.901,
  trigger: { precision: 0.801, recall: 0.701, f1: 0.751 },
  cost_usd: 0.499,
  tokens: 999,
  p95_seconds: 2.49,
  max_unusable: 0.099,
}

describe('checkThresholds', () => {
  test('meets limits that are reached exactly', () => {
    expect(checkThresholds(met, summary)).toEqual([
      { name: 'pass_rate', limit: 0.9, actual: 0.9, passed: true },
      { name: 'trigger.precision', limit: 0.8, actual: 0.8, passed: true },
      { name: 'trigger.recall', limit: 0.7, actual: 0.7, passed: true },
      { name: 'trigger.f1', limit: 0.75, actual: 0.75, passed: true },
      { name: 'cost_usd', limit: 0.5, actual: 0.5, passed: true },
      { name: 'tokens', limit: 1000, actual: 1000, passed: true },
      { name: 'p95_seconds', limit: 2.5, actual: 2.5, passed: true },
      { name: 'max_unusable', limit: 0.1, actual: 0.1, passed: true },
    ])
  })

  test('misses each limit that is not', () => {
    expect(checkThresholds(missed, summary).map(({ name, passed }) => [name, passed])).toEqual([
      ['pass_rate', false],
      ['trigger.precision', false],
      ['trigger.recall', false],
      ['trigger.f1', false],
      ['cost_usd', false],
      ['tokens', false],
      ['p95_seconds', false],
      ['max_unusable', false],
    ])
  })

  test('never meets a limit with a number that is not known', () => {
    const lenient = {
      pass_rate: 0,
      trigger: { precision: 0, recall: 0, f1: 0 },
      cost_usd: 1e9,
      tokens: 1e9,
      p95_seconds: 1e9,
      max_unusable: 1,
    }
    const results = checkThresholds(lenient, unknown)
    expect(results).toHaveLength(8)
    expect(results.every((result) => result.actual === null && !result.passed)).toBe(true)
  })

  test('checks only what is set', () => {
    expect(checkThresholds({}, summary)).toEqual([])
    expect(checkThresholds({ trigger: { recall: 0.7 } }, summary)).toEqual([
      { name: 'trigger.recall', limit: 0.7, actual: 0.7, passed: true },
    ])
  })

  test('is not misled by the last digit', () => {
    expect(checkThresholds({ pass_rate: 0.1 * 3 }, { ...summary, pass_rate: 0.3 })[0]?.passed).toBe(true)
    expect(checkThresholds({ cost_usd: 0.3 }, { ...summary, cost_usd: 0.1 * 3 })[0]?.passed).toBe(true)
  })
})
