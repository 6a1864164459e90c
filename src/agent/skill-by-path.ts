import { actionTypeOf, formatSkillRef, normalizeParams, type RawCall, toSkillRef } from '../core/actions.ts'
import type { SkillSource } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'

/**
 * A call that means a skill by the path of its SKILL.md, as a selection of it, whatever tool it is: a selection by
 * `skill_path`, `read_file` of an indexed SKILL.md, `load_resource` of another skill's. A relative path is the owner's:
 * of the skill that is named, or of a loaded one. A name and a path that do not agree are a problem that says both.
 */
export const byPath = (call: RawCall, loaded: readonly Skill[], skills: SkillSource): RawCall => {
  if (call.name === 'read_file') return ofFile(call, skills)
  if (call.name === 'load_resource') return ofResource(call, loaded, skills)
  return actionTypeOf(call.name) === 'select_skills' ? ofSelection(call, loaded, skills) : call
}

const selecting = (call: RawCall, skill: Skill): RawCall => ({
  ...call,
  name: 'select_skills',
  input: { skills: [{ name: skill.name }] },
})

const ofFile = (call: RawCall, skills: SkillSource): RawCall => {
  const path = typeof call.input === 'string' ? call.input : recordOr(call.input).path
  const skill = typeof path === 'string' && path.startsWith('/') ? skills.byFile(path) : undefined
  return skill ? selecting(call, skill) : call
}

/** `../pdf-forms/SKILL.md`, as a body that works with its neighbours names it. */
const ofResource = (call: RawCall, loaded: readonly Skill[], skills: SkillSource): RawCall => {
  const { skill: ref, path } = recordOr(normalizeParams('load_resource', call.input))
  const owner = loaded.find(({ name }) => name === recordOr(ref).name)
  if (typeof path !== 'string' || owner === undefined || !path.startsWith('../')) return call
  const skill = skills.byFile(`${owner.dir}/${path}`)
  return skill && skill.name !== owner.name ? selecting(call, skill) : call
}

const ofSelection = (call: RawCall, loaded: readonly Skill[], skills: SkillSource): RawCall => {
  const input = recordOr(call.input)
  const path = input.skill_path ?? input.path
  if (typeof path !== 'string') return call
  const named = input.skill_name ?? input.skill ?? input.name
  const found = new Map(placesOf(path, loaded).flatMap((place) => asEntry(skills.byFile(place))))
  const [skill, ...others] = found.values()
  if (skill === undefined)
    return { ...call, problem: `there is no skill at ${path}; select it by its name in the index` }
  if (others.length > 0) {
    const names = [...found.keys()].join(' and ')
    return { ...call, problem: `${path} is ${names}, each by the folder of another skill; select one by its name` }
  }
  if (named === undefined) return selecting(call, skill)
  const written = toSkillRef(named) as { readonly name: string; readonly source?: string }
  const resolved = skills.resolve(written)
  if (!('problem' in resolved) && resolved.file === skill.file) return selecting(call, skill)
  const which = 'problem' in resolved ? 'there is no such skill' : `that is ${resolved.file}`
  const problem = `the name ${formatSkillRef(written)} (${which}) and the path ${path} (that is the skill ${skill.name}) do not agree; give one of them`
  return { ...call, problem }
}

const asEntry = (skill: Skill | undefined): [string, Skill][] => (skill ? [[skill.name, skill]] : [])

/** The path itself, or below each skill that may be its owner; a folder stands for its SKILL.md. */
const placesOf = (path: string, loaded: readonly Skill[]): string[] => {
  const bases = path.startsWith('/') ? [path] : loaded.map(({ dir }) => `${dir}/${path}`)
  return bases.flatMap((base) => [base, `${base.replace(/\/+$/, '')}/SKILL.md`])
}

const recordOr = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
