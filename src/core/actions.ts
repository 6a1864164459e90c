import type { ActionParams, ActionType, SkillRef } from '../schema/action.ts'

export type { ActionParams, ActionType, SkillRef } from '../schema/action.ts'

/** What the model asked for, validated. */
export type Action = {
  readonly [T in ActionType]: { readonly action: T; readonly params: ActionParams[T] }
}[ActionType]

/** What the model asked for, as it came: any name, any input. */
export type RawCall = {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** Why its arguments could not be read; such a call is never done. */
  readonly problem?: string
}

const mainParams: Readonly<Record<ActionType, string>> = {
  select_skills: 'skills',
  search_skills: 'query',
  disable_skill: 'skill',
  enable_skill: 'skill',
  load_resource: 'path',
  run_script: 'path',
  read_file: 'path',
  list_dir: 'path',
  grep: 'pattern',
  write_file: 'path',
  delete_file: 'path',
  network_request: 'url',
  call_tool: 'tool',
  update_plan: 'steps',
  final_answer: 'text',
}

/** The parameter that stands for the whole in short forms: `{read_file: data.csv}`. */
export const mainParam = (type: ActionType): string => mainParams[type]

/** Names that other runtimes give to our actions; models that know them use them. */
const aliases: ReadonlyMap<string, ActionType> = new Map([
  ['read_skill', 'select_skills'],
  ['use_skill', 'select_skills'],
  ['activate_skill', 'select_skills'],
  ['load_skill', 'select_skills'],
])

const isType = (name: string): name is ActionType => Object.hasOwn(mainParams, name)

/** Our name for an action: itself, what it is an alias of, or undefined where nobody knows it. */
export const actionTypeOf = (name: string): ActionType | undefined => (isType(name) ? name : aliases.get(name))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `csv-analyzer`, `csv-analyzer@project` or `{name, source}` → a reference; anything else as it came. */
export const toSkillRef = (value: unknown): unknown => (typeof value === 'string' ? parseSkillRef(value) : value)

/** `csv-analyzer` or `csv-analyzer@project` → a reference. */
export const parseSkillRef = (written: string): SkillRef => {
  const at = written.lastIndexOf('@')
  const hasSource = at > 0 && at < written.length - 1
  return hasSource ? { name: written.slice(0, at), source: written.slice(at + 1) } : { name: written }
}

export const formatSkillRef = (ref: SkillRef): string => (ref.source ? `${ref.name}@${ref.source}` : ref.name)

const selectSkillsParams = (raw: unknown): unknown => {
  if (!isRecord(raw)) return { skills: (Array.isArray(raw) ? raw : [raw]).map(toSkillRef) }
  if (raw.skills !== undefined) {
    return { ...raw, skills: (Array.isArray(raw.skills) ? raw.skills : [raw.skills]).map(toSkillRef) }
  }
  const { skill_name: skillName, skill, name, source, ...rest } = raw
  const single = skillName ?? skill ?? name
  if (single === undefined) return raw
  const isNamed = typeof single === 'string' && source !== undefined
  return { ...rest, skills: [isNamed ? { name: single, source } : toSkillRef(single)] }
}

/**
 * Brings the short forms to the parameters' full shape, without judging them: a lone main parameter
 * (`read_file: data.csv`), a skill given by its name. Used for mocks, patterns and models alike.
 */
export const normalizeParams = (type: ActionType, raw: unknown): unknown => {
  if (raw === undefined) return {}
  if (type === 'select_skills') return raw === null ? {} : selectSkillsParams(raw)
  if (type === 'final_answer' && (typeof raw !== 'object' || raw === null))
    return { text: raw === null ? '' : String(raw) }
  if (type === 'update_plan' && Array.isArray(raw)) return { steps: raw }
  if (raw === null) return {}
  if (!isRecord(raw)) return { [mainParams[type]]: mainParams[type] === 'skill' ? toSkillRef(raw) : raw }
  if (Object.hasOwn(raw, 'skill')) return { ...raw, skill: toSkillRef(raw.skill) }
  return raw
}
