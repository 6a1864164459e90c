import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import file from '../data/prices.json' with { type: 'json' }
import { type LiveProfile, priceSchema, profileSchema } from '../schema/config.ts'
import { costOfProfile, readPriceTable } from './price-table.ts'

const profile = (more: object): LiveProfile =>
  profileSchema.parse({ provider: 'anthropic', model: 'opus', ...more }) as LiveProfile
const usage = (input: number | null) => ({
  input_tokens: input,
  output_tokens: 0,
  cached_input_tokens: 0,
  reasoning_tokens: 0,
})
const listed = {
  anthropic: {
    opus: [{ input: 5, output: 25 }],
    small: [
      { up_to: 100, input: 1, output: 1 },
      { input: 10, output: 1 },
    ],
  },
  openai: { gpt: [{ up_to: 100, input: 2, output: 8 }] },
}
const million = 1_000_000
const cost = (more: object, model: string, input: number | null = million) =>
  costOfProfile(profile(more), listed)(model, usage(input), 0)

describe('costOfProfile', () => {
  test.each([
    ['the model that answered', {}, 'opus', 5],
    ['it without its date', {}, 'opus-20260101', 5],
    ['it without its other date', {}, 'opus-2026-01-01', 5],
    ['the one that was asked for, where the other is not listed', {}, 'opus-preview', 5],
    ['what the profile says', { price: { input: 7, output: 1 } }, 'opus', 7],
  ])('goes by %s', (_, more, model, usd) => {
    expect(cost(more, model)).toBe(usd)
  })

  test('takes the price for so long a request', () => {
    expect(cost({ model: 'small' }, 'small', 100)).toBeCloseTo(100 / million)
    expect(cost({ model: 'small' }, 'small', 101)).toBeCloseTo(1010 / million)
  })

  test.each([
    ['the model is not listed', { model: 'new' }, 'new', million],
    ['the name is one that every map has', { model: 'constructor' }, 'constructor', million],
    ['the request is longer than the listed price holds for', { provider: 'openai', model: 'gpt' }, 'gpt', 101],
    ['the length is unknown', { model: 'small' }, 'small', null],
    ['another server answers', { base_url: 'http://localhost:1/v1' }, 'opus', million],
    ['another provider has the model', { provider: 'openai' }, 'opus', million],
  ])('is unknown where %s', (_, more, model, input) => {
    expect(cost(more, model, input)).toBeNull()
  })
})

describe('the listed prices', () => {
  const listedPrice = priceSchema.extend({ up_to: z.int().min(1).optional() }).strict()
  const schema = z.strictObject({
    about: z.string(),
    date: z.iso.date(),
    sources: z.array(z.string()).min(1),
    prices: z.strictObject({
      anthropic: z.record(z.string(), z.array(listedPrice).min(1)),
      openai: z.record(z.string(), z.array(listedPrice).min(1)),
    }),
  })

  test('have their date, their sources and nothing that is no price', () => {
    expect(schema.parse(file)).toEqual(file)
  })

  test('are in order: the shortest requests first, cached input cheaper, output dearer', async () => {
    for (const [name, prices] of Object.values(await readPriceTable()).flatMap(
      Object.entries<readonly z.infer<typeof listedPrice>[]>,
    )) {
      const limits = prices.map(({ up_to: limit }) => limit ?? Number.POSITIVE_INFINITY)
      expect([name, limits]).toEqual([name, [...limits].sort((a, b) => a - b)])
      for (const { input, output, cached_input: cached = input, cache_write: written = input } of prices) {
        expect([name, cached <= input, output > input, written >= input]).toEqual([name, true, true, true])
      }
    }
  })
})
