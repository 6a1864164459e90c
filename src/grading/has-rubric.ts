import type { EvalCase } from '../core/plan.ts'
import type { Check, FileCheck } from '../schema/check.ts'

/** Whether a judge is needed for a case. */
export const hasRubric = ({ expected, triggerOnly }: EvalCase): boolean =>
  !triggerOnly && (expected?.output?.some(isRubric) === true || expected?.files?.some(isFileRubric) === true)

/** Whether a judge is asked for a check, by itself or by what a JSONPath selects. */
export const isRubric = (check: Pick<Check, 'rubric' | 'json_path'>): boolean =>
  check.rubric !== undefined || (check.json_path !== undefined && isRubric(check.json_path))

const isFileRubric = (check: FileCheck): boolean => isRubric(check) || check.checks?.some(isRubric) === true
