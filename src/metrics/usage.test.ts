import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Usage } from '../core/trajectory.ts'
import { type Spending, usageSum } from './usage.ts'

const tokens = (input: number | null, output: number | null, cached: number | null = 0, reasoning: number | null = 0) =>
  ({
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: cached,
    reasoning_tokens: reasoning,
  }) satisfies Usage

const fold = (spendings: readonly Spending[]) => {
  const sum = usageSum()
  for (const spending of spendings) sum.add(spending)
  return sum.result()
}

describe('usageSum', () => {
  test('adds tokens and dollars', () => {
    expect(
      fold([
        { usage: tokens(100, 20, 50, 5), cost_usd: 0.1 },
        { usage: tokens(1, 2, 3, 4), cost_usd: 0.25 },
      ]),
    ).toEqual({ usage: tokens(101, 22, 53, 9), cost_usd: 0.35 })
  })

  test('is 0 when nothing was spent', () => {
    expect(fold([])).toEqual({ usage: tokens(0, 0), cost_usd: 0 })
  })

  test('does not know the cost when the price of one trial is unknown', () => {
    const priced = { usage: tokens(100, 20), cost_usd: 0.1 }
    expect(fold([priced, { usage: tokens(1, 1), cost_usd: null }, priced]).cost_usd).toBeNull()
    expect(fold([priced, { usage: tokens(1, 1), cost_usd: NaN }]).cost_usd).toBeNull()
    expect(fold([priced, { usage: null, cost_usd: null }]).cost_usd).toBeNull()
  })

  test('counts a trial without a model call as free', () => {
    const priced = { usage: tokens(100, 20), cost_usd: 0.1 }
    expect(fold([priced, { usage: tokens(0, 0), cost_usd: null }])).toEqual(priced)
  })

  test('does not know a count that one trial did not report, and knows the others', () => {
    const sum = fold([
      { usage: tokens(10, 5, null, 1), cost_usd: 1 },
      { usage: tokens(10, 5, 3, 1), cost_usd: 1 },
    ])
    expect(sum).toEqual({ usage: tokens(20, 10, null, 2), cost_usd: 2 })
    expect(fold([{ usage: null, cost_usd: 1 }])).toEqual({ usage: tokens(null, null, null, null), cost_usd: 1 })
  })

  test('leaves an earlier result as it was', () => {
    const sum = usageSum()
    const before = sum.result()
    sum.add({ usage: tokens(10, 5), cost_usd: 1 })
    expect(before).toEqual({ usage: tokens(0, 0), cost_usd: 0 })
  })

  test('does not depend on the order in which trials end', () => {
    const spending = fc.record({
      usage: fc.tuple(fc.nat(1e6), fc.nat(1e6)).map(([input, output]) => tokens(input, output)),
      cost_usd: fc.double({ min: 0, max: 100, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(spending), (spendings) => {
        expect(fold([...spendings].reverse())).toEqual(fold(spendings))
      }),
    )
  })
})
