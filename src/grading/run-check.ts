import type { CheckResult } from '../core/results.ts'
import { type Check, type CheckOperator, operatorOf } from '../schema/check.ts'
import { checkName, describeCheck } from './check-name.ts'
import { checkResult } from './check-result.ts'
import { excerpt, showText } from './excerpt.ts'
import { asGraderError, GraderError } from './grader-error.ts'
import { applyOperator } from './operators/apply-operator.ts'
import type { Verdict } from './operators/verdict.ts'
import type { GradingPorts } from './ports.ts'
import type { Subject } from './subject.ts'

/**
 * Runs one check. The first result is the check's own; a grader script's own checks follow it, with weight 0: they
 * are told, but it is the script's verdict that counts. Throws a GraderError where the check can't be judged: a
 * check fails only because of what it looked at.
 */
export const runCheck = async (
  check: Check,
  subject: Subject,
  ports: GradingPorts,
): Promise<readonly [CheckResult, ...CheckResult[]]> => {
  const name = checkName(check)
  const kind = operatorOf(check)
  if (kind === undefined) throw new GraderError(`${name}: the check has no operator`)
  try {
    const verdict = await applyOperator(kind, check, subject, ports)
    return [toResult(name, kind, check, subject, verdict), ...(verdict.parts ?? [])]
  } catch (error) {
    throw asGraderError(error, name)
  }
}

const toResult = (name: string, kind: CheckOperator, check: Check, subject: Subject, verdict: Verdict): CheckResult => {
  const inverted = check.not === true
  const passed = verdict.holds !== inverted
  const base = {
    name,
    kind,
    place: check.place,
    passed,
    weight: check.weight,
    score: inverted ? undefined : verdict.score,
  }
  if (passed) {
    const { message, actual } = verdict
    return checkResult({ ...base, ...(inverted ? {} : { message, ...(kind === 'rubric' ? { actual } : {}) }) })
  }
  return checkResult({
    ...base,
    message: inverted ? contrary(check, subject, verdict) : (verdict.message ?? 'it does not hold'),
    expected: inverted ? { not: check[kind] } : (verdict.expected ?? check[kind]),
    actual: verdict.actual ?? excerpt(subject.text, verdict.at, 500),
  })
}

const contrary = (check: Check, { text }: Subject, verdict: Verdict): string => {
  const { name: _, not: __, ...positive } = check
  return `it holds, and should not: ${describeCheck(positive)}; ${verdict.message ?? showText(text, verdict.at)}`
}
