import type { Skill, SkillHit, SkillIndex } from '../core/skill.ts'
import { foreignLine } from './foreign-text.ts'
import { plural } from './format-number.ts'
import { type PackOrigin, packOriginText } from './packs-report.ts'
import { loadTable } from './table.ts'
import { painter, type Tone } from './tone.ts'

export type SkillsTextOptions = {
  readonly color: boolean
  /** Columns to fit into; Infinity where the text goes to a file or a pipe, so that no path is cut. */
  readonly width: number
}

const MAX_DESCRIPTION = 160

/**
 * What `skills list` prints: a row for each skill, shadowed ones after those that hide them. `installed`: where skills
 * came from that are from packs, by their folders.
 */
export const skillsListText = async (
  index: SkillIndex,
  options: SkillsTextOptions,
  installed: ReadonlyMap<string, PackOrigin> = new Map(),
): Promise<string> => {
  const paint = painter(options.color)
  const layTable = await loadTable(options.width, paint)
  const rows = index.skills.flatMap((skill) => [
    row(skill, `${controls(skill)}${fromPack(installed.get(skill.dir))}`, 'strong'),
    ...index.shadowed
      .filter(({ skill: hidden }) => hidden.name === skill.name)
      .map(({ skill: hidden, by }) => row(hidden, `(shadowed by ${by.source}) `, 'faint')),
  ])
  const table = rows.length === 0 ? '' : `${layTable(columns, rows)}\n`
  const shadowed = index.shadowed.length === 0 ? '' : `, ${index.shadowed.length} shadowed`
  return `${table}${plural(index.skills.length, 'skill')}${shadowed}\n`
}

const columns = [
  { title: 'name', align: 'left' },
  { title: 'source', align: 'left' },
  { title: 'description', align: 'left', shrinks: 'end' },
  { title: 'path', align: 'left', shrinks: 'middle' },
] as const

const row = ({ name, source, description, dir }: Skill, note: string, tone: Tone) => [
  { text: foreignLine(name), tone },
  source,
  `${note}${foreignLine(description, MAX_DESCRIPTION)}`,
  foreignLine(dir, 1000),
]

const fromPack = (origin: PackOrigin | undefined): string =>
  origin === undefined ? '' : `(${packOriginText(origin)}) `

const controls = ({ hiddenFromModel, hiddenFromUser }: Skill): string => {
  if (hiddenFromModel && hiddenFromUser) return '(hidden from all) '
  if (hiddenFromModel) return '(hidden from the model) '
  return hiddenFromUser ? '(hidden from people) ' : ''
}

/** What `skills search` prints: the hits, best first, with their rank and score. */
export const skillHitsText = async (hits: readonly SkillHit[], options: SkillsTextOptions): Promise<string> => {
  if (hits.length === 0) return 'no skill matches\n'
  const layTable = await loadTable(options.width, painter(options.color))
  return layTable(
    [
      { title: '' },
      { title: 'name', align: 'left' },
      { title: 'source', align: 'left' },
      { title: 'score' },
      { title: 'description', align: 'left', shrinks: 'end' },
    ],
    hits.map(({ name, source, score, description }, i) => [
      `${i + 1}.`,
      { text: foreignLine(name), tone: 'strong' },
      foreignLine(source),
      score.toFixed(2),
      foreignLine(description, MAX_DESCRIPTION),
    ]),
  )
}
