import type { Skill, SkillIndex, SkillProblem } from '../core/skill.ts'
import { visibleLine } from '../lib/visible.ts'
import { normalName } from './check-name.ts'
import { nearestFirst } from './nearest-first.ts'

/** Who asks: a skill can be hidden from the model, or from people; to those it is unknown. */
export type Asker = 'model' | 'user'

export type SkillRef = { readonly name: string; readonly source?: string | undefined }

export type ResolveSkill = (ref: SkillRef, by: Asker) => Skill | SkillProblem

/**
 * The one meaning of a skill's name, for index, loader, slash commands and CLI: compared after NFKC, as written first,
 * then in any case where only one skill is meant. A `source` must agree; people reach a shadowed skill by it. An
 * unknown name is answered with the names there are, nearest first.
 */
export const skillResolver = (index: SkillIndex): ResolveSkill => {
  const all = [...index.skills, ...index.shadowed.map(({ skill }) => skill)]
  const exact = groupBy(all, (skill) => normalName(skill.name))
  const folded = groupBy(all, (skill) => normalName(skill.name).toLowerCase())
  const winners = new Set(index.skills)

  return ({ name, source }, by) => {
    const isOpen = (skill: Skill): boolean =>
      !(by === 'model' ? skill.hiddenFromModel : skill.hiddenFromUser) &&
      (winners.has(skill) || (by === 'user' && source !== undefined))
    const key = normalName(name)
    const same = (exact.get(key) ?? []).filter(isOpen)
    const candidates = same.length > 0 ? same : (folded.get(key.toLowerCase()) ?? []).filter(isOpen)
    const matching = source === undefined ? candidates : candidates.filter((skill) => skill.source === source)
    const [found] = matching
    if (found !== undefined && new Set(matching.map((skill) => skill.name)).size === 1) return found
    if (found !== undefined) return { problem: ambiguous(name, matching) }
    if (candidates.length > 0) return { problem: otherSource(name, source ?? '', candidates) }
    return { problem: unknown(name, index.skills.filter(isOpen)) }
  }
}

const groupBy = (skills: readonly Skill[], keyOf: (skill: Skill) => string): ReadonlyMap<string, readonly Skill[]> => {
  const groups = new Map<string, Skill[]>()
  for (const skill of skills) {
    const group = groups.get(keyOf(skill))
    if (group === undefined) groups.set(keyOf(skill), [skill])
    else group.push(skill)
  }
  return groups
}

const ambiguous = (name: string, skills: readonly Skill[]): string =>
  `"${visibleLine(name, 80)}" could be ${skills.map((skill) => skill.name).join(' or ')}: write it exactly.`

const otherSource = (name: string, source: string, skills: readonly Skill[]): string => {
  const sources = [...new Set(skills.map((skill) => skill.source))].join(', ')
  return `There is no skill "${visibleLine(name, 80)}" in ${visibleLine(source, 80)}; there is one in: ${sources}.`
}

const mostNames = 20

const unknown = (name: string, skills: readonly Skill[]): string => {
  if (skills.length === 0) return `There is no skill "${visibleLine(name, 80)}": there are no skills at all.`
  const names = nearestFirst(
    name,
    skills.map((skill) => skill.name),
    mostNames,
  )
  const rest = skills.length - names.length
  const more = rest > 0 ? `, and ${rest} more` : ''
  return `There is no skill "${visibleLine(name, 80)}". Skills, nearest first: ${names.join(', ')}${more}.`
}
