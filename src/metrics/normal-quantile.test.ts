import { expect, test } from 'vitest'
import { normalQuantile } from './normal-quantile.ts'

test.each([
  // The three values that the paper gives to check an implementation with.
  [0.25, -0.6744897501960817],
  [0.001, -3.090232306167814],
  [1e-20, -9.262340089798409],
  // 40-digit arithmetic: √2 erf⁻¹(2p − 1).
  [0.975, 1.9599639845400538],
  [0.995, 2.5758293035489004],
  [0.42, -0.20189347914185088],
  [0.0749, -1.4402382675279637],
  [0.075, -1.439531470938456],
  [1e-12, -7.034483825301132],
])('agrees with published and high-precision values at %d', (p, expected) => {
  expect(normalQuantile(p) / expected).toBeCloseTo(1, 13)
})

test('is 0 in the middle, infinite at the ends and nothing outside', () => {
  expect([0.5, 0, 1, -0.1, 1.1].map(normalQuantile)).toEqual([0, -Infinity, Infinity, NaN, NaN])
})
