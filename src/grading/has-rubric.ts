import type { EvalCase } from '../core/plan.ts'
import type { Check, FileCheck } from '../schema/check.ts'

/** Whether a judge is needed for a case. */
export const hasRubric = ({ expected, triggerOnly }: EvalCase): boolean =>
  !triggerOnly && (expected?.output?.some(isRubric) === true || expected?.files?.some(isFileRubric) === true)

const isRubric = (check: Check): boolean =>
  check.rubric !== undefined || (check.json_path !== undefined && isRubric(check.json_path))

const isFileRubric = (check: FileCheck): boolean => isRubric(check) || check.checks?.some(isRubric) === true
