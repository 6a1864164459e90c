import type { CheckResult } from '../core/results.ts'
import type { SkillsExpected } from '../schema/suite.ts'
import { checkResult } from './check-result.ts'

/** What one trial says about triggering. */
export type TriggerObservation = {
  readonly expected: readonly string[]
  readonly selected: readonly string[]
  readonly labelled: readonly string[] | 'all'
  /** The suite's names in the index that the model saw; one array for each index. */
  readonly universe: readonly string[]
  /** Names in that index that are no part of the suite. */
  readonly distractors?: ReadonlySet<string> | undefined
}

/**
 * Judges which skills the model selected: exactly those of a list, in any order, or one result each for `includes`
 * and `excludes`.
 */
export const checkSkills = (expected: SkillsExpected, selected: readonly string[]): CheckResult[] => {
  if (isList(expected)) return [areExactly(expected, selected)]
  const results: CheckResult[] = []
  if (expected.includes) results.push(include(expected.includes, selected))
  if (expected.excludes) results.push(exclude(expected.excludes, selected))
  return results
}

/** The trial as an observation of the labelled skills; undefined where the case labels none. Keeps the universe's identity. */
export const triggerObservation = (
  expected: SkillsExpected | undefined,
  selected: readonly string[],
  index: Pick<TriggerObservation, 'universe' | 'distractors'>,
): TriggerObservation | undefined => {
  if (expected === undefined) return undefined
  const { universe, distractors } = index
  const made = { selected, universe, ...(distractors === undefined ? {} : { distractors }) }
  if (isList(expected)) return { ...made, expected, labelled: 'all' }
  const includes = expected.includes ?? []
  return { ...made, expected: includes, labelled: [...includes, ...(expected.excludes ?? [])] }
}

const isList = (expected: SkillsExpected): expected is string[] => Array.isArray(expected)

const areExactly = (expected: readonly string[], selected: readonly string[]): CheckResult => {
  const missing = expected.filter((skill) => !selected.includes(skill))
  const extra = selected.filter((skill) => !expected.includes(skill))
  const wrong = [
    ...(missing.length > 0 ? [`not selected: ${missing.join(', ')}`] : []),
    ...(extra.length > 0 ? [`selected, though not expected: ${extra.join(', ')}`] : []),
  ]
  const name = expected.length === 0 ? 'no skill is selected' : `the skills selected are ${expected.join(', ')}`
  return judged(name, wrong, expected, selected)
}

const include = (expected: readonly string[], selected: readonly string[]): CheckResult => {
  const missing = expected.filter((skill) => !selected.includes(skill))
  const wrong = missing.length > 0 ? [`not selected: ${missing.join(', ')}`] : []
  return judged(`the skills selected include ${expected.join(', ')}`, wrong, expected, selected)
}

const exclude = (expected: readonly string[], selected: readonly string[]): CheckResult => {
  const unwanted = expected.filter((skill) => selected.includes(skill))
  const wrong = unwanted.length > 0 ? [`selected: ${unwanted.join(', ')}`] : []
  return judged(`the skills selected exclude ${expected.join(', ')}`, wrong, expected, selected)
}

const judged = (
  name: string,
  wrong: readonly string[],
  expected: readonly string[],
  selected: readonly string[],
): CheckResult => {
  if (wrong.length === 0) return checkResult({ name, kind: 'skills', passed: true })
  const was = selected.length === 0 ? 'no skill was selected' : `selected were: ${selected.join(', ')}`
  return checkResult({
    name,
    kind: 'skills',
    passed: false,
    message: `${wrong.join('; ')} (${was})`,
    expected: [...expected],
    actual: [...selected],
  })
}
