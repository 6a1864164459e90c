import type { CheckResult } from '../core/results.ts'
import { type ActionRecord, withNested } from '../core/trajectory.ts'
import type { ActionConstraints } from '../schema/pattern.ts'
import { checkResult } from './check-result.ts'
import { describePattern, describePatterns } from './describe-pattern.ts'
import { excerpt } from './excerpt.ts'
import { anyOrder } from './sequence/any-order.ts'
import { before, count, describeRange } from './sequence/before-count.ts'
import { exactly } from './sequence/exactly.ts'
import { inOrder } from './sequence/in-order.ts'
import { noLoops } from './sequence/no-loops.ts'
import { never, only } from './sequence/only-never.ts'
import {
  type CompiledPattern,
  compileStepPattern,
  type Finding,
  type Step,
  showSteps,
  toSteps,
} from './sequence/step.ts'

/**
 * Judges the sequence of actions: one result for each constraint, and for each entry of `before` and `count`. Actions of
 * sub-agents are no part of it, but for `never`; what `subagents` says of a skill is about all that it did on its own. A
 * failure's message has what was expected, where the sequence first parts from it, and the sequence. Throws a
 * SkillsEvalError where a pattern means nothing or its regular expression takes too long.
 */
export const checkActions = async (
  constraints: ActionConstraints,
  actions: readonly ActionRecord[],
): Promise<CheckResult[]> => {
  const { subagents = {}, ...own } = constraints
  const results = await checkSequence(own, actions)
  for (const [skill, constraint] of Object.entries(subagents)) {
    const done = withNested(actions).filter(({ agent }) => agent === skill)
    const judged = await checkSequence(constraint, done)
    results.push(...judged.map((one) => ({ ...one, name: excerpt(`${skill}: ${one.name}`, 0, 200) })))
  }
  return results
}

/** The sequence of one agent. What may never happen may not happen in its sub-agents either. */
const checkSequence = async (
  constraints: Omit<ActionConstraints, 'subagents'>,
  actions: readonly ActionRecord[],
): Promise<CheckResult[]> => {
  const steps = toSteps(actions)
  const results: CheckResult[] = []
  for (const kind of listKinds) {
    const patterns = constraints[kind]
    if (patterns === undefined) continue
    const looked = kind === 'never' ? toSteps(withNested(actions)) : steps
    const finding = judges[kind](await Promise.all(patterns.map(compileStepPattern)), looked)
    results.push(result(kind, describePatterns(patterns), patterns, finding, looked))
  }
  for (const { first, then } of constraints.before ?? []) {
    const finding = before(await compileStepPattern(first), await compileStepPattern(then), steps)
    const name = `${describePattern(first)} before every ${describePattern(then)}`
    results.push(result('before', name, { first, then }, finding, steps))
  }
  for (const { of: pattern, ...range } of constraints.count ?? []) {
    const finding = count(await compileStepPattern(pattern), range, steps)
    results.push(result('count', `${describePattern(pattern)}, ${describeRange(range)}`, range, finding, steps))
  }
  if (constraints.no_loops !== undefined) {
    const times = constraints.no_loops === true ? 2 : constraints.no_loops
    results.push(result('no_loops', `at most ${times} times running`, times, noLoops(times, steps), steps))
  }
  return results
}

const listKinds = ['in_order', 'exactly', 'any_order', 'only', 'never'] as const
type ListKind = (typeof listKinds)[number]

const judges: Readonly<
  Record<ListKind, (patterns: readonly CompiledPattern[], steps: readonly Step[]) => Finding | undefined>
> = { in_order: inOrder, exactly, any_order: anyOrder, only, never }

const result = (
  kind: ListKind | 'before' | 'count' | 'no_loops',
  what: string,
  expected: unknown,
  finding: Finding | undefined,
  steps: readonly Step[],
): CheckResult => {
  const name = excerpt(`${kind}: ${what || 'no actions'}`, 0, 200)
  if (finding === undefined) return checkResult({ name, kind, passed: true })
  return checkResult({
    name,
    kind,
    passed: false,
    message: `${finding.what}\nexpected ${name}\nthe actions were:\n${showSteps(steps, finding.at)}`,
    expected,
  })
}
