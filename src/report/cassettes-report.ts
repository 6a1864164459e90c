import type { Cassette, CassetteAnswer, CassetteJudgeCall, CassetteTurn } from '../schema/cassette.ts'
import { foreignLine, foreignLines } from './foreign-text.ts'
import { formatNumber, plural } from './format-number.ts'
import { type Cell, type Column, loadTable } from './table.ts'
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
  const isJudged = rows.some(({ cassette }) => judgedCount(cassette) > 0)
  return `${layTable(
    columnsOf(isJudged),
    rows.map((row) => cells(row, isJudged)),
  )}\n${plural(rows.length, 'recording')}\n`
}

const columnsOf = (isJudged: boolean): readonly Column[] => [
  { title: 'case', align: 'left', shrinks: 'middle' },
  { title: 'profile', align: 'left' },
  { title: 'recorded', align: 'left' },
  { title: 'trials' },
  { title: 'turns' },
  ...(isJudged ? [{ title: 'judged' }] : []),
  { title: 'bytes' },
  { title: '', align: 'left', shrinks: 'end' },
]

const judgedCount = (cassette: Cassette | undefined): number =>
  (cassette?.trials ?? []).reduce((sum, { judge = [] }) => sum + judge.length, 0)

const cells = ({ path, bytes, cassette, state, reason }: CassetteRow, isJudged: boolean): readonly Cell[] => {
  const told = state === 'ok' ? '' : { text: `${state}: ${foreignLine(reason ?? '')}`, tone: 'warn' as const }
  const judged = isJudged ? [formatNumber(judgedCount(cassette))] : []
  if (cassette === undefined) {
    return [foreignLine(path), '', '', '', '', ...(isJudged ? [''] : []), formatNumber(bytes), told]
  }
  const turns = cassette.trials.reduce((sum, trial) => sum + trial.turns.length, 0)
  return [
    `${foreignLine(cassette.suite)}/${foreignLine(cassette.case)}`,
    profileOf(cassette),
    foreignLine(cassette.recorded),
    formatNumber(cassette.trials.length),
    formatNumber(turns),
    ...judged,
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
    for (const [n, call] of (trial.judge ?? []).entries()) lines.push(...judgeLines(n + 1, call, cassette, paint))
  }
  return `${lines.join('\n')}\n`
}

/** What the judge was asked of this trial, and its verdicts; what it is told each time is left out. */
const judgeLines = (
  n: number,
  { request, answer }: CassetteJudgeCall,
  { parts }: Cassette,
  paint: ReturnType<typeof painter>,
): string[] => {
  const shown = ['judge:criteria', 'judge:material', 'judge:repair'].flatMap((name) => {
    const text = Object.hasOwn(request, name) ? parts.judge?.[request[name] ?? ''] : undefined
    return text === undefined
      ? []
      : [paint(`  ${name}`, 'faint'), ...foreignLines(text, SHOWN).map((line) => `    ${line}`)]
  })
  return [...shown, ...answerLines(`judge's answer ${n}`, answer, paint)]
}

const turnLines = (
  n: number,
  { agent, messages, answer }: CassetteTurn,
  paint: ReturnType<typeof painter>,
): string[] => {
  const lines: string[] = []
  for (const { part, label, text } of messages) {
    lines.push(paint(`  ${foreignLine(part)}${label === undefined ? '' : ` (${foreignLine(label)})`}`, 'faint'))
    lines.push(...foreignLines(text, SHOWN).map((line) => `    ${line}`))
  }
  const who = agent === undefined ? '' : ` to ${foreignLine(agent)}`
  return [...lines, ...answerLines(`answer ${n}${who}`, answer, paint)]
}

const answerLines = (title: string, answer: CassetteAnswer, paint: ReturnType<typeof painter>): string[] => {
  const { input_tokens: input, output_tokens: output } = answer.usage
  const lines: string[] = []
  const tokens = `${input === null ? '–' : formatNumber(input)} in, ${output === null ? '–' : formatNumber(output)} out`
  lines.push(paint(`  ${title} of ${foreignLine(answer.model)} (${tokens})`, 'faint'))
  if (answer.text !== '') lines.push(...foreignLines(answer.text, SHOWN).map((line) => `    ${line}`))
  for (const { name, input: given } of answer.actions) {
    lines.push(`    → ${foreignLine(name)} ${foreignLine(JSON.stringify(given) ?? '', 500)}`)
  }
  return lines
}
