import type { Finding } from './finding.ts'

/** Where an id was given first. */
export type IdPlace = { readonly file: string; readonly line: number | undefined }

/** Which row, counted from 1, and where it stands. */
export type RowPlace = IdPlace & { readonly n: number }

export type CaseIds = {
  /** Remembers an id; the finding where it is taken already, at the id of whoever came second. */
  add(id: string, place: IdPlace): Finding | undefined
}

/** The ids of one suite, none yet. */
export const caseIds = (): CaseIds => {
  const places = new Map<string, IdPlace>()
  return {
    add: (id, place) => {
      const first = places.get(id)
      if (first === undefined) {
        places.set(id, place)
        return undefined
      }
      const line = first.line === undefined ? '' : ` line ${first.line}`
      const where = first.file === place.file ? `in${line}` : `in ${first.file}${line}`
      return {
        path: ['id'],
        at: 'value',
        code: 'duplicate-id',
        message: `duplicate id: \`${id}\` is already used ${where}`,
        hint: 'Ids are unique within a suite: results, recordings and filters go by them.',
      }
    },
  }
}
