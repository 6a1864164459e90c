import type { SkillRef } from '../core/actions.ts'
import type { SkillSource } from '../core/ports.ts'

type Asked = { readonly ref: SkillRef; readonly coordinates: readonly string[] }

/**
 * Skills in the order in which they are loaded: those that coordinate others of them (`metadata.coordinates`, their
 * names) first, so that what they say of these is read first, and is what there is still room for. Otherwise as asked.
 */
export const coordinatorsFirst = (refs: readonly SkillRef[], skills: SkillSource): readonly SkillRef[] => {
  if (refs.length < 2) return refs
  const left = refs.map((ref) => ({ ref, coordinates: coordinatedBy(ref, skills) }))
  if (left.every(({ coordinates }) => coordinates.length === 0)) return refs
  const ordered: SkillRef[] = []
  while (left.length > 0) {
    const leader = left.findIndex((one) => leads(one, left) && !left.some((other) => leads(other, [one])))
    ordered.push(...left.splice(Math.max(0, leader), 1).map(({ ref }) => ref))
  }
  return ordered
}

const leads = ({ ref, coordinates }: Asked, others: readonly Asked[]): boolean =>
  others.some((other) => other.ref.name !== ref.name && coordinates.includes(other.ref.name))

const coordinatedBy = (ref: SkillRef, skills: SkillSource): readonly string[] => {
  const skill = skills.resolve(ref)
  if ('problem' in skill) return []
  // A list in YAML is kept as JSON text.
  return (skill.metadata.coordinates ?? '').split(/[\s,"[\]]+/).filter((name) => name !== '')
}
