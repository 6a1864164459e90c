import type { Change, ComparedCase, Comparison, GateResult, NumberChange } from '../schema/compare.ts'
import { foreignLine } from './foreign-text.ts'
import { formatCost, formatDuration, formatNumber, formatShare, plural, UNKNOWN } from './format-number.ts'
import type { Rows } from './summary-tables.ts'
import type { Cell } from './table.ts'
import type { Tone } from './tone.ts'

const changeRank: Readonly<Record<Change, number>> = { broken: 0, gone: 1, unjudged: 2, new: 3, fixed: 4, unchanged: 5 }
const changeTone: Readonly<Record<Change, Tone>> = {
  broken: 'bad',
  gone: 'warn',
  unjudged: 'warn',
  new: 'warn',
  fixed: 'good',
  unchanged: 'plain',
}

/** The cases that say something, the worst first: those that changed, and those whose rate or scores moved. */
export const changeRows = ({ cases }: Comparison, limit: number): Rows => {
  const isMatrix = new Set(cases.map(({ model }) => model)).size > 1
  const moved = cases
    .filter((one) => one.change !== 'unchanged' || (one.difference ?? 0) !== 0 || isSignificant(one) || isMissing(one))
    .sort((a, b) => rank(a) - rank(b))
  return {
    columns: [
      { title: 'change', align: 'left' },
      { title: 'case', align: 'left', shrinks: 'middle' },
      { title: 'base', align: 'left' },
      { title: 'head', align: 'left' },
      { title: 'p (Holm)' },
    ],
    rows: moved
      .slice(0, limit)
      .map((one) => [
        { text: one.change, tone: changeTone[one.change] },
        caseName(one, isMatrix),
        sideText(one.base),
        sideText(one.head),
        pText(one.p_adjusted),
      ]),
    left: Math.max(0, moved.length - limit),
  }
}

const rank = ({ golden, change }: ComparedCase): number => changeRank[change] - (golden ? 0.5 : 0)

/** A golden case that did not pass in HEAD misses its gate, also where it never did. */
const isMissing = ({ golden, head }: ComparedCase): boolean => golden && head?.status !== 'passed'

const isSignificant = ({ p_adjusted, score_p_adjusted }: ComparedCase): boolean =>
  (p_adjusted ?? 1) <= 0.05 || (score_p_adjusted ?? 1) <= 0.05

const caseName = ({ suite, id, model, golden }: ComparedCase, isMatrix: boolean): string =>
  `${foreignLine(suite)}/${foreignLine(id)}${isMatrix ? ` [${foreignLine(model)}]` : ''}${golden ? ' (golden)' : ''}`

const sideText = (side: ComparedCase['base']): string => {
  if (side === null) return UNKNOWN
  return side.trials > 1 ? `${side.status} ${formatShare(side.pass_rate)} of ${formatNumber(side.trials)}` : side.status
}

/** What else changed: trigger metrics, cost, tokens, latency. Rows that are unknown on both sides are left out. */
export const numberRows = ({ numbers }: Comparison): Rows => {
  const count = (value: number | null) => (value === null ? UNKNOWN : formatNumber(Math.round(value)))
  const time = (value: number | null) => (value === null ? UNKNOWN : formatDuration(value))
  const all: readonly NumberRow[] = [
    ['trigger precision', numbers.precision, formatShare],
    ['trigger recall', numbers.recall, formatShare],
    ['trigger F1', numbers.f1, formatShare],
    ['cost', numbers.cost_usd, formatCost],
    ['input tokens', numbers.input_tokens, count],
    ['output tokens', numbers.output_tokens, count],
    ['mean latency', numbers.latency_ms, time],
  ]
  return {
    columns: [{ title: '', align: 'left' }, { title: 'base' }, { title: 'head' }, { title: 'change' }],
    rows: all
      .filter(([, { base, head }]) => base !== null || head !== null)
      .map(([name, change, format]) => [
        name,
        format(change.base),
        format(change.head),
        format === formatShare ? pointsText(change.difference) : relativeText(change.relative),
      ]),
    left: 0,
  }
}

type NumberRow = readonly [name: string, change: NumberChange, format: (value: number | null) => string]

/** Every gate, the missed ones loud. */
export const gateRows = ({ gates, verdict }: Comparison): Rows => ({
  columns: [
    { title: 'gate', align: 'left' },
    { title: 'limit', align: 'left' },
    { title: 'actual', align: 'left' },
    { title: '', align: 'left' },
  ],
  rows: gates.map((gate) => [gateNames[gate.name], ...gateTexts(gate, verdict), outcome(gate, verdict)]),
  left: 0,
})

const gateNames: Readonly<Record<GateResult['name'], string>> = {
  golden: 'golden cases',
  max_regression: 'pass rate',
  max_cost: 'cost',
  new: 'new cases',
  gone: 'gone cases',
  verdict: 'verdict',
}

const gateTexts = ({ name, limit, actual }: GateResult, verdict: Comparison['verdict']): readonly [string, string] => {
  switch (name) {
    case 'verdict':
      return ['not worse', verdict === 'inconclusive' ? UNKNOWN : verdictWords[verdict]]
    case 'max_regression':
      return [`down by at most ${pointsText(limit).slice(1)}`, actual === null ? UNKNOWN : pointsText(0 - actual)]
    case 'max_cost':
      return [`at most ${relativeText(limit)}`, relativeText(actual)]
    case 'golden':
      return ['all pass', actual === 0 ? 'all pass' : `${plural(actual ?? 0, 'case')} not passed`]
    case 'new':
    case 'gone':
      return ['none', formatNumber(actual ?? 0)]
  }
}

const outcome = ({ name, passed }: GateResult, verdict: Comparison['verdict']): Cell => {
  if (!passed) return { text: 'MISSED', tone: 'bad' }
  // Nothing speaks against it, and nothing for it: the exit code is 6.
  return name === 'verdict' && verdict === 'inconclusive' ? { text: 'inconclusive', tone: 'warn' } : 'met'
}

export const verdictWords: Readonly<Record<Comparison['verdict'], string>> = {
  better: 'better',
  worse: 'worse',
  no_change: 'no change',
  inconclusive: 'inconclusive',
}

/** `2 broken, 1 fixed, 17 unchanged`; what there is none of is left out. */
export const countsText = ({ counts }: Comparison): string => {
  const order = ['broken', 'fixed', 'gone', 'new', 'unjudged', 'unchanged'] as const
  const told = order.flatMap((change) => (counts[change] === 0 ? [] : [`${formatNumber(counts[change])} ${change}`]))
  return told.length === 0 ? 'no cases' : told.join(', ')
}

/** The verdict and what it stands on, in sentences of one line each. */
export const verdictLines = (comparison: Comparison): readonly string[] => {
  const { verdict, paired, delta, tests } = comparison
  const { base, head, difference, interval, p, detectable } = paired
  if (verdict === 'no_change' && comparison.base.id === comparison.head.id)
    return [`no change: both are the same run, pass rate ${formatShare(base)}`]
  const range = interval === null ? '' : `, 95% interval ${intervalText(interval)}`
  const within = verdict === 'no_change' ? ` within ±${pointsText(delta).slice(1)}` : ''
  const scores = tests.scores.p === null ? '' : `, scores ${pText(tests.scores.p)}`
  const needed =
    detectable === null
      ? 'Fewer than six cases were judged in both runs: no difference could be shown.'
      : `The smallest difference that so many cases would probably (80%) have shown: ${pointsText(detectable).slice(1)}.`
  return [
    `${verdictWords[verdict]}${within}: pass rate ${formatShare(base)} → ${formatShare(head)} (${pointsText(difference)}${range})`,
    `over ${plural(paired.cases, 'case')} judged in both; p ${pText(p)}, verdicts ${pText(tests.verdicts.p)}${scores}`,
    ...(verdict === 'inconclusive' ? [needed] : []),
    ...adaptiveLines(paired),
  ]
}

/** What is wrong with rates of trials that ended because of how they came out. */
export const adaptiveLines = ({ adaptive = 0, cases }: Comparison['paired']): readonly string[] =>
  adaptive === 0
    ? []
    : [
        `Note: the trials of ${formatNumber(adaptive)} of ${plural(cases, 'case')} end as soon as they decide, so that rates lean towards the decision: --trials N runs a fixed number.`,
      ]

export const intervalText = ([low, high]: readonly [number, number]): string =>
  `${pointsText(low).replace(/ points?$/, '')} to ${pointsText(high)}`

/** `+5 points`, `-2.5 points`; `±0 points`. */
export const pointsText = (share: number | null): string => {
  if (share === null) return UNKNOWN
  const points = Number((share * 100).toFixed(1))
  return `${signOf(points)}${Math.abs(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`
}

const relativeText = (share: number | null): string => {
  if (share === null) return UNKNOWN
  const percent = Number((share * 100).toFixed(1))
  return `${signOf(percent)}${Math.abs(percent)}%`
}

const signOf = (value: number): string => {
  if (value === 0) return '±'
  return value > 0 ? '+' : '-'
}

export const pText = (p: number | null): string => {
  if (p === null) return UNKNOWN
  return p < 0.001 ? '<0.001' : p.toFixed(3)
}
