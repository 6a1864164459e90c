import type { ActionRecord, ActionStatus } from '../core/trajectory.ts'
import { compileMatcher, isCheckMap, type Matcher } from '../lib/match-value.ts'
import { isSameSkill, skillText } from './skill-name.ts'

/** Whether an action that has come to `wanted` (undefined: to anything) is about the skills that a pattern names. */
export type SkillMatcher = (record: ActionRecord, wanted: ActionStatus | undefined) => boolean

/**
 * Compiles the skills that a pattern names. `one` is a name, a reference or a check on the name; `list` must be the
 * list of a select_skills, element by element. One select_skills can load one skill and fail for another: there each
 * skill has its own status.
 */
export const compileSkills = async (one: unknown, list: unknown): Promise<SkillMatcher> => {
  const isOne = one === undefined ? undefined : await nameMatcher(one)
  const listed = Array.isArray(list) ? await Promise.all(list.map(nameMatcher)) : undefined
  if (isOne === undefined && listed === undefined) return hasStatus
  return (record, wanted) => {
    if (record.action !== 'select_skills') return hasStatus(record, wanted) && (isOne?.(record.params.skill) ?? true)
    const skills = skillsThatCameTo(record, wanted)
    if (isOne !== undefined && !skills.some(isOne)) return false
    if (listed === undefined) return true
    const asked = askedSkills(record)
    return asked.length === listed.length && listed.every((matches, i) => matches(asked[i]) && skills.some(matches))
  }
}

const hasStatus = (record: ActionRecord, wanted: ActionStatus | undefined): boolean =>
  wanted === undefined || record.status === wanted

const nameMatcher = async (pattern: unknown): Promise<Matcher> => {
  if (!isCheckMap(pattern)) return (skill) => isSameSkill(pattern, skill)
  const matches = await compileMatcher(pattern)
  return (skill) => matches(skillText(skill))
}

const askedSkills = ({ params }: ActionRecord): readonly unknown[] =>
  Array.isArray(params.skills) ? params.skills : params.skill === undefined ? [] : [params.skill]

const skillsThatCameTo = (record: ActionRecord, wanted: ActionStatus | undefined): readonly unknown[] => {
  const asked = askedSkills(record)
  if (wanted === undefined) return asked
  if (record.skills === undefined || wanted === 'denied') return record.status === wanted ? asked : []
  const names = wanted === 'ok' ? record.skills.loaded : record.skills.failed
  // The reference as it was asked for may say the source too.
  return names.map((name) => asked.find((skill) => isSameSkill(skill, name)) ?? name)
}
