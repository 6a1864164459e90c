import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom, sfc32 } from './random.ts'

test('sfc32 gives the sequence of PractRand 0.94', () => {
  const next = sfc32(0xbb3c4104, 0x02294965, 0xda1ce2a9)
  const sequence = Array.from({ length: 40 }, () => next() >>> 0)
  expect(sequence).toEqual([
    0x89b5c414, 0x7ee57639, 0xdbe18f7b, 0x94aa0162, 0xa22bff0a, 0x21c91fb8, 0x2c6fd6fe, 0xcda90d13, 0x019684ca,
    0xe5b400c0, 0x459d8590, 0x3aec0a1e, 0x254dac77, 0xbe10ae80, 0x9ac27819, 0xd17d10c6, 0x71a69026, 0x4bb2bdda,
    0x70853646, 0xda28f272, 0x879200d9, 0x8c2f8b5b, 0x8a87cb78, 0x27ffdced, 0x988a2b7b, 0xf220ef9b, 0x13b8984f,
    0x345d1732, 0x8f5bc6fc, 0x092b09ff, 0x046bd2b0, 0xa5a99fc5, 0x19400604, 0xb76e7394, 0x037addd5, 0xe916ed79,
    0x94f10dc6, 0xf2ecb45e, 0x69834355, 0xb814aeb2,
  ])
})

const first = (seed: number, length = 8): number[] => {
  const next = seededRandom(seed)
  return Array.from({ length }, next)
}

test('the same seed gives the same numbers, another seed others', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
      expect(first(a)).toEqual(first(a))
      if (a !== b) expect(first(a)).not.toEqual(first(b))
    }),
  )
  expect(first(1)).not.toEqual(first(1 + 2 ** 32))
  expect(first(1.9)).toEqual(first(1))
})

test('numbers are at least 0, below 1 and spread evenly', () => {
  const bins = new Array<number>(16).fill(0)
  const values = first(42, 160_000)
  for (const value of values) bins[Math.floor(value * 16)]!++
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true)
  const chiSquare = bins.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
  // 99.9 % point of chi-square with 15 degrees of freedom.
  expect(chiSquare).toBeLessThan(37.7)
})
