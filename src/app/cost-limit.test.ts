import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelRequest, ModelResponse } from '../core/model.ts'
import type { ModelAdapter } from '../core/ports.ts'
import { purse, withinPurse } from './cost-limit.ts'

const { signal } = new AbortController()
const request: ModelRequest = {
  system: 'Be brief.',
  parts: { system: 'Be brief.', index: '', descriptions: {}, tools: [] },
  messages: [{ role: 'user', text: 'Hi.' }],
  tools: [],
  view: { turn: 1, input: '', observation: '', skillsLoaded: [], skillsAvailable: [] },
}
const answer: ModelResponse = {
  text: 'Hello.',
  calls: [],
  stop: 'end',
  usage: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, reasoning_tokens: 0 },
  costUsd: 0.1,
  latencyMs: 1,
  model: 'x',
}

/** A model whose answers cost so much, one after the other. */
const costing = (...costs: readonly (number | null)[]): ModelAdapter & { asked: () => number } => {
  let at = 0
  return {
    profile: 'live',
    protocol: 'native',
    asked: () => at,
    generate: async () => {
      const costUsd = costs[at] ?? 0
      at += 1
      return { ...answer, costUsd: costs[at - 1] === null ? null : costUsd }
    },
    close: async () => undefined,
  }
}

describe('withinPurse', () => {
  test('asks as long as the dearest answer could be paid, and gives back what was not spent', async () => {
    const model = costing(0.1, 0.1, 0.1, 0.1)
    const limited = withinPurse(model, () => 0.5, purse(0.7))
    const ends = [1, 2, 3, 4].map(() => limited.generate(request, { signal }))
    expect((await Promise.all(ends)).map(({ error }) => error?.code)).toEqual([
      undefined,
      'budget_exceeded',
      'budget_exceeded',
      'budget_exceeded',
    ])
    expect((await limited.generate(request, { signal })).text).toBe('Hello.')
    expect((await limited.generate(request, { signal })).text).toBe('Hello.')
    const { error, costUsd } = await limited.generate(request, { signal })
    expect(error?.message).toMatch(
      /^--max-cost: the next answer may cost up to \$0\.5, and so much is not left of \$0\.7/,
    )
    expect(costUsd).toBe(0)
    expect(model.asked()).toBe(3)
  })

  test('takes all that was set aside for spent where the cost is not known', async () => {
    const limited = withinPurse(costing(null), () => 0.5, purse(0.9))
    await limited.generate(request, { signal })
    expect((await limited.generate(request, { signal })).error?.code).toBe('budget_exceeded')
  })

  test('does not give back what an aborted request may have cost', async () => {
    const shared = purse(0.9)
    const model = { ...costing(), generate: () => Promise.reject(new Error('aborted')) }
    await expect(withinPurse(model, () => 0.5, shared).generate(request, { signal })).rejects.toThrow('aborted')
    expect(shared.reserve(0.5)).toBe(false)
  })

  test('asks for nothing whose price is not known', async () => {
    const model = costing(0)
    const { error } = await withinPurse(model, () => null, purse(1)).generate(request, { signal })
    expect([error?.code, model.asked()]).toEqual(['budget_exceeded', 0])
  })

  test('estimates by what is sent', async () => {
    const estimates: number[] = []
    const most = (tokens: number) => {
      estimates.push(tokens)
      return 0
    }
    const limited = withinPurse(costing(0, 0), most, purse(1))
    await limited.generate(request, { signal })
    await limited.generate({ ...request, messages: [{ role: 'user', text: 'word '.repeat(1000) }] }, { signal })
    expect(estimates[0]).toBeGreaterThan(10)
    expect(estimates[1]).toBeGreaterThan(1000)
  })

  test('never spends more than there is, whatever answers cost up to what was set aside', async () => {
    const cents = fc.integer({ min: 0, max: 100 })
    await fc.assert(
      fc.asyncProperty(cents, fc.array(fc.tuple(cents, cents), { maxLength: 30 }), async (limit, answers) => {
        const shared = purse(limit / 100)
        let spent = 0
        await Promise.all(
          answers.map(async ([most, share]) => {
            const cost = (most / 100) * (share / 100)
            const response = await withinPurse(costing(cost), () => most / 100, shared).generate(request, { signal })
            if (!response.error) spent += cost
          }),
        )
        expect(spent).toBeLessThanOrEqual(limit / 100 + 1e-6)
      }),
    )
  })
})
