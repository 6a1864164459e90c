import { nearest } from '../lib/nearest.ts'
import type { Suite } from './suite.ts'

const MOST = 20_000

/**
 * Names of suites and cases that somebody may have meant who filtered by a text that matches none; best first, at
 * most 3. Cases of row files go by their ids as written: nothing is read.
 */
export const nearestNames = (suites: Iterable<{ readonly suite: Suite }>, filter: string): string[] => {
  const word = filter.replace(/[*?[\]{}]/g, '')
  const names: string[] = []
  for (const { suite } of suites) {
    names.push(suite.name)
    for (const one of suite.cases) {
      const id = one.kind === 'case' ? one.case.id : one.id
      names.push(id, `${suite.name}/${id}`)
      if (names.length > MOST) return nearest(word, names, 3)
    }
  }
  return nearest(word, names, 3)
}
