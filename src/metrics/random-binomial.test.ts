import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from './random.ts'
import { randomBinomial } from './random-binomial.ts'

// P(X <= k) from an independent implementation of the binomial distribution.
const known: readonly [n: number, p: number, cumulative: readonly (readonly [k: number, share: number])[]][] = [
  [
    1000,
    0.3,
    [
      [270, 0.0201265082],
      [285, 0.1585024965],
      [300, 0.5155935198],
      [315, 0.8574637555],
      [330, 0.9816875786],
    ],
  ],
  [
    100_000,
    0.5,
    [
      [49_700, 0.0290986766],
      [49_900, 0.264578647],
      [50_000, 0.5012615631],
      [50_300, 0.9713183964],
    ],
  ],
  [
    40,
    0.9,
    [
      [33, 0.099516424],
      [35, 0.3709823035],
      [36, 0.5768693469],
      [37, 0.7771918757],
      [38, 0.919526304],
    ],
  ],
  [
    20,
    0.05,
    [
      [0, 0.3584859224],
      [1, 0.7358395249],
      [2, 0.9245163262],
      [3, 0.984098474],
    ],
  ],
  [
    50,
    0.25,
    [
      [8, 0.0915972588],
      [10, 0.2622023102],
      [12, 0.5109861737],
      [14, 0.7480811445],
      [17, 0.9448766397],
    ],
  ],
]

test.each(known)('draws follow the binomial distribution of n %d, p %d', (n, p, cumulative) => {
  const draws = 100_000
  const random = seededRandom(1)
  const values = Array.from({ length: draws }, () => randomBinomial(n, p, random))
  for (const [k, share] of cumulative) {
    const seen = values.filter((value) => value <= k).length / draws
    expect(Math.abs(seen - share) / Math.sqrt((share * (1 - share)) / draws)).toBeLessThan(4)
  }
})

test('a draw is a whole number from 0 to n', () => {
  const probability = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.nat(200_000), probability, fc.nat(), (n, p, seed) => {
      const value = randomBinomial(n, p, seededRandom(seed))
      expect(Number.isInteger(value) && value >= 0 && value <= n).toBe(true)
    }),
  )
})

test('what is impossible never happens and what is certain always does', () => {
  const never = (): number => {
    throw new Error('no number is needed')
  }
  expect([randomBinomial(0, 0.5, never), randomBinomial(9, 0, never), randomBinomial(9, 1, never)]).toEqual([0, 0, 9])
})
