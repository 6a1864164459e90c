import type { Check } from '../schema/check.ts'

/**
 * Checks with where each stands in the `expected` of its case: `output[0]`, `files[1]`. One that has a place keeps it: the
 * list it is in now may lack some that its suite has.
 */
export const placed = <C extends Check>(list: string, checks: readonly C[]): readonly (C & { place: string })[] =>
  checks.map((check, i) => ({ ...check, place: check.place ?? `${list}[${i}]` }))

/** Of the checks listed in an entry of `expected.files`. */
export const placedIn = <C extends Check>(entry: Pick<Check, 'place'>, checks: readonly C[]): readonly C[] =>
  entry.place === undefined ? checks : placed(`${entry.place}.checks`, checks)
