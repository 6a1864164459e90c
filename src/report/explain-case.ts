import type { CaseResult, SuiteHead, TrialResult } from '../core/results.ts'
import { withNested } from '../core/trajectory.ts'
import type { ActionResult } from '../schema/run.ts'
import { actionLine } from './action-line.ts'
import { type CheckDetail, explainCheck } from './explain-check.ts'
import { foreignLine, foreignLines } from './foreign-text.ts'
import { plural } from './format-number.ts'
import type { Place } from './place-words.ts'
import { repeatCommand } from './repeat-command.ts'
import { stalePart } from './stale-part.ts'
import type { ToneLine } from './tone.ts'
import { valueLine } from './value-text.ts'

export type Detail = CheckDetail & {
  /** Where the command that repeats a case is to work. */
  readonly place?: Place
  readonly maxChecks: number
  /** The last ones are shown. */
  readonly maxActions: number
}

/**
 * Why a case has not passed, from the first trial that tells: the reason, the error, the checks that do not hold,
 * the last actions with what came of them, and the command that repeats just this case. Made as it is read.
 */
export function* explainCase(suite: SuiteHead, result: CaseResult, detail: Detail): Generator<ToneLine> {
  const trial = tellingTrial(result)
  if (trial !== undefined && hasActed(trial)) yield* asked(result, detail)
  yield* reasons(result, detail)
  if (trial !== undefined) {
    yield* failedChecks(trial, detail)
    yield* otherRequests(trial, detail)
    if (hasActed(trial)) yield* lastActions(withNested(trial.actions), detail)
  }
  yield { text: `repeat: ${repeatCommand(suite, result, detail.place)}`, tone: 'faint' }
}

/** What the agent was asked: without it nobody can say which skill should have been selected. */
function* asked({ input = [] }: CaseResult, { maxLength }: Detail): Generator<ToneLine> {
  const [first, ...rest] = input
  if (first === undefined) return
  const more = rest.length === 0 ? '' : ` (and ${plural(rest.length, 'message')} more)`
  yield { text: `asked: ${valueLine(first, maxLength)}${more}`, tone: 'faint' }
}

/** Without a recording that fits, the agent did not come to act. */
const hasActed = ({ status, error }: TrialResult): boolean => status !== 'stale' && error?.code !== 'missing_cassette'

/** The reason in one line, for lists and titles. */
export const shortReason = (result: CaseResult, maxLength = 200): string => {
  const trial = tellingTrial(result)
  const check = trial?.checks.find((one) => !one.passed)
  const checkText = check === undefined ? undefined : `${check.name}: ${check.message ?? 'does not hold'}`
  const [line] = (result.reason ?? trial?.reason ?? trial?.error?.message ?? checkText ?? '').trimStart().split('\n', 1)
  return foreignLine(line ?? '', maxLength)
}

/** The suite's and the case's name, and the model's where the suite has several. */
export const caseLabel = (suite: Pick<SuiteHead, 'name' | 'models'>, result: CaseResult): string =>
  `${foreignLine(suite.name)}/${foreignLine(result.id)}${suite.models.length > 1 ? ` [${foreignLine(result.model)}]` : ''}`

/** The first trial that ended as the case did, else the first that did not pass. */
export const tellingTrial = ({ status, trials }: CaseResult): TrialResult | undefined =>
  trials.find((trial) => trial.status === status) ?? trials.find((trial) => trial.status !== 'passed')

function* reasons(result: CaseResult, detail: Detail): Generator<ToneLine> {
  const trial = tellingTrial(result)
  const told = new Set<string>()
  function* say(text: string | undefined): Generator<ToneLine> {
    if (text === undefined || told.has(text) || isSaidByCheck(text, trial)) return
    told.add(text)
    for (const line of foreignLines(text, detail)) yield { text: line, tone: 'plain' }
  }
  if (trial?.error !== undefined) {
    const { code, message } = trial.error
    yield* say(`${code}: ${message}`)
    // A reason is the first line of it.
    for (const said of [message, `${code}: ${message.split('\n', 1)[0]}`]) told.add(said)
  }
  yield* say(result.reason)
  if (trial !== undefined && result.trials.length > 1) {
    yield { text: `trial ${trial.n} of ${result.trials.length}${result.flaky ? ' (flaky)' : ''}:`, tone: 'plain' }
  }
  yield* say(trial?.reason)
}

// The failed checks follow, each with its message; a reason quotes the first line of one.
const isSaidByCheck = (text: string, trial: TrialResult | undefined): boolean =>
  trial?.checks.some(({ passed, name, message = '' }) => {
    if (passed) return false
    const [first = ''] = message.split('\n', 1)
    const said = text.replace(/ \(\+\d+ more\)$/, '')
    return text === message || (said.length === name.length + first.length + 2 && said === `${name}: ${first}`)
  }) ?? false

function* failedChecks(trial: TrialResult, detail: Detail): Generator<ToneLine> {
  const failed = trial.checks.filter((check) => !check.passed)
  for (const check of failed.slice(0, detail.maxChecks)) yield* explainCheck(check, detail)
  const left = failed.length - detail.maxChecks
  if (left > 0) yield { text: `… ${plural(left, 'more failed check', 'more failed checks')}`, tone: 'faint' }
}

const MAX_PARTS = 3

/** Answers to other requests may be why it failed; what is stale has told in its reason how it differs. */
function* otherRequests({ cassette }: TrialResult, detail: Detail): Generator<ToneLine> {
  if (cassette?.mode !== 'positional') return
  yield { text: 'replayed by turn order, its requests have changed:', tone: 'warn' }
  const { differences = [] } = cassette
  // More is compared than is shown, so that the part shown is the part that differs.
  const compared = { maxLines: detail.maxLines * 20, maxLength: detail.maxLength }
  for (const difference of differences.slice(0, MAX_PARTS)) {
    const { name, change, diff } = stalePart(difference, (text) => foreignLines(text, compared))
    yield { text: `  ${foreignLine(name)}: ${change}`, tone: 'plain' }
    for (const { text, tone } of diff.slice(0, detail.maxLines)) yield { text: `    ${text}`, tone }
    const left = diff.length - detail.maxLines
    if (left > 0) yield { text: `    … ${plural(left, 'more line')}`, tone: 'faint' }
  }
  const told = new Set(differences.slice(0, MAX_PARTS).map(({ part }) => part))
  const others = cassette.stale_parts.filter((part) => !told.has(part))
  if (others.length > 0) yield { text: `  ${foreignLine(others.join(', '), detail.maxLength)}`, tone: 'plain' }
}

function* lastActions(actions: readonly ActionResult[], detail: Detail): Generator<ToneLine> {
  if (detail.maxActions === 0) return
  if (actions.length === 0) yield { text: 'no action was taken', tone: 'faint' }
  const shown = actions.slice(-detail.maxActions)
  if (shown.length > 0) {
    const of = shown.length < actions.length ? `last ${shown.length} of ${plural(actions.length, 'action')}` : 'actions'
    yield { text: `${of}:`, tone: 'faint' }
  }
  for (const action of shown) {
    yield { text: `  ${actionLine(action)}`, tone: action.status === 'ok' ? 'faint' : 'warn' }
    // What went well is of interest only at the end, and an answer is in its own line.
    if (action.status === 'ok' && (action !== shown.at(-1) || action.action === 'final_answer')) continue
    const seen = foreignLines(action.observation.trim(), { maxLines: 3, maxLength: detail.maxLength })
    for (const text of seen) if (text !== '') yield { text: `    ${text}`, tone: 'faint' }
  }
}
