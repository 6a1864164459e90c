import { placed } from '../core/check-place.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { EvalCase } from '../core/plan.ts'
import type { Workspace } from '../core/ports.ts'
import type { CheckResult, ErrorCode } from '../core/results.ts'
import { actionsOf, selectedSkills } from '../core/trajectory.ts'
import { checkActions } from './check-actions.ts'
import { checkConstraints, checkLimits } from './check-constraints.ts'
import { checkFile } from './check-file.ts'
import { checkPlan } from './check-plan.ts'
import { checkSkills, type TriggerObservation, triggerObservation } from './check-skills.ts'
import { excerpt } from './excerpt.ts'
import { asGraderError, type GraderError } from './grader-error.ts'
import type { GradingPorts } from './ports.ts'
import { runCheck } from './run-check.ts'
import { textSubject } from './subject.ts'

export type GradingInput = {
  readonly evalCase: EvalCase
  readonly outcome: AgentOutcome
  /** The names in the index that the model saw; one array for each index. */
  readonly universe: readonly string[]
  readonly distractors?: ReadonlySet<string> | undefined
  readonly workspace: Workspace
}

export type Grade = {
  readonly status: 'passed' | 'failed' | 'error' | 'stale'
  /** Why it failed or could not be judged, on one line. */
  readonly reason?: string
  readonly error?: { readonly code: ErrorCode; readonly message: string }
  /** The weighted share of checks that hold, 1 where there are none; null for an error. */
  readonly score: number | null
  readonly checks: readonly CheckResult[]
  readonly trigger?: TriggerObservation
}

/**
 * Decides the status of a trial, here and nowhere else: an agent that could not do its work is an error and nothing
 * is judged, a grader that could not judge is an error, a check that does not hold is a failure. A trigger-only case
 * is judged by the skills that were selected alone.
 */
export const grade = async (input: GradingInput, ports: GradingPorts): Promise<Grade> => {
  const { stop } = input.outcome
  if (stop.kind === 'error') {
    const { code, message } = stop
    return {
      status: 'error',
      reason: `${code}: ${firstLine(message)}`,
      error: { code, message },
      score: null,
      checks: [],
    }
  }
  if (stop.kind === 'stale') return { status: 'stale', reason: stop.message, score: null, checks: [] }
  const { checks, broken } = await judgeAll(input, ports)
  if (broken !== undefined) {
    const { fault, message } = broken
    if (fault === 'stale') return { status: 'stale', reason: message, score: null, checks }
    const error = { code: fault, message }
    return { status: 'error', reason: `${fault}: ${firstLine(message)}`, error, score: null, checks }
  }
  const trigger = triggerObservation(input.evalCase.expected?.skills, selectedSkills(input.outcome.trajectory), input)
  const reason = reasonOf(checks)
  return {
    status: reason === undefined ? 'passed' : 'failed',
    ...(reason === undefined ? {} : { reason }),
    score: scoreOf(checks),
    checks,
    ...(trigger === undefined ? {} : { trigger }),
  }
}

/** Everything that could be judged, and the first thing that could not. */
type Judged = { readonly checks: readonly CheckResult[]; readonly broken: GraderError | undefined }

const judgeAll = async ({ evalCase, outcome, workspace }: GradingInput, ports: GradingPorts): Promise<Judged> => {
  const { expected = {}, constraints = {} } = evalCase
  const checks: CheckResult[] = []
  let broken: GraderError | undefined
  const judge = async (what: string, work: () => readonly CheckResult[] | Promise<readonly CheckResult[]>) => {
    try {
      checks.push(...(await work()))
    } catch (error) {
      broken ??= asGraderError(error, what)
    }
  }
  const { skills, actions, output, files, plan } = expected
  if (evalCase.triggerOnly) {
    checks.push(...checkLimits({}, outcome.stop))
    if (skills) checks.push(...checkSkills(skills, selectedSkills(outcome.trajectory)))
    return { checks, broken }
  }
  checks.push(...checkConstraints(constraints, outcome))
  if (skills) checks.push(...checkSkills(skills, selectedSkills(outcome.trajectory)))
  if (actions) await judge('expected.actions', () => checkActions(actions, actionsOf(outcome.trajectory)))
  if (output) {
    // A limit can stop an agent before it answers: then it is judged by what it said, nothing.
    const subject = textSubject(outcome.answer?.text ?? '', 'the answer')
    for (const check of placed('output', output)) {
      await judge('expected.output', () => runCheck(check, subject, ports))
    }
  }
  for (const file of placed('files', files ?? [])) {
    await judge('expected.files', () => checkFile(file, workspace, ports))
  }
  if (plan) checks.push(...checkPlan(plan, outcome.plan))
  return { checks, broken }
}

/** Parts of another check have no weight: they are told, and decide nothing. */
const counts = (check: CheckResult): boolean => check.weight > 0

const reasonOf = (checks: readonly CheckResult[]): string | undefined => {
  const failed = checks.filter((check) => counts(check) && !check.passed)
  const [first] = failed
  if (first === undefined) return undefined
  const what = first.message === undefined ? first.name : `${first.name}: ${firstLine(first.message)}`
  return failed.length === 1 ? what : `${what} (+${failed.length - 1} more)`
}

const scoreOf = (checks: readonly CheckResult[]): number => {
  let total = 0
  let held = 0
  for (const { passed, weight } of checks) {
    total += weight
    if (passed) held += weight
  }
  return total === 0 ? 1 : held / total
}

const firstLine = (text: string): string => excerpt(text.split('\n', 1)[0] ?? '', 0, 300)
