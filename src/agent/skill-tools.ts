import { SkillsEvalError } from '../core/errors.ts'
import type { SkillSource } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import { parseToolRule } from '../core/tool-rule.ts'
import { matchesToolName } from '../lib/tool-name.ts'
import { visibleLine } from '../lib/visible.ts'

/** Tools that are not offered yet, each with the skills that bring it. */
export type WithheldTools = ReadonlyMap<string, readonly Skill[]>

/**
 * Of the provided tools those that are skills' own and are not to be offered yet, each with the skills that bring it:
 * one that a skill of the index names, while no skill that names it is loaded. A skill that was turned off brings
 * nothing, though it was loaded before.
 */
export const withheldTools = (
  provided: readonly string[],
  skills: SkillSource,
  loaded: Iterable<Skill>,
): WithheldTools => {
  const { controls } = skills
  const off = new Set(controls?.disabled())
  const known = controls?.all() ?? skills.visible()
  const bringing = [...loaded].filter(({ name }) => !off.has(name))
  const withheld = new Map<string, readonly Skill[]>()
  for (const tool of provided) {
    const owners = known.filter((skill) => namesTool(skill, tool))
    if (owners.length === 0 || bringing.some((skill) => namesTool(skill, tool))) continue
    withheld.set(tool, owners)
  }
  return withheld
}

/** What a model is told that calls such a tool all the same. */
export const whyWithheld = (
  tool: string,
  owners: readonly Skill[],
  loaded: ReadonlyMap<string, Skill>,
  skills: SkillSource,
): string => {
  const off = new Set(skills.controls?.disabled())
  const on = owners.filter(({ name }) => !off.has(name))
  const names = (on.length === 0 ? owners : on).map(({ name }) => visibleLine(name, 80))
  const who = names.length === 1 ? `The skill ${names[0]}` : `One of the skills ${names.join(', ')}`
  if (on.length === 0) return `${who} brings ${tool}, and is disabled.`
  if (on.some(({ name }) => loaded.has(name))) return `${who} brings ${tool}: it is offered from your next turn on.`
  const then = on.every((skill) => skill.runsAlone)
    ? 'which runs on its own and has it then'
    : 'and use it in a later turn'
  return `${who} brings ${tool}: load that skill with select_skills first, ${then}.`
}

/** In its declaration of tools, or among those that it requires or can use. A rule about a shell's lines names no tool. */
const namesTool = (skill: Skill, tool: string): boolean => {
  const answers = answered.get(skill) ?? new Map<string, boolean>()
  answered.set(skill, answers)
  const answer = answers.get(tool) ?? looksNamed(skill, tool)
  answers.set(tool, answer)
  return answer
}

// The same skills and tools in every turn, and a pattern may take long.
const answered = new WeakMap<Skill, Map<string, boolean>>()

const looksNamed = ({ allowedTools = [], requiredTools = [], extra }: Skill, tool: string): boolean =>
  requiredTools.includes(tool) ||
  textsOf(extra.tools_optional).includes(tool) ||
  allowedTools.some((written) => {
    const rule = parseToolRule(written)
    return rule?.kind === 'name' && rule.spec !== undefined && rule.problem === undefined && matches(rule.spec, tool)
  })

/** A stranger's pattern that can't be read names nothing. */
const matches = (pattern: string, tool: string): boolean => {
  try {
    return matchesToolName(pattern, tool)
  } catch (error) {
    if (error instanceof SkillsEvalError) return false
    throw error
  }
}

/** A list, or one text with commas. */
const textsOf = (value: unknown): readonly string[] => {
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return texts.flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text.trim()] : []))
}
