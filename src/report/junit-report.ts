import type { Reporter } from '../core/ports.ts'
import type { CaseResult, RunHead, SuiteHead, Summary, TrialResult } from '../core/results.ts'
import { withNested } from '../core/trajectory.ts'
import { actionLine } from './action-line.ts'
import { type AuditOfCase, auditOfCases } from './audit-tables.ts'
import { baselineLines } from './baseline-tables.ts'
import { expectedFailure } from './expected-failures.ts'
import { explainCase, shortReason, tellingTrial } from './explain-case.ts'
import { foreignLine } from './foreign-text.ts'
import { type Place, placeOf } from './place-words.ts'
import { takeLines } from './take-lines.ts'
import { xmlText } from './xml-text.ts'

const MAX_TEXT_BYTES = 32 * 1024
const MAX_NAME = 1000
const DETAIL = { maxChecks: 100, maxActions: 0, maxLines: 200, maxLength: 1000 }

/**
 * JUnit XML as Jenkins and GitLab read it: `testsuites > testsuite (suite × model) > testcase`. A stale case is an
 * `error` of type `stale`. Of each case at most 64 KiB of text; a number that is not known has no property.
 */
export const junitReporter = (): Reporter => {
  let timestamp = ''
  let suite: SuiteHead | undefined
  let model: string | undefined
  let audited: ReturnType<typeof auditOfCases> = () => ({})
  let baseline: Properties = []
  let place: Place | undefined
  const closeSuite = () => (model === undefined ? '' : '</testsuite>\n')
  return {
    start: (run) => {
      audited = auditOfCases(run)
      place = placeOf(run)
      baseline = baselineProperties(run)
      timestamp = run.started_at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)
      return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes(runAttributes(run, timestamp))}>\n`
    },
    suite: (head) => {
      const before = closeSuite()
      suite = head
      model = undefined
      return before
    },
    result: (result) => {
      if (suite === undefined) return ''
      const before =
        result.model === model ? '' : `${closeSuite()}${suiteStart(suite, result.model, timestamp, baseline)}`
      model = result.model
      return before + testcase(suite, result, audited(suite.name, result), place)
    },
    end: () => `${closeSuite()}</testsuites>\n`,
  }
}

const runAttributes = (run: RunHead, timestamp: string) => ({
  name: run.tool.name,
  ...counts(run.summary),
  time: seconds(run.duration_ms),
  timestamp,
})

const suiteStart = (suite: SuiteHead, model: string, timestamp: string, baseline: Properties): string => {
  const one = suite.models.find((found) => found.model === model)
  const head = {
    name: suiteName(suite, model),
    ...counts(one?.summary ?? suite.summary),
    // Some readers make a suite of no duration of one that does not say it.
    ...(one === undefined ? {} : { time: seconds(one.duration_ms) }),
    timestamp,
    file: suite.path,
  }
  return `<testsuite${attributes(head)}>\n${properties([['model', model], ...about(suite), ...baseline])}`
}

type Properties = readonly (readonly [string, string])[]

// The lift is that of the whole run; readers look for properties in suites and cases only.
const baselineProperties = ({ baseline }: RunHead): Properties => {
  if (baseline === undefined) return []
  const [verdict] = baselineLines(baseline)
  const { gate } = baseline
  return [['baseline', verdict?.text ?? ''], ...(gate === undefined ? [] : [['baseline_gate', gate.result] as const])]
}

const about = ({ description }: SuiteHead): Properties =>
  description === undefined ? [] : [['description', description]]

const suiteName = (suite: SuiteHead, model: string): string =>
  suite.models.length > 1 ? `${suite.name} [${model}]` : suite.name

const counts = ({ cases, failed, errors, stale, skipped }: Summary) => ({
  tests: cases,
  failures: failed,
  errors: errors + stale,
  skipped,
})

const testcase = (
  suite: SuiteHead,
  result: CaseResult,
  { vacuous, weak }: AuditOfCase,
  place: Place | undefined,
): string => {
  const head = {
    name: result.id,
    classname: suiteName(suite, result.model),
    file: suite.path,
    ...(result.line === undefined ? {} : { line: result.line }),
    time: seconds(result.trials.reduce((sum, { duration_ms }) => sum + duration_ms, 0)),
  }
  const own = properties([
    ...facts(result),
    ...(vacuous === undefined ? [] : [['audit', vacuous] as const]),
    ...(weak === undefined ? [] : [['audit_weak', weak] as const]),
  ])
  return `<testcase${attributes(head)}>\n${own}${verdict(suite, result, place)}${systemOut(result)}</testcase>\n`
}

const facts = (result: CaseResult): Properties => {
  const { trials, pass_rate, flaky, tags, baseline } = result
  const xfail = expectedFailure(result)
  const skills = new Set(trials.flatMap((trial) => trial.skills_selected))
  const numbers = {
    trials: trials.length,
    pass_rate,
    score: mean(trials.map(({ score }) => score).filter((score) => score !== null)),
    input_tokens: total(trials, ({ usage }) => usage.input_tokens),
    output_tokens: total(trials, ({ usage }) => usage.output_tokens),
    cost_usd: total(trials, ({ cost_usd }) => cost_usd),
    baseline_pass_rate: baseline?.pass_rate ?? null,
    lift: baseline?.lift ?? null,
  }
  return [
    ...Object.entries(numbers).flatMap(([name, value]) => (value === null ? [] : [[name, rounded(value)] as const])),
    ['flaky', String(flaky)],
    ...(skills.size === 0 ? [] : [['skills_selected', [...skills].join(', ')] as const]),
    ...(tags.length === 0 ? [] : [['tags', tags.join(', ')] as const]),
    ...(xfail === undefined ? [] : [['xfail', xfail] as const]),
  ]
}

// What was not run used nothing that could be told; a sum over the rest would pass for the whole.
const total = (trials: readonly TrialResult[], of: (trial: TrialResult) => number | null): number | null =>
  trials.length === 0 ? null : trials.map(of).reduce((sum, n) => (sum === null || n === null ? null : sum + n), 0)

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

const rounded = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toFixed(6)))

const verdict = (suite: SuiteHead, result: CaseResult, place: Place | undefined): string => {
  const { status } = result
  const message = shortReason(result, MAX_NAME)
  switch (status) {
    case 'passed':
      return ''
    case 'skipped':
      return `<skipped${attributes({ message })}/>\n`
    case 'failed': {
      const check = tellingTrial(result)?.checks.find(({ passed }) => !passed)
      return problem('failure', { message, type: check?.kind ?? 'failed' }, suite, result, place)
    }
    case 'error':
      return problem('error', { message, type: tellingTrial(result)?.error?.code ?? 'error' }, suite, result, place)
    case 'stale':
      return problem('error', { message, type: 'stale' }, suite, result, place)
  }
}

const problem = (
  element: 'failure' | 'error',
  head: Readonly<Record<string, string>>,
  suite: SuiteHead,
  result: CaseResult,
  place: Place | undefined,
): string =>
  `<${element}${attributes(head)}>${takeLines(escaped(explanation(suite, result, place)), MAX_TEXT_BYTES)}</${element}>\n`

function* explanation(suite: SuiteHead, result: CaseResult, place: Place | undefined): Generator<string> {
  for (const { text } of explainCase(suite, result, { ...DETAIL, ...(place ? { place } : {}) })) yield text
}

// Parsers in the wild read only the first system-out, so all trials share one.
const systemOut = (result: CaseResult): string =>
  result.trials.length === 0
    ? ''
    : `<system-out>${takeLines(escaped(trajectory(result)), MAX_TEXT_BYTES)}</system-out>\n`

function* trajectory(result: CaseResult): Generator<string> {
  const { trials } = result
  const xfail = expectedFailure(result)
  if (xfail !== undefined) yield foreignLine(xfail, MAX_NAME)
  for (const { n, status, reason, actions } of trials) {
    yield `trial ${n}: ${status}${reason === undefined ? '' : ` (${foreignLine(reason, MAX_NAME)})`}`
    for (const action of withNested(actions)) yield `  ${actionLine(action)}`
  }
}

function* escaped(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield xmlText(line.replace(ATTACHMENT, '[ ['))
}

// `[[ATTACHMENT|path]]` and `[[PROPERTY|…]]` in what a test prints are obeyed: Jenkins and GitLab fetch that file.
const ATTACHMENT = /\[\[(?=\/?\w+[|\]])/g

const properties = (entries: Properties): string =>
  `<properties>${entries.map(([name, value]) => `<property name="${name}" value="${quoted(value)}"/>`).join('')}</properties>\n`

const attributes = (values: Readonly<Record<string, string | number>>): string => {
  let text = ''
  for (const name of Object.keys(values)) text += ` ${name}="${quoted(String(values[name]))}"`
  return text
}

const quoted = (value: string): string => xmlText(foreignLine(value, MAX_NAME))

const seconds = (ms: number): string => (Number.isFinite(ms) && ms > 0 ? ms / 1000 : 0).toFixed(3)
