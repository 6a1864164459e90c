import type { Skill, SkillSourceName } from '../core/skill.ts'
import { setOwn } from '../lib/set-own.ts'
import type { YamlPositions } from '../lib/yaml-positions.ts'
import { standardFields } from '../schema/frontmatter.ts'
import { readAllowedTools } from './allowed-tools.ts'
import { isUsableName } from './check-name.ts'
import { cleanText, leftOut } from './clean-text.ts'
import type { SkillLog } from './diagnose.ts'
import { readFlag } from './read-flag.ts'
import type { Frontmatter } from './read-frontmatter.ts'

export type SkillPlace = {
  /** Absolute folder, links resolved, and the absolute path of its SKILL.md. */
  readonly dir: string
  readonly file: string
  readonly source: SkillSourceName
  /** The names under which the folder is reached; the first stands in for a missing name. */
  readonly folders: readonly string[]
}

/**
 * The fields as a skill: text trimmed, invisible characters left out, flags and tools normalised, what the standard
 * does not know kept in `extra`. Undefined where there is no description or no name that could be shown.
 */
export const toSkill = (frontmatter: Frontmatter, place: SkillPlace, log: SkillLog): Skill | undefined => {
  const { fields, positions } = frontmatter
  const description = readDescription(fields, positions, log)
  const name = skillName(fields.name, place.folders)
  if (name === undefined) log.report('name-characters', "neither the name nor the folder's name can be shown")
  if (name === undefined || description === undefined) return undefined

  const metadata = readMetadata(fields.metadata)
  const license = textOf(fields.license)
  const compatibility = textOf(fields.compatibility)
  const requiredTools = readRequiredTools(fields.tools_required)
  const version = textOf(fields.version) ?? textOf(metadata.version)
  return {
    name,
    description,
    source: place.source,
    dir: place.dir,
    file: place.file,
    hiddenFromModel: readControl('disable-model-invocation', fields, positions, log) ?? false,
    hiddenFromUser: !(readControl('user-invocable', fields, positions, log) ?? true),
    allowedTools: readAllowedTools(fields, positions, log),
    ...(requiredTools.length > 0 && { requiredTools }),
    ...(runsAlone(fields) && { runsAlone: true }),
    tags: readTags(fields),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(version !== undefined && { version }),
    metadata,
    extra: extraFields(fields),
  }
}

const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

const readDescription = (
  fields: Frontmatter['fields'],
  positions: YamlPositions,
  log: SkillLog,
): string | undefined => {
  const written = textOf(fields.description)
  if (written === undefined) return undefined
  const { text, removed } = cleanText(written)
  const place = () => positions.at(['description'])
  if (removed > 0) log.report('invisible-characters', `${leftOut(removed)} of the description`, { place })
  if (text.trim() === '') log.report('description-missing', 'the description has no visible character', { place })
  return textOf(text)
}

/** A name is shown on lines and typed by people: one that can't be gives way to the folder's. */
const skillName = (value: unknown, folders: readonly string[]): string | undefined =>
  [textOf(value), ...folders].find((name) => name !== undefined && isUsableName(name))

/** A control that can't be read hides: that its author meant to hide something is the safer guess. */
const readControl = (
  field: 'disable-model-invocation' | 'user-invocable',
  fields: Frontmatter['fields'],
  positions: YamlPositions,
  log: SkillLog,
): boolean | undefined => {
  const value = fields[field]
  if (value === undefined) return undefined
  const flag = readFlag(value)
  if (flag !== undefined) return flag
  log.report('control-flag', `${field} is neither true nor false, so the skill is hidden`, {
    place: () => positions.at([field]),
  })
  return field === 'disable-model-invocation'
}

/** Two words for one thing: our own, and Claude Code's. */
const runsAlone = (fields: Frontmatter['fields']): boolean =>
  textOf(fields['run-mode'])?.toLowerCase() === 'subagent' || textOf(fields.context)?.toLowerCase() === 'fork'

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Nested values as JSON text: the standard has texts only. */
const readMetadata = (value: unknown): Readonly<Record<string, string>> => {
  const metadata: Record<string, string> = {}
  if (!isMap(value)) return metadata
  for (const [key, entry] of Object.entries(value))
    setOwn(metadata, key, typeof entry === 'string' ? entry : JSON.stringify(entry))
  return metadata
}

const readTags = (fields: Frontmatter['fields']): readonly string[] => {
  const metadata = isMap(fields.metadata) ? fields.metadata : {}
  const own = fields.tags ?? (Object.hasOwn(metadata, 'tags') ? metadata.tags : undefined)
  const texts = Array.isArray(own) ? own : typeof own === 'string' ? own.split(own.includes(',') ? ',' : /\s+/) : []
  return [...new Set(texts.flatMap((tag) => textOf(tag) ?? []))]
}

/** A text names one tool, or several between commas. */
const readRequiredTools = (value: unknown): readonly string[] => {
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return [...new Set(texts.flatMap((tool) => textOf(tool) ?? []))]
}

const standard: ReadonlySet<string> = new Set(standardFields)

const extraFields = (fields: Frontmatter['fields']): Readonly<Record<string, unknown>> => {
  const extra: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) if (!standard.has(key)) setOwn(extra, key, value)
  return extra
}
