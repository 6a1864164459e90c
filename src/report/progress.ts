import type { CaseResult } from '../core/results.ts'
import { expectedFailure } from './expected-failures.ts'
import { shortReason } from './explain-case.ts'
import { foreignLine } from './foreign-text.ts'
import { formatCost, formatDuration, formatNumber, plural } from './format-number.ts'
import { statusWords } from './status-word.ts'
import { fitEnd, textWidth } from './text-width.ts'
import { painter, type ToneLine } from './tone.ts'

export type Progress = {
  readonly done: number
  readonly total: number
  /** Cases that are running now, `suite/case`. */
  readonly running: readonly string[]
  readonly failed: number
  readonly errors: number
  /** So far; null where a price is not known. */
  readonly costUsd: number | null
  readonly elapsedMs: number
  /** Columns of the terminal. */
  readonly width: number
  readonly color: boolean
}

/** The live line: cases done, what is wrong so far, cost, time gone and left, what is running; never wider than `width`. */
export const progressLine = (progress: Progress): string => {
  const { done, total, running, failed, errors, costUsd, elapsedMs, width, color } = progress
  const pieces: ToneLine[] = [{ text: `${formatNumber(done)}/${formatNumber(total)} cases`, tone: 'strong' }]
  if (failed > 0) pieces.push({ text: `${formatNumber(failed)} failed`, tone: 'bad' })
  if (errors > 0) pieces.push({ text: plural(errors, 'error'), tone: 'bad' })
  if (costUsd !== null && costUsd > 0) pieces.push({ text: formatCost(costUsd), tone: 'plain' })
  pieces.push({ text: times(done, total, elapsedMs), tone: 'plain' })
  if (running.length > 0) pieces.push({ text: runningText(running), tone: 'faint' })
  return joinWithin(pieces, width, color)
}

const times = (done: number, total: number, elapsedMs: number): string => {
  const elapsed = formatDuration(elapsedMs)
  if (done === 0 || done >= total) return elapsed
  return `${elapsed}, about ${formatDuration((elapsedMs / done) * (total - done))} left`
}

const MAX_RUNNING = 8

const runningText = (running: readonly string[]): string => {
  const names = running.slice(0, MAX_RUNNING).map((name) => foreignLine(name))
  return `${formatNumber(running.length)} running: ${names.join(', ')}${running.length > MAX_RUNNING ? ' …' : ''}`
}

const joinWithin = (pieces: readonly ToneLine[], width: number, color: boolean): string => {
  const paint = painter(color)
  const shown: string[] = []
  let left = width
  for (const { text, tone } of pieces) {
    if (shown.length > 0) left -= 2
    const fitted = fitEnd(text, left)
    // A scrap of a number says something else: only the names of what is running may be cut.
    if (fitted === '' || (fitted !== text && tone !== 'faint')) break
    shown.push(paint(fitted, tone))
    left -= textWidth(fitted)
  }
  return shown.join('  ')
}

export type LineOptions = {
  readonly color: boolean
  /** Whether to name the model: where the run has several. */
  readonly showModel?: boolean
}

/** A finished case on one line, where there is no terminal to redraw: `ok   suite/case  2 trials  0.3 s`. */
export const finishedLine = (
  suite: { readonly name: string },
  result: CaseResult,
  { color, showModel = false }: LineOptions,
): string => {
  const { status, trials } = result
  const model = showModel ? [`[${foreignLine(result.model)}]`] : []
  const spent = formatDuration(trials.reduce((sum, { duration_ms }) => sum + duration_ms, 0))
  const xfail = expectedFailure(result)
  const passed = [plural(trials.length, 'trial'), spent, ...(xfail === undefined ? [] : [foreignLine(xfail)])]
  const told = status === 'passed' ? passed : [shortReason(result)]
  const flaky = result.flaky ? ['flaky'] : []
  const parts = [`${foreignLine(suite.name)}/${foreignLine(result.id)}`, ...model, ...told, ...flaky]
  const { word, tone } = statusWords[status]
  return `${painter(color)(word.padEnd(4), tone)} ${parts.filter((part) => part !== '').join('  ')}`
}

/** A problem on one line of at most `width` columns, to be shown above the live line as it happens. */
export const failureLine = (
  suite: { readonly name: string },
  result: CaseResult,
  options: LineOptions & { readonly width: number },
): string => {
  const { word, tone } = statusWords[result.status]
  const plain = fitEnd(finishedLine(suite, result, { ...options, color: false }), options.width)
  return plain.startsWith(word) ? painter(options.color)(word, tone) + plain.slice(word.length) : plain
}
