import type { Reporter } from '../core/ports.ts'
import type { CaseResult, RunHead, SuiteHead } from '../core/results.ts'
import { auditLine, auditRows } from './audit-tables.ts'
import { baselineLines, caseLiftRows, noSignalRows, skillLiftRows } from './baseline-tables.ts'
import { expectedFailures } from './expected-failures.ts'
import { explainCase, shortReason } from './explain-case.ts'
import { foreignLine } from './foreign-text.ts'
import { plural } from './format-number.ts'
import { rowsAsMarkdown } from './markdown-rows.ts'
import { codeBlock, codeSpan } from './markdown-text.ts'
import { type Place, placeOf } from './place-words.ts'
import { positionalCases } from './positional-cases.ts'
import {
  confusionRows,
  interferenceRows,
  spendingLine,
  suiteRows,
  thresholdRows,
  triggerRows,
} from './summary-tables.ts'
import { takeLines } from './take-lines.ts'
import { isGood, verdictLine } from './verdict-line.ts'
import { isProblem } from './worst-first.ts'

/** What a step's summary on GitHub may take; more is refused as a whole. */
const MAX_BYTES = 1024 * 1024
const NOTE_BYTES = 200
const MAX_FULL = 50
const MAX_CASE_BYTES = 8 * 1024
const MAX_DESCRIPTION = 500
const ROOM = { limit: 200 }
const DETAIL = { maxChecks: 10, maxActions: 6, maxLines: 20, maxLength: 300 }

/**
 * summary.md, in GitHub's Markdown: verdict, tables, then each problem with its reason. What others wrote stands in
 * code spans and blocks only, so nothing of it becomes markup. At most 1 MiB, with a note of what was left out.
 */
export const markdownReporter = (): Reporter => {
  let suite: SuiteHead | undefined
  let place: Place | undefined
  const positional = positionalCases()
  const xfails = expectedFailures()
  const lifts = caseLiftRows(ROOM.limit)
  let problems = 0
  let omitted = 0
  let left = MAX_BYTES - NOTE_BYTES
  const fitting = (text: string): string => {
    const bytes = Buffer.byteLength(text)
    if (bytes > left) {
      omitted++
      return ''
    }
    left -= bytes
    return text
  }
  return {
    start: (run) => {
      place = placeOf(run)
      return head(run).map(fitting).join('')
    },
    suite: (next) => {
      suite = next
      return ''
    },
    result: (result) => {
      positional.add(result)
      if (suite !== undefined) {
        lifts.add(suite, result)
        xfails.add(suite, result)
      }
      if (suite === undefined || !isProblem(result)) return ''
      const title = problems++ === 0 ? '\n## Problems\n' : ''
      return title + fitting(problems > MAX_FULL ? inShort(suite, result) : inFull(suite, result, place))
    },
    end: () => {
      const line = positional.line()
      const told = line === '' ? '' : fitting(`\n${codeSpan(line)}\n`)
      const expected = xfails
        .lines()
        .map((text) => `- ${codeSpan(text)}\n`)
        .join('')
      const failures = expected === '' ? '' : fitting(`\n## Expected failures\n\n${expected}`)
      const more = omitted === 0 ? '' : `\n… and ${plural(omitted, 'more problem')} left out to stay within 1 MiB.\n`
      return fitting(rowsAsMarkdown('Lift by case', lifts.rows())) + failures + told + more
    },
  }
}

const head = (run: RunHead): readonly string[] => {
  const { summary } = run
  return [
    `# ${isGood(run) ? 'Passed' : 'Not passed'}\n\n${verdictLine(run)}\n`,
    rowsAsMarkdown('Suites', suiteRows(run, ROOM)),
    descriptions(run),
    rowsAsMarkdown('Skills', triggerRows(summary, ROOM)),
    rowsAsMarkdown('Wrong selections', confusionRows(summary, ROOM)),
    rowsAsMarkdown('Skills mistaken for each other', interferenceRows(run, ROOM)),
    rowsAsMarkdown('Thresholds', thresholdRows(run, ROOM)),
    rowsAsMarkdown('Audit', auditRows(run, ROOM)),
    auditLine(run) === '' ? '' : `\n${codeSpan(auditLine(run))}\n`,
    `\n${codeSpan(spendingLine(summary))}\n`,
    ...baseline(run),
  ]
}

const baseline = ({ baseline: found }: RunHead): readonly string[] => {
  if (found === undefined) return []
  const lines = baselineLines(found).map(({ text }) => `- ${codeSpan(text)}\n`)
  return [
    `\n## Baseline\n\n${lines.join('')}`,
    rowsAsMarkdown('Lift by skill', skillLiftRows(found, ROOM.limit)),
    rowsAsMarkdown('Checks that show nothing', noSignalRows(found, ROOM.limit)),
  ]
}

const descriptions = ({ suites }: RunHead): string => {
  const lines = suites.slice(0, ROOM.limit).flatMap(({ name, description }) => {
    if (description === undefined) return []
    return [`- ${codeSpan(foreignLine(name))}: ${codeSpan(foreignLine(description, MAX_DESCRIPTION))}\n`]
  })
  return lines.length === 0 ? '' : `\n${lines.join('')}`
}

const inFull = (suite: SuiteHead, result: CaseResult, place: Place | undefined): string => {
  const at = foreignLine(`${suite.path}${result.line === undefined ? '' : `:${result.line}`}`, 1000)
  const lines = takeLines(texts(suite, result, place), MAX_CASE_BYTES)
  return `\n### ${title(suite, result)}\n\n${codeSpan(at)}\n\n${codeBlock(lines)}`
}

const inShort = (suite: SuiteHead, result: CaseResult): string => {
  const reason = shortReason(result)
  return `- ${title(suite, result)}${reason === '' ? '' : `: ${codeSpan(reason)}`}\n`
}

const title = (suite: SuiteHead, result: CaseResult): string => {
  const model = suite.models.length > 1 ? ` on ${codeSpan(foreignLine(result.model))}` : ''
  return `${result.status}: ${codeSpan(`${foreignLine(suite.name)}/${foreignLine(result.id)}`)}${model}`
}

function* texts(suite: SuiteHead, result: CaseResult, place: Place | undefined): Generator<string> {
  for (const { text } of explainCase(suite, result, { ...DETAIL, ...(place ? { place } : {}) })) yield text
}
