/**
 * Reproducible numbers in 0 <= x < 1 with 32 random bits each: the same seed gives the same sequence on every
 * platform. `seed` is truncated to an integer; all of ±(2^53 - 1) are different seeds. Not for secrets.
 */
export const seededRandom = (seed: number): (() => number) => {
  const next = sfc32(seed, Math.floor(seed / 2 ** 32), 0)
  return () => (next() >>> 0) / 2 ** 32
}

/**
 * Chris Doty-Humphrey's "small fast counting" generator: 32-bit integers, signed, from three 32-bit seed words.
 * Source: PractRand 0.94, RNGs::Raw::sfc32, seeded as there (counter 1, the first 15 outputs dropped).
 */
export const sfc32 = (seedA: number, seedB: number, seedC: number): (() => number) => {
  let a = seedA | 0
  let b = seedB | 0
  let c = seedC | 0
  let counter = 1
  const next = (): number => {
    const output = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + output) | 0
    return output
  }
  for (let i = 0; i < 15; i++) next()
  return next
}
