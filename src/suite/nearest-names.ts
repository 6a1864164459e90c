import { nearest } from '../lib/nearest.ts'
import type { Suite } from './suite.ts'

const MOST = 20_000

/**
 * Names of suites and cases that somebody may have meant who filtered by a text that matches none; best first, at
 * most 3. Cases of row files go by their ids as written: nothing is read.
 */
export const nearestNames = (suites: Iterable<{ readonly suite: Suite }>, filter: string): string[] => {
  const names = waysToName(suites)
  const close = nearest(filter.replace(/^=|[*?[\]{}]/g, ''), names.keys(), 6)
  return [...new Set(close.flatMap((way) => names.get(way) ?? []))].slice(0, 3)
}

/** What people write → the name that they mean: a case goes by its id, the last part of it, or with its suite. */
const waysToName = (suites: Iterable<{ readonly suite: Suite }>): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const { suite } of suites) {
    names.set(suite.name, suite.name)
    for (const one of suite.cases) {
      const id = one.kind === 'case' ? one.case.id : one.id
      const last = id.slice(id.lastIndexOf('/') + 1)
      if (!names.has(last)) names.set(last, id)
      names.set(id, id)
      names.set(`${suite.name}/${id}`, `${suite.name}/${id}`)
      if (names.size > MOST) return names
    }
  }
  return names
}
