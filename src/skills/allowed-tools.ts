import { visibleLine } from '../lib/visible.ts'
import type { YamlPositions } from '../lib/yaml-positions.ts'
import type { SkillLog } from './diagnose.ts'

/** The known spellings of one field, the standard's first: it wins where there are several. */
const spellings: readonly string[] = ['allowed-tools', 'allowed_tools', 'allowedTools']

/** Whether a field is the one in any spelling, `Allowed-Tools` too: passed over, it would fence nothing. */
export const isAllowedTools = (field: string): boolean =>
  /^allowedtools?$/.test(
    field
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[\p{Pd}\s_.]/gu, ''),
  )

/** The fields that declare tools, the one that counts first. */
export const allowedToolsFields = (fields: Readonly<Record<string, unknown>>): readonly string[] => [
  ...spellings.filter((name) => Object.hasOwn(fields, name)),
  ...Object.keys(fields).filter((name) => isAllowedTools(name) && !spellings.includes(name)),
]

/**
 * The tools that a skill declares, one entry each: from a text (split at spaces and commas outside parentheses) or a
 * list, in any spelling. Undefined where nothing is declared. A declaration can only narrow, so one that can't be read
 * is `[]`, nothing, never everything.
 */
export const readAllowedTools = (
  fields: Readonly<Record<string, unknown>>,
  positions: YamlPositions,
  log: SkillLog,
): readonly string[] | undefined => {
  const [field, ...others] = allowedToolsFields(fields)
  if (field === undefined) return undefined
  if (field !== 'allowed-tools')
    log.report('allowed-tools-spelling', `${visibleLine(field, 60)} is read as allowed-tools`, {
      place: () => positions.key([field]),
    })
  for (const other of others)
    log.report(
      'allowed-tools-spelling',
      `${visibleLine(other, 60)} is not looked at: ${visibleLine(field, 60)} says it already`,
      {
        place: () => positions.key([other]),
        hint: 'Keep one of them.',
      },
    )

  const parts = textsOf(fields[field])?.map(splitTools)
  if (parts === undefined || parts.includes(undefined)) {
    const message = `${visibleLine(field, 60)} can't be read, so no tool is allowed`
    log.report('allowed-tools-unreadable', message, {
      place: () => positions.at([field]),
      hint: hintFor(fields[field]),
    })
    return []
  }
  return parts.flatMap((part) => part ?? [])
}

const textsOf = (value: unknown): readonly string[] | undefined => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
}

const hintFor = (value: unknown): string =>
  typeof value === 'object'
    ? 'Write one text, e.g. `Bash(git:*) Read`, or a list of texts.'
    : 'Close every parenthesis.'

/** Undefined where parentheses do not match. */
const splitTools = (text: string): string[] | undefined => {
  const tools: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i <= text.length; i += 1) {
    const character = text[i]
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0) return undefined
    if (character !== undefined && (depth > 0 || !/[\s,]/.test(character))) continue
    if (i > start) tools.push(text.slice(start, i))
    start = i + 1
  }
  return depth === 0 ? tools : undefined
}
