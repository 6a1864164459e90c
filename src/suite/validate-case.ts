import { issuesOf } from '../lib/zod-issues.ts'
import { caseSchema } from '../schema/suite.ts'
import { contradictionFindings, expressionFindings } from './check-findings.ts'
import type { ExpressionProblems } from './expression-problems.ts'
import { below, type Finding } from './finding.ts'
import { mockFindings } from './mock-findings.ts'
import { pathFindings } from './path-findings.ts'
import { patternFindings } from './pattern-findings.ts'
import { casePolicyFindings } from './policy-findings.ts'
import type { JsonRecord } from './record.ts'
import { reviewFindings } from './review-findings.ts'
import { homeFromCase } from './suite-keys.ts'
import { explainIssues } from './zod-diagnostics.ts'

/**
 * All that is wrong with a case once `defaults` are merged and, of an `each`, a row is filled in; paths start at the
 * case. What a shape can't say is looked at even where the shape is wrong elsewhere: every mistake at once.
 */
export const validateCase = async (merged: JsonRecord, problems: ExpressionProblems): Promise<readonly Finding[]> => {
  const shape = explainIssues(caseSchema, merged, issuesOf(caseSchema, merged), { homeOf: homeFromCase })
  return [...shape, ...idFindings(merged.id), ...(await contentFindings(merged, problems))]
}

/** What is wrong with a case, or a part of one, beyond its shape. Makes no assumption about the shape. */
export const contentFindings = async (merged: JsonRecord, problems: ExpressionProblems): Promise<Finding[]> => {
  problems.trim()
  const found = [
    ...mockFindings(merged.mock).map((finding) => below(['mock'], finding)),
    ...pathFindings(merged),
    ...contradictionFindings(merged),
    ...patternFindings(merged),
    ...casePolicyFindings(merged),
    ...reviewFindings(merged),
  ]
  let broken = expressionFindings(merged, problems)
  while (await problems.settle()) broken = expressionFindings(merged, problems)
  return [...found, ...broken]
}

/** How many mistakes the shape of a case has: for when nobody wants to read them. */
export const countShapeMistakes = (merged: unknown): number => issuesOf(caseSchema, merged).length

/** Ids name folders of recordings: a segment of dots would name another one. */
const idFindings = (id: unknown): Finding[] => {
  if (typeof id !== 'string' || !id.split('/').some((segment) => segment === '.' || segment === '..')) return []
  return [{ path: ['id'], at: 'value', code: 'format', message: '`id`: may not have `.` or `..` between slashes' }]
}
