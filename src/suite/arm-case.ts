import { placed, placedIn } from '../core/check-place.ts'
import type { EvalCase } from '../core/plan.ts'
import { reasonOf } from '../core/plan.ts'
import { readControl } from '../core/skill-control.ts'
import type { Check, FileCheck } from '../schema/check.ts'
import { operatorOf } from '../schema/check.ts'
import type { ActionPattern } from '../schema/pattern.ts'
import { skillNamesInPattern } from './case-skills.ts'

/** The skills of an arm, as far as cases depend on them. */
export type ArmSkills = {
  /** The arm lacks skills on purpose: what is marked `with_skills` has no place in it. */
  readonly lacksSkills: boolean
  /** Whether the arm has a skill of this name, with or without its source; `had` asks the same of the run itself. */
  has(name: string): boolean
  had(name: string): boolean
  readonly isEmpty: boolean
}

/**
 * Why a case does not run in an arm: it has no trials, is expected to fail, is marked `arms: with_skills`, has no check
 * left, or its input only invoked a skill that is not there.
 */
export type LeftOut = 'skipped' | 'xfail' | 'with_skills' | 'no_checks' | 'no_input'

/**
 * The case as it runs in an arm, without the checks that say nothing there: those marked `arm: with_skills` where the arm
 * lacks skills, and those that can't hold, or can only hold, for want of a skill. A `/name` at the start of an input goes
 * where there is no such skill. Limits (`max_*`) stay, but are no reason to run it.
 */
export const caseInArm = (evalCase: EvalCase, arm: ArmSkills): EvalCase | LeftOut => {
  if (reasonOf(evalCase.skip) !== undefined) return 'skipped'
  if (reasonOf(evalCase.xfail) !== undefined) return 'xfail'
  if (arm.lacksSkills && evalCase.arms === 'with_skills') return 'with_skills'
  const said = evalCase.input.filter((text) => !(evalCase.agent?.skill_controls === true && isOfAbsent(text, arm)))
  const input = said.map((text) => withoutAbsent(text, arm))
  if (input.some((text, i) => text === '' && said[i] !== '')) return 'no_input'
  const { expected, constraints, ...rest } = evalCase
  const kept = expected && expectedInArm(expected, arm)
  const limits = constraints && constraintsInArm(constraints, arm)
  if (!isJudged(kept, limits)) return 'no_checks'
  return {
    ...rest,
    input,
    ...(kept === undefined ? {} : { expected: kept }),
    ...(limits === undefined ? {} : { constraints: limits }),
  }
}

type Expected = NonNullable<EvalCase['expected']>
type Constraints = NonNullable<EvalCase['constraints']>

const isJudged = (expected: Expected | undefined, constraints: Constraints | undefined): boolean =>
  Object.keys(expected ?? {}).length > 0 ||
  constraints?.forbidden_tools !== undefined ||
  constraints?.forbidden_skills !== undefined

/** What is turned off or on where it is not there. */
const isOfAbsent = (input: string, { has }: ArmSkills): boolean => {
  const control = readControl(input)
  return control !== undefined && !has(control.name)
}

/** As the agent reads it: one name or several, then the text. */
const withoutAbsent = (input: string, { has, had }: ArmSkills): string => {
  const kept: string[] = []
  let rest = input
  for (;;) {
    const [, ref, text = ''] = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(rest) ?? []
    // What invokes no skill of the run is part of the text.
    if (ref === undefined || !had(ref)) break
    if (has(ref)) kept.push(`/${ref}`)
    rest = text.trim()
  }
  if (rest === input) return input
  return [...kept, rest].join(' ').trim()
}

const expectedInArm = ({ skills, actions, output, files, plan }: Expected, arm: ArmSkills): Expected => {
  const labels = skills && labelsInArm(skills, arm)
  const constraints = actions && actionsInArm(actions, arm)
  // Each keeps the place it has in the suite: by that it is found again in the other arm.
  const checks = output && placed('output', output).filter((check) => isJudgedInArm(check, arm))
  const entries = files && placed('files', files).flatMap((entry) => fileInArm(entry, arm))
  return {
    ...(labels === undefined ? {} : { skills: labels }),
    ...(constraints === undefined || Object.keys(constraints).length === 0 ? {} : { actions: constraints }),
    ...(checks === undefined || checks.length === 0 ? {} : { output: checks }),
    ...(entries === undefined || entries.length === 0 ? {} : { files: entries as Expected['files'] }),
    ...(plan === undefined ? {} : { plan }),
  }
}

const isJudgedInArm = ({ arm: only }: Pick<Check, 'arm'>, { lacksSkills }: ArmSkills): boolean =>
  !(lacksSkills && only === 'with_skills')

const fileInArm = (entry: FileCheck, arm: ArmSkills): FileCheck[] => {
  if (!isJudgedInArm(entry, arm)) return []
  const { checks, ...rest } = entry
  if (checks === undefined) return [entry]
  const kept = placedIn(entry, checks).filter((check) => isJudgedInArm(check, arm))
  // An entry that says nothing else would ask whether the file is there.
  const saysMore = operatorOf(rest) !== undefined || rest.exists !== undefined || rest.unchanged !== undefined
  return kept.length === 0 && !saysMore ? [] : [{ ...rest, ...(kept.length === 0 ? {} : { checks: kept }) }]
}

const labelsInArm = (skills: NonNullable<Expected['skills']>, { has, isEmpty }: ArmSkills): Expected['skills'] => {
  if (isEmpty) return undefined
  if (Array.isArray(skills)) return skills.every(has) ? skills : undefined
  const includes = skills.includes?.every(has) ? skills.includes : undefined
  const excludes = skills.excludes?.some(has) ? skills.excludes : undefined
  if (includes === undefined && excludes === undefined) return undefined
  return { ...(includes === undefined ? {} : { includes }), ...(excludes === undefined ? {} : { excludes }) }
}

const actionsInArm = (actions: NonNullable<Expected['actions']>, arm: ArmSkills): NonNullable<Expected['actions']> => {
  const { subagents, ...own } = actions
  // What a skill did on its own it can't do where it is not.
  const kept = Object.entries(subagents ?? {}).filter(([name]) => arm.has(name))
  return {
    ...sequenceInArm(own, arm),
    ...(kept.length === 0
      ? {}
      : { subagents: Object.fromEntries(kept.map(([name, one]) => [name, sequenceInArm(one, arm)])) }),
  }
}

type Sequence = Omit<NonNullable<Expected['actions']>, 'subagents'>

const sequenceInArm = (actions: Sequence, arm: ArmSkills): Sequence => {
  const lacks = (pattern: ActionPattern) => needsAbsent(pattern, arm)
  const { in_order, exactly, any_order, only, never, before, count, no_loops } = actions
  const ordered = Object.entries({ in_order, exactly, any_order }).filter(
    ([, patterns]) => patterns !== undefined && !patterns.some(lacks),
  )
  const pairs = before?.filter(({ first, then }) => !lacks(first) && !lacks(then))
  const counts = count?.filter(({ of }) => !lacks(of))
  return {
    ...Object.fromEntries(ordered),
    ...(only === undefined ? {} : { only }),
    ...(never === undefined || never.every(lacks) ? {} : { never }),
    ...(pairs === undefined || pairs.length === 0 ? {} : { before: pairs }),
    ...(counts === undefined || counts.length === 0 ? {} : { count: counts }),
    ...(no_loops === undefined ? {} : { no_loops }),
  }
}

const skillActions: ReadonlySet<string> = new Set([
  'select_skills',
  'search_skills',
  'disable_skill',
  'enable_skill',
  'load_resource',
  'run_script',
])

/** No action could match it in this arm. */
const needsAbsent = (pattern: ActionPattern, { has, isEmpty }: ArmSkills): boolean => {
  if (isEmpty && skillActions.has(typeOf(pattern))) return true
  return skillNamesInPattern(pattern).some((name) => !has(name))
}

const typeOf = (pattern: ActionPattern): string => {
  if (typeof pattern === 'string') return pattern
  const { action } = pattern as { readonly action?: unknown }
  return typeof action === 'string' ? action : (Object.keys(pattern)[0] ?? '')
}

const constraintsInArm = (constraints: Constraints, { has }: ArmSkills): Constraints => {
  const { forbidden_skills: forbidden, ...rest } = constraints
  const isLeft = forbidden?.some(has)
  return isLeft && forbidden !== undefined ? { ...rest, forbidden_skills: forbidden } : rest
}
