import type * as z from 'zod'
import { writeText } from '../adapters/files/output-file.ts'
import { UsageError } from '../core/errors.ts'
import type { RunResult } from '../core/results.ts'
import { visibleLine } from '../lib/visible.ts'
import { compareGates, type Gates } from '../metrics/compare-gates.ts'
import { comparePairs } from '../metrics/compare-runs.ts'
import { type CasePair, pairStreams } from '../metrics/pair-cases.ts'
import { exitCode } from '../report/exit-code.ts'
import type { Comparison } from '../schema/compare.ts'
import type { Host } from './host.ts'
import { previousAlike } from './previous-run.ts'
import { reportsFolder } from './run-folders.ts'
import { comparableSchema, openStoredCases, type StoredCases } from './stored-cases.ts'
import { findStoredRun, storedRunPath } from './stored-runs.ts'

export type CompareReporter = {
  readonly name: 'terminal' | 'json' | 'markdown' | 'html'
  /** Absolute; absent where it prints to stdout. */
  readonly path?: string
}

export type CompareOptions = {
  readonly base: string
  readonly head: string
  readonly config?: string
  /** Undefined: the default, and the verdict is asked for only where no limit on a regression is set. */
  readonly delta?: number
  readonly gates: Gates
  readonly seed: number
  readonly force: boolean
  readonly reporters: readonly CompareReporter[]
}

const defaultDelta = 0.05

/**
 * `skills-eval compare`: two stored runs held against each other. Returns the exit code: 1 a gate was missed, 6 a
 * verdict was asked for and the evidence is too thin, else 0. Throws a UsageError for runs that can't be compared.
 */
export const compareStoredRuns = async (given: CompareOptions, host: Host): Promise<number> => {
  const folder = reportsFolder(host, given.config)
  const options = { ...given, base: baseOf(given, folder, host) }
  const open = (wanted: string) => openStoredCases(storedRunPath(wanted, folder, host), comparableSchema, host.files)
  const base = open(options.base)
  const head = open(options.head)
  const judgedOtherwise: string[] = []
  const pairs = watched(pairStreams(base.cases, head.cases), judgedOtherwise)
  const paired = comparePairs(pairs, base.head, head.head, {
    delta: options.delta ?? defaultDelta,
    seed: options.seed,
  })
  if (!options.force) requireAlike(base, head, judgedOtherwise)
  for (const { id, interrupted } of [base.head, head.head]) {
    if (interrupted !== undefined)
      host.stderr(`warning: run ${visibleLine(id)} was interrupted: cases that it did not come to are unjudged\n`)
  }
  const comparison: Comparison = { ...paired, gates: compareGates(paired, options.gates) }
  // Only the page that shows both side by side needs them whole.
  const whole = (wanted: string) => findStoredRun(wanted, folder, host)
  const compared = { comparison, runs: () => [whole(options.base), whole(options.head)] as const }
  for (const reporter of options.reporters) await report(compared, reporter, host)
  const isAsked = options.gates.maxRegression === undefined || options.delta !== undefined
  return exitCode({
    summary: { failed: 0, errors: 0, stale: 0, thresholds: [] },
    suites: [],
    errorCodes: {},
    gateMissed: comparison.gates.some(({ passed }) => !passed),
    inconclusive: isAsked && comparison.verdict === 'inconclusive',
  })
}

/** `previous` beside the latest run means the one of the same suites; where there is none, the one just before. */
const baseOf = ({ base, head, force }: CompareOptions, folder: string, host: Host): string => {
  if (base !== 'previous' || head !== 'latest' || force) return base
  const found = previousAlike(folder, host)
  if (found === undefined) return base
  if (found.passed > 0) host.stderr(`previous: ${found.id}, the last run of the same suites\n`)
  return found.id
}

type Compared = { readonly comparison: Comparison; runs(): readonly [base: RunResult, head: RunResult] }

const report = async (compared: Compared, { name, path }: CompareReporter, host: Host): Promise<void> => {
  const isShown = path === undefined
  const text = await textOf(compared, name, { color: isShown && host.color, width: isShown ? host.width : 100 })
  if (isShown) host.stdout(text)
  else writeText(path, text)
}

const textOf = async (
  { comparison, runs }: Compared,
  name: CompareReporter['name'],
  options: { readonly color: boolean; readonly width: number },
): Promise<string> => {
  switch (name) {
    case 'json':
      return `${JSON.stringify(comparison, null, 2)}\n`
    case 'terminal':
      return (await import('../report/compare-report.ts')).compareText(comparison, options)
    case 'markdown':
      return (await import('../report/compare-markdown.ts')).compareMarkdown(comparison)
    case 'html': {
      const { comparedHtml } = await import('./compared-html.ts')
      return comparedHtml(comparison, ...runs())
    }
  }
}

/** What differs would be laid to what was changed between the runs. */
const requireAlike = (
  base: StoredCases<unknown>,
  head: StoredCases<unknown>,
  judgedOtherwise: readonly string[],
): void => {
  requireSame('models', base.models, head.models)
  requireSame('suites', base.suites, head.suites)
  // A run that judged nothing, or came to no verdict, is no run of another judge.
  if (base.judges.size > 0 && head.judges.size > 0) requireSame('judges', base.judges, head.judges)
  for (const [suite, before] of base.distractors) {
    const after = head.distractors.get(suite) ?? before
    if (after === before) continue
    throw notAlike(
      `the suite ${visibleLine(suite)} has different distractors: ${visibleLine(before || 'none')} and ${visibleLine(after || 'none')}`,
    )
  }
  const [first, ...others] = judgedOtherwise
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    throw notAlike(`the rubrics of ${first}${more} have other criteria, judges or instructions`)
  }
}

const requireSame = (what: string, base: ReadonlySet<string>, head: ReadonlySet<string>): void => {
  if (base.size === head.size && [...base].every((name) => head.has(name))) return
  const list = (names: ReadonlySet<string>) => visibleLine([...names].sort().join(', ') || 'none')
  throw notAlike(`the runs are of different ${what}: ${list(base)} and ${list(head)}`)
}

const notAlike = (message: string): UsageError =>
  new UsageError('not_alike', message, { hint: 'Add --force to compare what they share.' })

type Stored = z.output<typeof comparableSchema>

/** The same pairs; the names of those whose rubrics are not the same go into `judgedOtherwise`. */
function* watched(pairs: Iterable<CasePair<Stored>>, judgedOtherwise: string[]): Generator<CasePair<Stored>> {
  for (const pair of pairs) {
    const [before, after] = [pair.base?.rubric_hash, pair.head?.rubric_hash]
    if (before !== undefined && after !== undefined && before !== after) {
      judgedOtherwise.push(visibleLine(`${pair.suite}/${pair.id}`))
    }
    yield pair
  }
}
