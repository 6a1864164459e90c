import { issuesOf } from '../lib/zod-issues.ts'
import { defaultsSchema } from '../schema/suite.ts'
import type { ExpressionProblems } from './expression-problems.ts'
import { below, type Finding } from './finding.ts'
import { valueAt } from './path.ts'
import type { SuiteText } from './reading.ts'
import type { JsonRecord } from './record.ts'
import { homeFromCase } from './suite-keys.ts'
import { hasPlaceholder } from './template.ts'
import { contentFindings } from './validate-case.ts'
import { explainIssues } from './zod-diagnostics.ts'

/**
 * Reports what is wrong in `defaults` whatever they are merged with, and returns them without those keys, so that it
 * is not told again for every case.
 */
export const readDefaults = async (
  defaults: JsonRecord,
  text: SuiteText,
  problems: ExpressionProblems,
): Promise<JsonRecord> => {
  const shape = explainIssues(defaultsSchema, defaults, issuesOf(defaultsSchema, defaults), { homeOf: homeFromCase })
  const content = await contentFindings(defaults, problems)
  const wrong = [...shape, ...content].filter((finding) => !mayBeMended(finding) && !isOpen(finding, defaults))
  if (wrong.length === 0) return defaults
  for (const finding of wrong) text.report(below(['defaults'], finding))
  const broken = new Set(wrong.map(({ path: [key] }) => key))
  const sound = Object.entries(defaults).filter(([key]) => !broken.has(key))
  // The one key that a case can't be without: leaving it out would be a second mistake.
  return Object.fromEntries(broken.has('input') ? [...sound, ['input', '']] : sound)
}

/** What a map lacks a case may add. */
const mayBeMended = ({ code }: Finding): boolean => code === 'rule' || code === 'missing-key'

/** Whether a row decides: the value, or the key, is one that a placeholder is filled into. */
export const isOpen = ({ path, at, code }: Finding, template: JsonRecord): boolean => {
  const written = valueAt(template, path)
  if (at === 'key') return typeof path.at(-1) === 'string' && hasPlaceholder(path.at(-1))
  return (typeof written === 'string' || code === 'json-schema') && hasPlaceholder(written)
}
