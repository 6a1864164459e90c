import type { Finding } from './finding.ts'
import type { JsonRecord } from './record.ts'

/** What was drawn from a run is what happened, not what should: until a person has looked at it, that is said. */
export const reviewFindings = ({ unreviewed }: JsonRecord): Finding[] => {
  if (!Array.isArray(unreviewed) || unreviewed.length === 0) return []
  const parts = unreviewed.filter((part) => typeof part === 'string').join(', ')
  return [
    {
      path: ['unreviewed'],
      at: 'key',
      code: 'unreviewed',
      message: `what is expected (${parts}) was drawn from a run, and nobody has looked at it`,
      hint: 'Mend what is not right, add what is missing, and delete `unreviewed`.',
      severity: 'warning',
    },
  ]
}
