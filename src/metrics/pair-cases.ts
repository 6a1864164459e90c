import type { CaseResult, TrialResult } from '../core/results.ts'

/** What a comparison reads of a trial. */
export type ComparedTrial = Pick<TrialResult, 'n' | 'status' | 'score' | 'usage' | 'cost_usd' | 'latency_ms'>

/** What a comparison reads of a case: a whole result of one, or as little of it. */
export type ComparableCase = Pick<CaseResult, 'id' | 'model' | 'golden' | 'status'> & {
  readonly trials: readonly ComparedTrial[]
}

/** A case with the name of its suite, as it comes out of a run that is read case by case. */
export type CaseOfSuite = { readonly suite: string; readonly result: ComparableCase }

/** What a comparison reads of a whole run. */
export type ComparableRun = {
  readonly suites: readonly { readonly name: string; readonly cases: readonly ComparableCase[] }[]
}

/** A case in two runs; one side is missing where only the other has it. */
export type CasePair = {
  readonly suite: string
  readonly id: string
  readonly model: string
  readonly base: ComparableCase | undefined
  readonly head: ComparableCase | undefined
}

/** The trials of a case that count, on both sides. */
export type JudgedPair = {
  readonly base: readonly ComparedTrial[]
  readonly head: readonly ComparedTrial[]
  /** Those of the same number in both. */
  readonly trials: readonly (readonly [base: ComparedTrial, head: ComparedTrial])[]
}

/**
 * Pairs the cases of two runs by suite, id and model; by suite and id alone where each run has one model and they
 * differ. Sorted, so that the order in which they ran changes nothing.
 */
export const pairCases = (base: ComparableRun, head: ComparableRun): readonly CasePair[] =>
  [...pairStreams(casesOf(base), casesOf(head))].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))

function* casesOf({ suites }: ComparableRun): Generator<CaseOfSuite> {
  for (const { name, cases } of suites) for (const result of cases) yield { suite: name, result }
}

/** A text to order the cases of a comparison by, whatever order they ran in. */
export const placeOf = ({ suite, id, model }: Pick<CasePair, 'suite' | 'id' | 'model'>): string =>
  JSON.stringify([suite, id, model])

/**
 * The same pairs as they are found, in no order, both runs read in step: what is held are the cases of one run that the
 * other has not come to yet. Two runs of the same suites list them alike, so that few are.
 */
export function* pairStreams(base: Iterable<CaseOfSuite>, head: Iterable<CaseOfSuite>): Generator<CasePair> {
  const sides = { base: openSide(base), head: openSide(head) }
  for (;;) {
    const [before, after] = [sides.base.next(), sides.head.next()]
    if (before === undefined && after === undefined) break
    if (before) yield* pairedWith(before, 'base', sides)
    if (after) yield* pairedWith(after, 'head', sides)
  }
  yield* leftOver(sides.base, sides.head)
}

type Side = {
  next(): CaseOfSuite | undefined
  /** Those that the other side has not had, by suite, id and model. */
  readonly waiting: Map<string, CaseOfSuite>
  readonly models: Set<string>
}

const openSide = (cases: Iterable<CaseOfSuite>): Side => {
  const iterator = cases[Symbol.iterator]()
  const models = new Set<string>()
  return {
    next: () => {
      const step = iterator.next()
      if (step.done) return undefined
      models.add(step.value.result.model)
      return step.value
    },
    waiting: new Map(),
    models,
  }
}

function* pairedWith(
  one: CaseOfSuite,
  name: 'base' | 'head',
  sides: { readonly base: Side; readonly head: Side },
): Generator<CasePair> {
  const { id, model } = one.result
  const key = placeOf({ suite: one.suite, id, model })
  const [own, others] = name === 'base' ? [sides.base, sides.head] : [sides.head, sides.base]
  const other = others.waiting.get(key)
  if (!other) {
    own.waiting.set(key, one)
    return
  }
  others.waiting.delete(key)
  const pair = { suite: one.suite, id, model }
  yield name === 'base'
    ? { ...pair, base: one.result, head: other.result }
    : { ...pair, base: other.result, head: one.result }
}

function* leftOver(base: Side, head: Side): Generator<CasePair> {
  const isRenamed = base.models.size === 1 && head.models.size === 1 && [...base.models][0] !== [...head.models][0]
  const others = new Map(isRenamed ? [...head.waiting.values()].map((one) => [nameOf(one), one]) : [])
  for (const one of base.waiting.values()) {
    const other = others.get(nameOf(one))
    others.delete(nameOf(one))
    const model = (other ?? one).result.model
    yield { suite: one.suite, id: one.result.id, model, base: one.result, head: other?.result }
  }
  for (const { suite, result } of isRenamed ? others.values() : head.waiting.values())
    yield { suite, id: result.id, model: result.model, base: undefined, head: result }
}

const nameOf = ({ suite, result }: CaseOfSuite): string => JSON.stringify([suite, result.id])

/**
 * What can be held against each other of a case: the trials usable in both runs, or all usable ones of each where no
 * number is usable in both. Undefined where one side has none, and for an expected failure, whose trials say nothing
 * of quality.
 */
export const judgedPair = ({ base, head }: Pick<CasePair, 'base' | 'head'>): JudgedPair | undefined => {
  if (!base || !head || isExpectedFailure(base) || isExpectedFailure(head)) return undefined
  const [before, after] = [usableTrials(base), usableTrials(head)]
  if (before.length === 0 || after.length === 0) return undefined
  const byNumber = new Map(after.map((trial) => [trial.n, trial]))
  const trials = before.flatMap((trial) => {
    const other = byNumber.get(trial.n)
    return other ? [[trial, other] as const] : []
  })
  if (trials.length === 0) return { base: before, head: after, trials }
  return { base: trials.map(([trial]) => trial), head: trials.map(([, trial]) => trial), trials }
}

type OfTrials<T> = { readonly trials: readonly T[] }

/** An error or a stale recording moves no rate. */
export const usableTrials = <T extends Pick<TrialResult, 'status'>>({ trials }: OfTrials<T>): readonly T[] =>
  trials.filter(({ status }) => status === 'passed' || status === 'failed')

/** run.json keeps no mark of `xfail`, but only of such a case the verdict contradicts every trial. */
export const isExpectedFailure = (
  result: Pick<CaseResult, 'status'> & OfTrials<Pick<TrialResult, 'status'>>,
): boolean => {
  const usable = usableTrials(result)
  const opposite = { passed: 'failed', failed: 'passed' }[result.status as string]
  return opposite !== undefined && usable.length > 0 && usable.every(({ status }) => status === opposite)
}
