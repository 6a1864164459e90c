import type { CassetteParts } from '../schema/cassette.ts'
import type { Part } from './read-request.ts'

/** What the fingerprints of a cassette stand for, each content once. */
export type PartBook = {
  add(parts: readonly Part[]): void
  find(kind: Part['kind'], fingerprint: string): Part['content'] | undefined
  /** Those of these fingerprints alone, sorted. */
  only(fingerprints: ReadonlySet<string>): CassetteParts
}

const kept = ['system', 'index', 'tools', 'params', 'body', 'judge'] as const
type Kept = (typeof kept)[number]

export const partBook = (start?: CassetteParts): PartBook => {
  const pages = new Map<Kept, Map<string, Part['content']>>(
    kept.map((kind) => [kind, new Map(Object.entries(start?.[kind] ?? {}))]),
  )
  const pageOf = (kind: Part['kind']) => pages.get(kind as Kept)
  return {
    add: (parts) => {
      for (const { kind, fingerprint, content } of parts) pageOf(kind)?.set(fingerprint, content)
    },
    find: (kind, fingerprint) => pageOf(kind)?.get(fingerprint),
    only: (fingerprints) => {
      const pageText = (kind: Kept) =>
        Object.fromEntries(
          [...(pages.get(kind) ?? [])].filter(([key]) => fingerprints.has(key)).sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      // Where nothing was judged there is no page for it.
      const written = kept.map((kind) => [kind, pageText(kind)] as const)
      return Object.fromEntries(
        written.filter(([kind, page]) => kind !== 'judge' || Object.keys(page).length > 0),
      ) as CassetteParts
    },
  }
}
