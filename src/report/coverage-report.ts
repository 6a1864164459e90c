import type { Coverage, CoveredPart, Evidence, PartKind, SkillCoverage } from '../core/coverage.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber, formatShare, plural, UNKNOWN } from './format-number.ts'
import { type Cell, loadTable } from './table.ts'
import { painter } from './tone.ts'

export type CoverageTextOptions = { readonly color: boolean; readonly width: number }

/**
 * What `skills coverage` prints: a row for each skill, a row for each part that no eval exercises, what is missing of
 * trigger cases, descriptions that are alike, and the share in the last line.
 */
export const coverageText = async (coverage: Coverage, { color, width }: CoverageTextOptions): Promise<string> => {
  const paint = painter(color)
  const layTable = await loadTable(width, paint)
  const unused = coverage.skills.flatMap(unusedRows)
  const parts = [
    layTable(skillColumns, coverage.skills.map(skillRow)),
    unused.length === 0 ? '' : layTable(partColumns, unused),
    missingLines(coverage)
      .map((line) => `${paint(line, 'warn')}\n`)
      .join(''),
    `${paint(shareLine(coverage), isCovered(coverage) ? 'good' : 'bad')}\n`,
  ]
  return parts.filter((part) => part !== '').join('\n')
}

const MAX_NAMES = 20
const MAX_PAIRS = 10

/** Whether the gate is met; without one it is. */
export const isCovered = ({ share, min }: Coverage): boolean => min === null || share >= min

const kinds = { body: 'body', script: 'scripts', reference: 'references', asset: 'assets', other: 'other' } as const

const droppable = (title: string): { readonly drop?: number } => {
  if (title === 'other') return { drop: 3 }
  return title === 'assets' ? { drop: 2 } : {}
}

const skillColumns = [
  { title: 'skill', align: 'left', shrinks: 'middle' },
  { title: 'positive' },
  { title: 'negative' },
  ...Object.values(kinds).map((title) => ({ title, ...droppable(title) })),
  { title: 'unused tokens', drop: 1 },
] as const

const skillRow = (skill: SkillCoverage): readonly Cell[] => [
  { text: foreignLine(skill.name), tone: 'strong' },
  counted(skill.positives),
  counted(skill.negatives),
  ...(Object.keys(kinds) as PartKind[]).map((kind) => ofKind(skill, kind)),
  formatNumber(unusedOf(skill).reduce((sum, { tokens }) => sum + (tokens ?? 0), 0)),
]

const counted = (count: number): Cell => (count === 0 ? { text: '0', tone: 'bad' } : formatNumber(count))

const ofKind = ({ parts }: SkillCoverage, kind: PartKind): Cell => {
  const all = parts.filter((part) => part.kind === kind)
  const covered = all.filter(({ evidence }) => evidence !== null)
  if (all.length === 0) return UNKNOWN
  const text = kind === 'body' ? bodyText(all[0]?.evidence ?? null) : `${covered.length}/${all.length}`
  return covered.length < all.length ? { text, tone: 'bad' } : text
}

const bodyText = (evidence: Evidence | null): string => evidence ?? 'no'

const unusedOf = ({ parts }: SkillCoverage): readonly CoveredPart[] => parts.filter(({ evidence }) => evidence === null)

const partColumns = [
  { title: 'no eval uses', align: 'left', shrinks: 'middle' },
  { title: 'of', align: 'left', shrinks: 'middle' },
  { title: 'kind', align: 'left' },
  { title: 'tokens' },
] as const

const unusedRows = (skill: SkillCoverage): readonly (readonly Cell[])[] =>
  unusedOf(skill).map(({ path, kind, tokens }) => [
    foreignLine(path),
    foreignLine(skill.name),
    kind,
    tokens === null ? UNKNOWN : formatNumber(tokens),
  ])

const missingLines = ({ skills, similar }: Coverage): readonly string[] => {
  const named = (which: readonly SkillCoverage[]) =>
    [...which.slice(0, MAX_NAMES).map(({ name }) => foreignLine(name)), ...rest(which.length - MAX_NAMES)].join(', ')
  const silent = skills.filter(({ positives }) => positives === 0)
  // A skill that nobody expects has no near misses either: one line about it is enough.
  const eager = skills.filter(({ positives, negatives }) => positives > 0 && negatives === 0)
  return [
    ...(silent.length === 0 ? [] : [`no case expects: ${named(silent)}`]),
    ...(eager.length === 0 ? [] : [`no case in which it must not be selected: ${named(eager)}`]),
    ...similar
      .slice(0, MAX_PAIRS)
      .map(
        ({ skills: [a, b], overlap, shared_words }) =>
          `the descriptions of ${foreignLine(a)} and ${foreignLine(b)} share ${formatShare(overlap)} of their words: ${foreignLine(shared_words.join(', '))}`,
      ),
    ...(similar.length > MAX_PAIRS ? [`… and ${plural(similar.length - MAX_PAIRS, 'more pair')}`] : []),
  ]
}

const rest = (left: number): readonly string[] => (left > 0 ? [`… and ${formatNumber(left)} more`] : [])

const shareLine = ({ skills, parts, covered, share, min, runs }: Coverage): string => {
  const all = skills.flatMap((skill) => skill.parts)
  const by = (evidence: Evidence) => all.filter((part) => part.evidence === evidence).length
  const told = `${by('run')} used in ${plural(runs.length, 'stored run')}, ${by('expected')} only expected, ${by('named')} only named by a script`
  const gate = min === null ? '' : `; at least ${formatShare(min)}: ${share >= min ? 'met' : 'MISSED'}`
  return `coverage: ${formatNumber(covered)} of ${plural(parts, 'part')}, ${formatShare(share)} (${told})${gate}`
}
