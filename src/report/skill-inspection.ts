import type { Skill } from '../core/skill.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber, plural } from './format-number.ts'
import { type PackOrigin, packOriginText } from './packs-report.ts'
import { type ProofText, proofText } from './proof-report.ts'
import type { SkillsTextOptions } from './skills-report.ts'
import { loadTable } from './table.ts'
import { painter } from './tone.ts'

/** What the skills domain finds out about one skill, as far as it is shown. */
export type Inspection = {
  readonly skill: Skill
  /** Where it was installed from, if it is from a pack. */
  readonly installed?: PackOrigin
  /** What the pack that it is from shows of it. */
  readonly proof?: ProofText
  readonly tokens: { readonly index: number; readonly body: number | null; readonly resources: number }
  readonly bodyLines: number | null
  readonly levels: readonly { readonly level: string; readonly tokens: number }[]
  readonly placeholders: readonly string[]
  readonly problems: readonly string[]
  readonly files: readonly {
    readonly path: string
    readonly kind: string
    readonly bytes: number
    readonly tokens?: number
  }[]
  readonly complete: boolean
  readonly allowedTools: readonly { readonly field: string; readonly value: unknown }[]
  readonly extra: readonly {
    readonly field: string
    readonly value: unknown
    readonly system: string
    readonly use: string
    readonly meaning: string
  }[]
}

/** What `skills inspect` prints: metadata and controls, what each part costs, the files, and foreign fields. */
export const skillInspectionText = async (inspection: Inspection, options: SkillsTextOptions): Promise<string> => {
  const paint = painter(options.color)
  const { skill, problems, complete } = inspection
  const lines = [
    paint(foreignLine(skill.name), 'strong'),
    foreignLine(skill.description, 2000),
    '',
    ...facts(inspection).map(([name, value]) => `${name.padEnd(14)}${value}`),
    ...problems.map((problem) => paint(`! ${foreignLine(problem)}`, 'bad')),
    '',
    ...(await fileTable(inspection, options)),
    ...(complete ? [] : ['more files than are looked at']),
    ...inspection.extra.map(
      ({ field, value, system, use, meaning }) =>
        `${foreignLine(field)}: ${foreignLine(asText(value), 120)} (${system}; ${use}: ${meaning})`,
    ),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

const facts = ({
  skill,
  installed,
  proof,
  tokens,
  bodyLines,
  levels,
  placeholders,
  allowedTools,
}: Inspection): [string, string][] => {
  const rows: [string, string | undefined][] = [
    ['source', `${skill.source}, ${foreignLine(skill.dir, 1000)}`],
    ['installed', installed && packOriginText(installed)],
    ['proof', proof && proofText(proof)],
    ['version', skill.version && foreignLine(skill.version)],
    ['license', skill.license && foreignLine(skill.license)],
    ['compatibility', skill.compatibility && foreignLine(skill.compatibility, 500)],
    ['tags', skill.tags.length === 0 ? undefined : skill.tags.map((tag) => foreignLine(tag)).join(', ')],
    ['allowed tools', toolsText(skill, allowedTools)],
    ['needs tools', skill.requiredTools?.map((tool) => foreignLine(tool)).join(', ')],
    ['shown to', controls(skill)],
    [
      'tokens',
      `about ${formatNumber(tokens.index)} in the index, ${bodyCost(tokens.body, bodyLines)}, ${formatNumber(tokens.resources)} in all resources`,
    ],
    ['of the body', levels.map(({ level, tokens: count }) => `about ${formatNumber(count)} of ${level}`).join(', ')],
    ['filled in', placeholdersText(placeholders)],
  ]
  return rows.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  )
}

const bodyCost = (tokens: number | null, lines: number | null): string =>
  tokens === null || lines === null
    ? 'a body that can not be read'
    : `${formatNumber(tokens)} in the body (${plural(lines, 'line')})`

const mostPlaceholders = 12

/** A person's words are only there where a person starts the skill by its name. */
const placeholdersText = (all: readonly string[]): string | undefined => {
  const isFolder = (one: string) => one === '${CLAUDE_SKILL_DIR}'
  const words = all.filter((one) => !isFolder(one))
  const listed = words.slice(0, mostPlaceholders).map((one) => foreignLine(one))
  const more = words.length > mostPlaceholders ? ` and ${words.length - mostPlaceholders} more` : ''
  const parts = [
    ...(words.length === 0 ? [] : [`${listed.join(' ')}${more}, where a person starts it by name`]),
    ...(all.some(isFolder) ? ['${CLAUDE_SKILL_DIR}, always'] : []),
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}

const toolsText = (skill: Skill, declared: Inspection['allowedTools']): string => {
  if (skill.allowedTools === undefined) return 'not declared: narrows nothing'
  const written = declared.map(({ field }) => foreignLine(field)).join(', ')
  const names = skill.allowedTools.map((tool) => foreignLine(tool)).join(' ')
  return `${names || 'none'}${written === '' || written === 'allowed-tools' ? '' : ` (written as ${written})`}`
}

const controls = ({ hiddenFromModel, hiddenFromUser }: Skill): string =>
  hiddenFromModel && hiddenFromUser
    ? 'nobody'
    : hiddenFromModel
      ? 'people only'
      : hiddenFromUser
        ? 'the model only'
        : 'the model and people'

const fileTable = async ({ files }: Inspection, options: SkillsTextOptions): Promise<string[]> => {
  if (files.length === 0) return []
  const layTable = await loadTable(options.width, painter(options.color))
  const rows = files.map(({ path, kind, bytes, tokens }) => [
    foreignLine(path, 1000),
    kind,
    formatNumber(bytes),
    tokens === undefined ? '' : formatNumber(tokens),
  ])
  const columns = [
    { title: 'file', align: 'left', shrinks: 'middle' },
    { title: 'kind', align: 'left' },
    { title: 'bytes' },
    { title: 'tokens' },
  ] as const
  return [layTable(columns, rows)]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
