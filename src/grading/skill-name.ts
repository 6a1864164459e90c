import { toSkillRef } from '../core/actions.ts'

/**
 * Whether two ways of naming a skill (`name`, `name@source`, `{name, source}`) can mean the same one: the names are
 * equal, and so are the sources where both say theirs.
 */
export const isSameSkill = (a: unknown, b: unknown): boolean => {
  const left = partsOf(a)
  const right = partsOf(b)
  if (left.name === undefined || left.name !== right.name) return false
  return left.source === undefined || right.source === undefined || left.source === right.source
}

/** `name` or `name@source`; '' for what names no skill. */
export const skillText = (written: unknown): string => {
  const { name = '', source } = partsOf(written)
  return source === undefined ? name : `${name}@${source}`
}

const partsOf = (written: unknown): { readonly name?: string; readonly source?: string } => {
  const ref = toSkillRef(written)
  if (typeof ref !== 'object' || ref === null) return {}
  const { name, source } = ref as { readonly name?: unknown; readonly source?: unknown }
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof source === 'string' && source !== '' ? { source } : {}),
  }
}
