import type { RunResult } from '../core/results.ts'
import { allInput, allOutput } from '../core/usage.ts'
import type { Change, ComparedCase, Comparison, NumberChange } from '../schema/compare.ts'
import { detectableDifference, MIN_PAIRS } from './detectable-difference.ts'
import { exactSum } from './exact-sum.ts'
import { holm } from './holm.ts'
import { mcnemar } from './mcnemar.ts'
import {
  type CasePair,
  type ComparableCase,
  type ComparedTrial,
  type JudgedPair,
  judgedPair,
  pairCases,
  placeOf,
  usableTrials,
} from './pair-cases.ts'
import { pairedInterval } from './paired-interval.ts'
import { pairedPermutation } from './paired-permutation.ts'
import { isAtLeast, isAtMost } from './tolerance.ts'

/** A comparison but for its gates. */
export type ComparedRuns = Omit<Comparison, 'gates'>

/** What a comparison says of a run besides its cases. */
export type ComparedHead = Pick<RunResult, 'id' | 'started_at' | 'git' | 'interrupted'> & {
  readonly summary: { readonly trigger: Pick<RunResult['summary']['trigger'], 'precision' | 'recall' | 'f1'> }
}

export type CompareSettings = { readonly delta: number; readonly seed: number }

const LEVEL = 0.05

/**
 * Holds two runs against each other, case by case. The unit is the case: its trials are not independent, so they are
 * averaged first, and rates, interval and tests are over cases that both runs judged. The verdict is `no_change` where
 * the whole 95 % interval of the difference lies within ±`delta`; else `better` or `worse` where the permutation test
 * over cases is significant at 5 %; else `inconclusive`. A run against itself is no change: nothing was sampled twice.
 */
export const compareRuns = (base: RunResult, head: RunResult, options: CompareSettings): ComparedRuns =>
  comparePairs(pairCases(base, head), base, head, options)

/** The same of pairs that are read one by one. */
export const comparePairs = (
  pairs: Iterable<CasePair>,
  base: ComparedHead,
  head: ComparedHead,
  options: CompareSettings,
): ComparedRuns => {
  const fold = pairFold(options)
  for (const pair of pairs) fold.add(pair)
  return fold.result(base, head)
}

export type PairFold = {
  add(pair: CasePair): void
  result(base: ComparedHead, head: ComparedHead): ComparedRuns
}

/** Takes pairs in any order: of each a few numbers are held, and no trial. */
export const pairFold = (options: CompareSettings): PairFold => {
  const rows: PairRow[] = []
  return {
    add: (pair) => void rows.push(pairRow(pair, options.seed)),
    result: (base, head) => compared(rows, base, head, options),
  }
}

const compared = (rows: PairRow[], base: ComparedHead, head: ComparedHead, options: CompareSettings): ComparedRuns => {
  rows.sort((a, b) => (a.place < b.place ? -1 : 1))
  const judged = rows.flatMap((row) => (row.judged ? [row.judged] : []))
  const cases = adjusted(rows.map((row) => row.compared))
  const paired = pairedRates(judged, options.seed)
  const count = (change: Change) => cases.filter((one) => one.change === change).length
  const [fixed, broken] = [count('fixed'), count('broken')]
  return {
    format: 'skills-eval/compare@1',
    base: about(base),
    head: about(head),
    seed: options.seed,
    verdict: base.id === head.id && isStill(cases) ? 'no_change' : verdictOf(paired, options.delta),
    delta: options.delta,
    counts: {
      fixed,
      broken,
      unchanged: count('unchanged'),
      new: count('new'),
      gone: count('gone'),
      unjudged: count('unjudged'),
    },
    paired,
    tests: { verdicts: { fixed, broken, p: mcnemar(fixed, broken) }, scores: scoreTest(judged, options.seed) },
    numbers: numbersOf(base, head, judged),
    cases,
  }
}

type PairRow = { readonly place: string; readonly compared: ComparedCase; readonly judged: JudgedNumbers | undefined }

/** What is kept of a case that was judged on both sides: means over its trials. */
export type JudgedNumbers = {
  readonly trials: number
  readonly isAdaptive: boolean
  readonly rates: Sides<number>
  readonly scores: Sides<number | null>
  readonly cost: Sides<number | null>
  readonly input: Sides<number | null>
  readonly output: Sides<number | null>
  readonly latency: Sides<number | null>
}
type Sides<T> = { readonly base: T; readonly head: T }

const pairRow = (pair: CasePair, seed: number): PairRow => {
  const judged = judgedPair(pair)
  return { place: placeOf(pair), compared: comparedCase(pair, judged, seed), judged: judged && judgedNumbers(judged) }
}

export const judgedNumbers = ({ base, head, trials, isAdaptive }: JudgedPair): JudgedNumbers => {
  const means = (of: (trial: ComparedTrial) => number | null) => ({
    base: meanOf(base.map(of)),
    head: meanOf(head.map(of)),
  })
  return {
    trials: trials.length,
    isAdaptive,
    rates: { base: passRate(base), head: passRate(head) },
    scores: means(({ score }) => score),
    cost: means(({ cost_usd }) => cost_usd),
    input: means(({ usage }) => allInput(usage)),
    output: means(({ usage }) => allOutput(usage)),
    latency: means(({ latency_ms }) => latency_ms),
  }
}

const about = ({ id, started_at, git, interrupted }: ComparedHead): Comparison['base'] => ({
  id,
  started_at,
  git,
  ...(interrupted === undefined ? {} : { interrupted }),
})

/** An id can be forged or copied: it is believed only where nothing contradicts it. */
const isStill = (cases: readonly ComparedCase[]): boolean =>
  cases.every(({ change, difference }) => change === 'unchanged' && (difference ?? 0) === 0)

export const verdictOf = (
  { interval, p, difference }: Pick<Comparison['paired'], 'interval' | 'p' | 'difference'>,
  delta: number,
): Comparison['verdict'] => {
  if (interval === null || p === null || difference === null) return 'inconclusive'
  if (isAtLeast(interval[0], -delta) && isAtMost(interval[1], delta)) return 'no_change'
  if (p > LEVEL) return 'inconclusive'
  return difference > 0 ? 'better' : 'worse'
}

export const pairedRates = (judged: readonly JudgedNumbers[], seed: number): Comparison['paired'] => {
  const differences = judged.map(rateDifference)
  const [before, after] = [meanOf(judged.map(({ rates }) => rates.base)), meanOf(judged.map(({ rates }) => rates.head))]
  const cases = judged.length
  const adaptive = judged.filter(({ isAdaptive }) => isAdaptive).length
  return {
    cases,
    ...(adaptive === 0 ? {} : { adaptive }),
    trials: judged.reduce((sum, { trials }) => sum + trials, 0),
    base: before,
    head: after,
    difference: meanOf(differences),
    interval: mutable(pairedInterval(differences, { seed })),
    p: cases === 0 ? null : pairedPermutation(differences, { seed }).p,
    detectable: detectableDifference(cases, meanOf(differences.map((d) => d * d)) ?? 0),
  }
}

const mutable = (interval: readonly [number, number] | null): [number, number] | null => interval && [...interval]

const passRate = (trials: readonly ComparedTrial[]): number =>
  trials.filter(({ status }) => status === 'passed').length / trials.length

const rateDifference = ({ rates }: Pick<JudgedNumbers, 'rates'>): number => rates.head - rates.base

/** Null for none, and where one is not known. */
const meanOf = (values: readonly (number | null)[]): number | null => {
  const sum = sumOf(values)
  return sum === null || values.length === 0 ? null : sum / values.length
}

const sumOf = (values: readonly (number | null)[]): number | null => {
  const sum = exactSum()
  for (const value of values) {
    if (value === null) return null
    sum.add(value)
  }
  return sum.result()
}

const scoreTest = (judged: readonly JudgedNumbers[], seed: number): Comparison['tests']['scores'] => {
  const differences = judged.flatMap(({ scores }) =>
    scores.base === null || scores.head === null ? [] : [scores.head - scores.base],
  )
  const { p, method } = pairedPermutation(differences, { seed })
  const cases = differences.length
  return { cases, difference: meanOf(differences), p: cases === 0 ? null : p, method }
}

const comparedCase = (pair: CasePair, judged: JudgedPair | undefined, seed: number): ComparedCase => {
  const { suite, id, model, base, head } = pair
  const trials = judged?.trials ?? []
  return {
    suite,
    id,
    model,
    golden: base?.golden === true || head?.golden === true,
    change: changeOf(base, head),
    base: sideOf(base),
    head: sideOf(head),
    difference: judged ? passRate(judged.head) - passRate(judged.base) : null,
    pairs: trials.length,
    p: trialTest(trials),
    p_adjusted: null,
    score_p: trialScoreTest(trials, seed),
    score_p_adjusted: null,
  }
}

const changeOf = (base: ComparableCase | undefined, head: ComparableCase | undefined): Change => {
  if (!base) return 'new'
  if (!head) return 'gone'
  if (base.status === head.status) return 'unchanged'
  if (base.status === 'passed' && head.status === 'failed') return 'broken'
  return base.status === 'failed' && head.status === 'passed' ? 'fixed' : 'unjudged'
}

const sideOf = (result: ComparableCase | undefined): ComparedCase['base'] => {
  if (!result) return null
  const usable = usableTrials(result)
  return {
    status: result.status,
    trials: usable.length,
    pass_rate: usable.length === 0 ? null : passRate(usable),
    score: meanOf(usable.map(({ score }) => score)),
  }
}

type TrialPairs = JudgedPair['trials']

/** Fewer pairs could not be significant, whatever came of them: asking would only cost the others their level. */
const trialTest = (trials: TrialPairs): number | null => {
  if (trials.length < MIN_PAIRS) return null
  const fixed = trials.filter(([before, after]) => before.status === 'failed' && after.status === 'passed').length
  const broken = trials.filter(([before, after]) => before.status === 'passed' && after.status === 'failed').length
  return mcnemar(fixed, broken)
}

const trialScoreTest = (trials: TrialPairs, seed: number): number | null => {
  const differences = trials.flatMap(([before, after]) =>
    before.score === null || after.score === null ? [] : [after.score - before.score],
  )
  return differences.length < MIN_PAIRS ? null : pairedPermutation(differences, { seed }).p
}

const adjusted = (cases: readonly ComparedCase[]): ComparedCase[] => {
  const verdicts = holmOf(cases.map(({ p }) => p))
  const scores = holmOf(cases.map(({ score_p }) => score_p))
  return cases.map((one, i) => ({ ...one, p_adjusted: verdicts[i] ?? null, score_p_adjusted: scores[i] ?? null }))
}

const holmOf = (values: readonly (number | null)[]): readonly (number | null)[] => {
  const asked = holm(values.filter((p) => p !== null)).values()
  return values.map((p) => (p === null ? null : (asked.next().value ?? null)))
}

const numbersOf = (base: ComparedHead, head: ComparedHead, judged: readonly JudgedNumbers[]): Comparison['numbers'] => {
  const triggers = (key: 'precision' | 'recall' | 'f1') =>
    numberChange(base.summary.trigger[key], head.summary.trigger[key])
  /** Of one trial of each case: a run of more trials is no dearer for it. */
  const totals = (of: (numbers: JudgedNumbers) => Sides<number | null>) =>
    numberChange(sumOrNull(judged.map((one) => of(one).base)), sumOrNull(judged.map((one) => of(one).head)))
  return {
    precision: triggers('precision'),
    recall: triggers('recall'),
    f1: triggers('f1'),
    cost_usd: totals(({ cost }) => cost),
    input_tokens: totals(({ input }) => input),
    output_tokens: totals(({ output }) => output),
    latency_ms: numberChange(
      meanOf(judged.map(({ latency }) => latency.base)),
      meanOf(judged.map(({ latency }) => latency.head)),
    ),
  }
}

const sumOrNull = (values: readonly (number | null)[]): number | null => (values.length === 0 ? null : sumOf(values))

const numberChange = (base: number | null, head: number | null): NumberChange => {
  const difference = base === null || head === null ? null : head - base
  return { base, head, difference, relative: difference === null || !base ? null : difference / base }
}
