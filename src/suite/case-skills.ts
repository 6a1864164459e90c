import { type ActionType, normalizeParams, toSkillRef } from '../core/actions.ts'
import type { EvalCase } from '../core/plan.ts'
import { patternsOf } from './case-checks.ts'
import { actionsOf } from './mock-actions.ts'
import { isRecord, type JsonRecord, listOr, recordOr } from './record.ts'

/**
 * Names of the skills that a case is about, without their sources: labelled or forbidden, or named by an action pattern
 * or an action of its mock.
 */
export const skillsNamedBy = (evalCase: EvalCase): ReadonlySet<string> => {
  const { expected, constraints, mock } = evalCase
  const skills = expected?.skills
  const named = [
    ...(Array.isArray(skills) ? skills : [...listOr(recordOr(skills).includes), ...listOr(recordOr(skills).excludes)]),
    ...(constraints?.forbidden_skills ?? []),
    ...patternsOf(recordOr(expected)).flatMap(({ pattern }) => skillsInPattern(pattern)),
    ...actionsOf(mock).flatMap(({ action }) => skillsInAction(action)),
  ]
  return new Set(named.flatMap(nameOf))
}

/** `csv`, `csv@project`, `{name: csv}` → `csv`. */
const nameOf = (ref: unknown): string[] => {
  const { name } = recordOr(toSkillRef(ref))
  return typeof name === 'string' ? [name] : []
}

/** Names of the skills that an action pattern speaks of, without their sources. */
export const skillNamesInPattern = (pattern: unknown): string[] => skillsInPattern(pattern).flatMap(nameOf)

const skillsInPattern = (pattern: unknown): unknown[] => {
  if (!isRecord(pattern)) return []
  const { select_skills: short, skill, skills } = pattern
  return [short, skill, skills].flatMap((value) => (Array.isArray(value) ? value : [value]))
}

const skillsInAction = (action: unknown): unknown[] => {
  if (!isRecord(action)) return []
  const selected = 'select_skills' in action ? recordOr(normalizeParams('select_skills', action.select_skills)) : {}
  const owners = (['load_resource', 'run_script', 'disable_skill', 'enable_skill'] as const).map((type) =>
    skillOf(action, type),
  )
  return [...listOr(selected.skills), ...owners]
}

const skillOf = (action: JsonRecord, type: ActionType): unknown => recordOr(normalizeParams(type, action[type])).skill
