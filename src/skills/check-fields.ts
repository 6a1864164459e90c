import { nearest } from '../lib/nearest.ts'
import { visibleLine } from '../lib/visible.ts'
import type { YamlPositions } from '../lib/yaml-positions.ts'
import { standardFields } from '../schema/frontmatter.ts'
import { allowedToolsFields, isAllowedTools } from './allowed-tools.ts'
import { checkName } from './check-name.ts'
import type { Place, SkillLog } from './diagnose.ts'
import { foreignField } from './dialects/dialects.ts'
import type { Frontmatter } from './read-frontmatter.ts'
import { saysWhen } from './says-when.ts'

const limits = { description: 1024, compatibility: 500 } as const

/**
 * The standard's rules for the fields, in the order of its reference validator: unknown ones, name, description,
 * compatibility, then the rest. Everything is reported; lengths are in code points after trimming. `known`
 * are fields of a dialect.
 */
export const checkFields = (
  frontmatter: Frontmatter,
  folders: readonly string[],
  log: SkillLog,
  known: ReadonlySet<string> = new Set(),
): void => {
  const { fields, positions, split } = frontmatter
  const top = (): Place => ({ line: split.line - 1, column: 1 })
  const at = (field: string) => (): Place => positions.at([field])

  for (const field of Object.keys(fields))
    if (!known.has(field)) checkKnown(field, fields, log, () => positions.key([field]))

  const { name, description, compatibility, license } = fields
  if (typeof name === 'string' && name.trim() !== '') checkName(name, folders, log, at('name'))
  else log.report('name-missing', faultOf('name', name), { place: name === undefined ? top : at('name') })

  if (typeof description === 'string' && description.trim() !== '')
    checkDescription(description, log, at('description'))
  else
    log.report('description-missing', faultOf('description', description), {
      place: description === undefined ? top : at('description'),
    })

  if (compatibility !== undefined) checkCompatibility(compatibility, log, at('compatibility'))
  if (license !== undefined && typeof license !== 'string')
    log.report('license-type', 'license is not a text', { place: at('license') })
  if (fields.metadata !== undefined) checkMetadata(fields.metadata, positions, log)
  for (const field of ['name', 'description'] as const) {
    const value = fields[field]
    if (typeof value === 'string' && /[<>]/.test(value))
      log.report('angle-brackets', `the ${field} has an angle bracket`, { place: at(field) })
  }
}

const faultOf = (field: string, value: unknown): string => {
  if (value === undefined) return `there is no ${field}`
  return typeof value === 'string' ? `the ${field} is empty` : `the ${field} is not a text`
}

const standard: ReadonlySet<string> = new Set(standardFields)

const checkKnown = (field: string, fields: Frontmatter['fields'], log: SkillLog, place: () => Place): void => {
  if (standard.has(field)) return
  const foreign = foreignField(field)
  // To load, what another system knows needs no word.
  if (log.mode === 'lenient' && (foreign !== undefined || isAllowedTools(field))) return
  log.report('unknown-field', `the standard has no field ${visibleLine(field, 60)}`, {
    place,
    hint: hintFor(field, fields),
  })
}

const hintFor = (field: string, fields: Frontmatter['fields']): string => {
  // Where another spelling counts already, a right one would only be there twice.
  if (isAllowedTools(field))
    return allowedToolsFields(fields)[0] === field ? 'Spell it allowed-tools.' : 'Keep one of them.'
  const [close] = nearest(field, standardFields)
  if (close !== undefined && foreignField(field) === undefined) return `Did you mean ${close}?`
  return 'Move it below metadata, or remove it.'
}

const checkDescription = (description: string, log: SkillLog, place: () => Place): void => {
  const length = codePoints(description.trim(), limits.description)
  if (length > limits.description)
    log.report('description-length', `the description has ${length} characters, more than 1,024`, { place })
  if (log.mode === 'strict' && !saysWhen(description))
    log.report('description-when', 'the description does not say when to use the skill', { place })
}

const checkCompatibility = (value: unknown, log: SkillLog, place: () => Place): void => {
  if (typeof value !== 'string') {
    log.report('compatibility-type', 'compatibility is not a text', { place })
    return
  }
  const length = codePoints(value.trim(), limits.compatibility)
  if (length === 0) log.report('compatibility-empty', 'compatibility is empty', { place })
  if (length > limits.compatibility)
    log.report('compatibility-length', `compatibility has ${length} characters, more than 500`, { place })
}

const checkMetadata = (metadata: unknown, positions: YamlPositions, log: SkillLog): void => {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    if (metadata !== '')
      log.report('metadata-map', 'metadata is not a map', { place: () => positions.at(['metadata']) })
    return
  }
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value !== 'object') continue
    const message = `metadata.${visibleLine(key, 60)} is ${Array.isArray(value) ? 'a list' : 'a map'}, not a text`
    log.report('metadata-nested', message, { place: () => positions.key(['metadata', key]) })
  }
}

/** Counted only where the shorter count of code units is over the limit. */
const codePoints = (text: string, limit: number): number => (text.length > limit ? [...text].length : text.length)
