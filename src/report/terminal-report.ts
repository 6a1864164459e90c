import type { Reporter } from '../core/ports.ts'
import type { CaseResult, RunHead, SuiteHead } from '../core/results.ts'
import { auditLine, auditRows, isAuditMissed } from './audit-tables.ts'
import { baselineLines, caseLiftRows, type LiftRows, noSignalRows, skillLiftRows } from './baseline-tables.ts'
import { expectedFailures } from './expected-failures.ts'
import { caseLabel, explainCase, shortReason } from './explain-case.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber } from './format-number.ts'
import { type Place, placeOf } from './place-words.ts'
import { positionalCases } from './positional-cases.ts'
import { statusWords } from './status-word.ts'
import {
  confusionRows,
  interferenceRows,
  type Room,
  type Rows,
  spendingParts,
  suiteRows,
  thresholdRows,
  triggerRows,
} from './summary-tables.ts'
import { type LayTable, loadTable } from './table.ts'
import { fitEnd, linesOf } from './text-width.ts'
import { type Paint, painter } from './tone.ts'
import { isGood, verdictLine } from './verdict-line.ts'
import { isProblem, worstFirst } from './worst-first.ts'

const MAX_FULL = 20
const MAX_LISTED = 200
const MAX_ROWS = 40
const MAX_RECAP = 5
const MAX_FLAKY = 10
const MAX_LIFTS = 20
const DETAIL = { maxChecks: 10, maxActions: 6, maxLines: 20, maxLength: 300 }

/**
 * What is printed when a run has ended: problems as they come (20 in full, then a line each up to 200, then their
 * number), the tables, and last the worst problems again in a line each and the verdict, so that a failure needs no
 * scrolling back. `width` is that of the terminal in columns; `color` whether to colour.
 */
export const terminalReporter = async (options: {
  readonly color: boolean
  readonly width: number
}): Promise<Reporter> => {
  const paint = painter(options.color)
  const layTable = await loadTable(options.width, paint)
  const worst = worstFirst<string>(MAX_RECAP)
  const flaky: string[] = []
  const positional = positionalCases()
  const xfails = expectedFailures()
  const lifts = caseLiftRows(MAX_LIFTS)
  let run: RunHead | undefined
  let suite: SuiteHead | undefined
  return {
    start: (head) => {
      run = head
      return ''
    },
    suite: (head) => {
      suite = head
      return ''
    },
    result: (result) => {
      const at = suite
      if (at === undefined) return ''
      positional.add(result)
      xfails.add(at, result)
      lifts.add(at, result)
      if (result.flaky && flaky.length <= MAX_FLAKY) flaky.push(caseLabel(at, result))
      if (!isProblem(result)) return ''
      const line = () => problemLine(at, result, options.width, paint)
      worst.add(result, line)
      if (worst.count() <= MAX_FULL) return inFull(at, result, paint, run && placeOf(run))
      return worst.count() <= MAX_LISTED ? line() : ''
    },
    end: () => {
      if (run === undefined) return ''
      const parts = [
        ...tables(run, layTable, { limit: MAX_ROWS, narrow: options.width < 60, width: options.width }, paint),
        flakyLine(flaky, options.width, paint),
        xfails
          .lines()
          .map((line) => `${paint(fitEnd(line, Math.max(options.width, 40)), 'faint')}\n`)
          .join(''),
        ...baselineParts(run, lifts, layTable, paint),
        positionalLine(positional.line(), paint),
        worst.list().join('') + leftOut(worst.count() - MAX_RECAP),
        verdict(run, options.width, paint),
      ]
      return listEnd(worst.count()) + parts.filter((part) => part !== '').join('\n')
    },
  }
}

const leftOut = (problems: number): string => (problems > 0 ? `… and ${formatNumber(problems)} more\n` : '')

const listEnd = (problems: number): string => {
  const left = problems - MAX_LISTED
  const rest = left > 0 ? `… and ${formatNumber(left)} more\n` : ''
  return problems > MAX_FULL ? `${rest}\n` : rest
}

const inFull = (suite: SuiteHead, result: CaseResult, paint: Paint, place: Place | undefined): string => {
  const at = foreignLine(`${suite.path}${result.line === undefined ? '' : `:${result.line}`}`, 1000)
  const { word, tone } = statusWords[result.status]
  const title = `${paint(word, tone)} ${paint(caseLabel(suite, result), 'strong')}  ${paint(at, 'faint')}\n`
  let text = title
  for (const line of explainCase(suite, result, { ...DETAIL, ...(place ? { place } : {}) }))
    text += `  ${paint(line.text, line.tone)}\n`
  return `${text}\n`
}

const problemLine = (suite: SuiteHead, result: CaseResult, width: number, paint: Paint): string => {
  const { word, tone } = statusWords[result.status]
  const rest = fitEnd(`${caseLabel(suite, result)}  ${shortReason(result)}`.trimEnd(), Math.max(width, 40) - 6)
  return `${paint(word.padEnd(5), tone)} ${rest}\n`
}

const baselineParts = ({ baseline }: RunHead, lifts: LiftRows, layTable: LayTable, paint: Paint): readonly string[] => {
  if (baseline === undefined) return []
  return [
    ...[noSignalRows(baseline, MAX_LIFTS), skillLiftRows(baseline, MAX_ROWS), lifts.rows()].map((rows) =>
      laid(rows, layTable, paint),
    ),
    baselineLines(baseline)
      .map(({ text, tone }) => `${paint(text, tone)}\n`)
      .join(''),
  ]
}

const laid = ({ columns, rows, left }: Rows, layTable: LayTable, paint: Paint): string =>
  rows.length === 0 ? '' : layTable(columns, rows) + (left > 0 ? paint(`… and ${left} more\n`, 'faint') : '')

const tables = (
  run: RunHead,
  layTable: LayTable,
  room: Room & { readonly width: number },
  paint: Paint,
): readonly string[] => {
  const { width } = room
  const lay = (rows: Rows) => laid(rows, layTable, paint)
  const { summary } = run
  return [
    lay(suiteRows(run, room)),
    lay(triggerRows(summary, room)),
    lay(confusionRows(summary, room)),
    lay(interferenceRows(run, room)),
    lay(thresholdRows(run, room)),
    lay(auditRows(run, room)),
    auditText(run, paint),
    linesOf(spendingParts(summary), '  ', width)
      .map((line) => `${paint(line, 'faint')}\n`)
      .join(''),
  ]
}

const auditText = (run: RunHead, paint: Paint): string => {
  const line = auditLine(run)
  return line === '' ? '' : `${paint(line, isAuditMissed(run) ? 'bad' : 'faint')}\n`
}

const verdict = (run: RunHead, width: number, paint: Paint): string =>
  linesOf(verdictLine(run).split(' '), ' ', width)
    .map((line) => `${paint(line, isGood(run) ? 'good' : 'bad')}\n`)
    .join('')

const positionalLine = (line: string, paint: Paint): string => (line === '' ? '' : `${paint(line, 'warn')}\n`)

const flakyLine = (flaky: readonly string[], width: number, paint: Paint): string => {
  if (flaky.length === 0) return ''
  const more = flaky.length > MAX_FLAKY ? ' …' : ''
  return `${paint(fitEnd(`flaky: ${flaky.slice(0, MAX_FLAKY).join(', ')}${more}`, Math.max(width, 40) * 2), 'warn')}\n`
}
