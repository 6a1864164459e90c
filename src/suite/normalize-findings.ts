import { isValidRegex } from '../lib/regex.ts'
import type { Finding } from './finding.ts'
import { listOr, recordOr } from './record.ts'

/** Rules of `normalize` whose pattern is none. Assumes no shape; paths start at the list. */
export const normalizeFindings = (rules: unknown): Finding[] =>
  listOr(rules).flatMap((rule, i) => {
    const { match } = recordOr(rule)
    const problem = typeof match === 'string' && match !== '' ? isValidRegex(match) : undefined
    return problem === undefined ? [] : [{ path: [i, 'match'], at: 'value' as const, code: 'regex', message: problem }]
  })
