import type { Path } from './path.ts'
import { isRecord, type JsonRecord, listOr } from './record.ts'

/** A case made of one query of `triggers`, and where the query stands in the suite. */
export type TriggerCase = { readonly merged: JsonRecord; readonly path: Path }

/**
 * The cases of `triggers`: one per query, named `trigger/<skill>/should/<n>` or `…/should_not/<n>`, counted from 1. They
 * take from `defaults` whatever is not the query or its label (`input`, `each`, `expected`). A skill's name becomes
 * part of an id: what an id may not have is a hyphen there, and two names that would be one are numbered.
 */
export const triggerCases = (triggers: JsonRecord, defaults: JsonRecord): TriggerCase[] => {
  const { input: _input, each: _each, expected: _expected, ...shared } = defaults
  const slugOf = uniqueSlugs()
  return Object.entries(triggers).flatMap(([skill, queries]) => {
    const slug = slugOf(skill)
    if (!isRecord(queries)) return []
    return (['should', 'should_not'] as const).flatMap((side) => {
      const label = side === 'should' ? { includes: [skill] } : { excludes: [skill] }
      return listOr(queries[side]).map((input, i) => ({
        merged: { ...shared, id: `trigger/${slug}/${side}/${i + 1}`, input, expected: { skills: label } },
        path: ['triggers', skill, side, i],
      }))
    })
  })
}

const uniqueSlugs = (): ((skill: string) => string) => {
  const taken = new Set<string>()
  const lastOf = new Map<string, number>()
  return (skill) => {
    const words = skill.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 100)
    const base = /^\.*$/.test(words) ? 'skill' : words
    let n = lastOf.get(base) ?? 1
    let slug = n === 1 ? base : `${base}-${n}`
    while (taken.has(slug)) {
      n += 1
      slug = `${base}-${n}`
    }
    lastOf.set(base, n + 1)
    taken.add(slug)
    return slug
  }
}
