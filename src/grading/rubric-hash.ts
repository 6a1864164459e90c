import type { EvalCase } from '../core/plan.ts'
import { sha256 } from '../lib/hash.ts'
import type { Check } from '../schema/check.ts'
import { hasRubric } from './has-rubric.ts'
import { judgeRequest } from './judge/judge-request.ts'

/**
 * A short digest of all that a judge is asked about in a case: its criteria, how many judges there are, and how they are
 * instructed. Undefined where nobody is asked. With another one the same words were held against another yardstick.
 */
export const rubricHash = (evalCase: EvalCase): string | undefined => {
  if (!hasRubric(evalCase)) return undefined
  const { output = [], files = [] } = evalCase.expected ?? {}
  const checks: readonly Check[] = [...output, ...files.flatMap((entry): Check[] => [entry, ...(entry.checks ?? [])])]
  return sha256(JSON.stringify([instructions, checks.flatMap(criteriaOf)])).slice(0, 16)
}

const instructions = (['native', 'text'] as const).map(
  (protocol) => judgeRequest({ criteria: ['…'], request: '…', what: '…', material: '…' }, protocol).judge?.prompt,
)

/** Of a check, or of what a JSONPath in it selects. */
const criteriaOf = ({
  rubric,
  judges,
  json_path: inner,
}: Pick<Check, 'rubric' | 'judges' | 'json_path'>): unknown[] => {
  if (rubric !== undefined) return [[typeof rubric === 'string' ? [rubric] : rubric, judges ?? 1]]
  return inner === undefined ? [] : criteriaOf(inner)
}
