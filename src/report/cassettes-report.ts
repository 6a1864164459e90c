import type { Cassette, CassetteTurn } from '../schema/cassette.ts'
import { foreignLine, foreignLines } from './foreign-text.ts'
import { formatNumber, plural } from './format-number.ts'
import { loadTable } from './table.ts'
import { painter, type Tone } from './tone.ts'

export type CassetteRow = {
  readonly path: string
  readonly bytes: number
  readonly cassette?: Cassette
  readonly state: string
  readonly reason?: string
}

/** What `cassettes list` prints. */
export const cassettesListText = async (
  rows: readonly CassetteRow[],
  options: { readonly color: boolean; readonly width: number },
): Promise<string> => {
  if (rows.length === 0) return '0 recordings\n'
  const layTable = await loadTable(options.width, painter(options.color))
  return `${layTable(columns, rows.map(cells))}\n${plural(rows.length, 'recording')}\n`
}

const columns = [
  { title: 'case', align: 'left', shrinks: 'middle' },
  { title: 'profile', align: 'left' },
  { title: 'recorded', align: 'left' },
  { title: 'trials' },
  { title: 'turns' },
  { title: 'bytes' },
  { title: '', align: 'left', shrinks: 'end' },
] as const

const cells = ({ path, bytes, cassette, state, reason }: CassetteRow) => {
  const told = state === 'ok' ? '' : { text: `${state}: ${foreignLine(reason ?? '')}`, tone: 'warn' as const }
  if (cassette === undefined) return [foreignLine(path), '', '', '', '', formatNumber(bytes), told]
  const turns = cassette.trials.reduce((sum, trial) => sum + trial.turns.length, 0)
  return [
    `${foreignLine(cassette.suite)}/${foreignLine(cassette.case)}`,
    profileOf(cassette),
    foreignLine(cassette.recorded),
    formatNumber(cassette.trials.length),
    formatNumber(turns),
    formatNumber(bytes),
    told,
  ]
}

/** With the arm, where it is of a baseline. */
const profileOf = ({ profile, arm }: Cassette): string =>
  `${foreignLine(profile)}${arm === undefined ? '' : ` ${foreignLine(arm)}`}`

/** What `cassettes verify` and `cassettes diff` print: what is wrong, each with its reason, and a count. */
export const checkedCassettesText = (
  rows: readonly CassetteRow[],
  options: { readonly color: boolean; readonly isBrief: boolean },
): string => {
  const paint = painter(options.color)
  const lines = rows
    .filter(({ state }) => state !== 'ok')
    .flatMap(({ path, state, reason = '' }) => {
      const [first = '', ...more] = foreignLines(reason, { maxLines: options.isBrief ? 3 : 200, maxLength: 500 })
      return [`${paint(state, toneOf(state))} ${foreignLine(path)}`, ...[first, ...more].map((line) => `  ${line}`)]
    })
  const counts = new Map<string, number>()
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1)
  const told = [...counts].map(([state, count]) => `${formatNumber(count)} ${state}`)
  return `${[...lines, `${plural(rows.length, 'recording')}${told.length === 0 ? '' : `: ${told.join(', ')}`}`].join('\n')}\n`
}

const toneOf = (state: string): Tone => (state === 'stale' || state === 'orphan' ? 'warn' : 'bad')

const SHOWN = { maxLines: 40, maxLength: 500 }

/** What `cassettes show` prints: the conversation of each trial. */
export const cassetteText = (path: string, cassette: Cassette, options: { readonly color: boolean }): string => {
  const paint = painter(options.color)
  const lines = [
    paint(`${foreignLine(cassette.suite)}/${foreignLine(cassette.case)} on ${profileOf(cassette)}`, 'strong'),
    `${foreignLine(path)}, recorded ${foreignLine(cassette.recorded)}`,
  ]
  for (const [i, trial] of cassette.trials.entries()) {
    lines.push('', paint(`trial ${i + 1}`, 'strong'))
    for (const [n, turn] of trial.turns.entries()) lines.push(...turnLines(n + 1, turn, paint))
  }
  return `${lines.join('\n')}\n`
}

const turnLines = (n: number, { messages, answer }: CassetteTurn, paint: ReturnType<typeof painter>): string[] => {
  const { input_tokens: input, output_tokens: output } = answer.usage
  const lines: string[] = []
  for (const { part, label, text } of messages) {
    lines.push(paint(`  ${foreignLine(part)}${label === undefined ? '' : ` (${foreignLine(label)})`}`, 'faint'))
    lines.push(...foreignLines(text, SHOWN).map((line) => `    ${line}`))
  }
  const tokens = `${input === null ? '–' : formatNumber(input)} in, ${output === null ? '–' : formatNumber(output)} out`
  lines.push(paint(`  answer ${n} of ${foreignLine(answer.model)} (${tokens})`, 'faint'))
  if (answer.text !== '') lines.push(...foreignLines(answer.text, SHOWN).map((line) => `    ${line}`))
  for (const { name, input: given } of answer.actions) {
    lines.push(`    → ${foreignLine(name)} ${foreignLine(JSON.stringify(given) ?? '', 500)}`)
  }
  return lines
}
