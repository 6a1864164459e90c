import type { CaseResult, TrialResult } from '../core/results.ts'

/** What a comparison reads of a trial. */
export type ComparedTrial = Pick<TrialResult, 'n' | 'status' | 'score' | 'usage' | 'cost_usd' | 'latency_ms'>

/** What a comparison reads of a case: a whole result of one, or as little of it. */
export type ComparableCase = Pick<CaseResult, 'id' | 'model' | 'golden' | 'status' | 'trials_planned'> & {
  readonly trials: readonly ComparedTrial[]
  /** Whether it is expected to fail, where that is known. */
  readonly xfail?: boolean | undefined
}

/** A case with the name of its suite, as it comes out of a run that is read case by case. */
export type CaseOfSuite<C = ComparableCase> = { readonly suite: string; readonly result: C }

/** What a comparison reads of a whole run. */
export type ComparableRun = {
  readonly suites: readonly { readonly name: string; readonly cases: readonly ComparableCase[] }[]
}

/** A case in two runs; one side is missing where only the other has it. */
export type CasePair<B = ComparableCase, H = B> = {
  readonly suite: string
  readonly id: string
  readonly model: string
  readonly base: B | undefined
  readonly head: H | undefined
}

/** The trials of a case that count, on both sides. */
export type JudgedPair = {
  readonly base: readonly ComparedTrial[]
  readonly head: readonly ComparedTrial[]
  /** Those of the same number in both. */
  readonly trials: readonly (readonly [base: ComparedTrial, head: ComparedTrial])[]
  /** On one side its trials end as soon as they decide: its rate leans towards the decision. */
  readonly isAdaptive: boolean
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
export function* pairStreams<B extends Named, H extends Named>(
  base: Iterable<CaseOfSuite<B>>,
  head: Iterable<CaseOfSuite<H>>,
): Generator<CasePair<B, H>> {
  const [before, after] = [openSide(base), openSide(head)]
  for (;;) {
    const [one, other] = [before.next(), after.next()]
    if (one === undefined && other === undefined) break
    if (one) {
      const found = after.take(one)
      if (found) yield pairOf(one, found)
      else before.keep(one)
    }
    if (other) {
      const found = before.take(other)
      if (found) yield pairOf(found, other)
      else after.keep(other)
    }
  }
  yield* leftOver(before, after)
}

type Named = Pick<CaseResult, 'id' | 'model'>

const pairOf = <B extends Named, H extends Named>(base: CaseOfSuite<B>, head: CaseOfSuite<H>): CasePair<B, H> => {
  const { id, model } = head.result
  return { suite: head.suite, id, model, base: base.result, head: head.result }
}

type Side<C> = {
  next(): CaseOfSuite<C> | undefined
  /** Keeps a case until the other side comes to it. */
  keep(one: CaseOfSuite<C>): void
  /** What was kept of this case. */
  take(other: CaseOfSuite<Named>): CaseOfSuite<C> | undefined
  kept(): Iterable<CaseOfSuite<C>>
  readonly models: ReadonlySet<string>
}

const openSide = <C extends Named>(cases: Iterable<CaseOfSuite<C>>): Side<C> => {
  const iterator = cases[Symbol.iterator]()
  const waiting = new Map<string, CaseOfSuite<C>>()
  const models = new Set<string>()
  return {
    next: () => {
      const step = iterator.next()
      if (step.done) return undefined
      models.add(step.value.result.model)
      return step.value
    },
    keep: (one) => void waiting.set(keyOf(one), one),
    take: (other) => {
      const found = waiting.get(keyOf(other))
      waiting.delete(keyOf(other))
      return found
    },
    kept: () => waiting.values(),
    models,
  }
}

const keyOf = ({ suite, result: { id, model } }: CaseOfSuite<Named>): string => placeOf({ suite, id, model })

function* leftOver<B extends Named, H extends Named>(base: Side<B>, head: Side<H>): Generator<CasePair<B, H>> {
  const isRenamed = base.models.size === 1 && head.models.size === 1 && [...base.models][0] !== [...head.models][0]
  const others = new Map([...head.kept()].map((one) => [isRenamed ? nameOf(one) : keyOf(one), one]))
  for (const one of base.kept()) {
    const other = isRenamed ? others.get(nameOf(one)) : undefined
    others.delete(nameOf(one))
    const { id, model } = (other ?? one).result
    yield { suite: one.suite, id, model, base: one.result, head: other?.result }
  }
  for (const { suite, result } of others.values())
    yield { suite, id: result.id, model: result.model, base: undefined, head: result }
}

const nameOf = ({ suite, result }: CaseOfSuite<Named>): string => JSON.stringify([suite, result.id])

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
  const isAdaptive = base.trials_planned !== undefined || head.trials_planned !== undefined
  if (trials.length === 0) return { base: before, head: after, trials, isAdaptive }
  return { base: trials.map(([trial]) => trial), head: trials.map(([, trial]) => trial), trials, isAdaptive }
}

type OfTrials<T> = { readonly trials: readonly T[] }

/** An error or a stale recording moves no rate. */
export const usableTrials = <T extends Pick<TrialResult, 'status'>>({ trials }: OfTrials<T>): readonly T[] =>
  trials.filter(({ status }) => status === 'passed' || status === 'failed')

/**
 * run.json keeps no mark of `xfail`, but only of such a case the verdict contradicts every trial; of one that was judged
 * anew that is no sign, so that who knows says it.
 */
export const isExpectedFailure = (
  result: Pick<CaseResult, 'status'> & Pick<ComparableCase, 'xfail'> & OfTrials<Pick<TrialResult, 'status'>>,
): boolean => {
  if (result.xfail !== undefined) return result.xfail
  const usable = usableTrials(result)
  const opposite = { passed: 'failed', failed: 'passed' }[result.status as string]
  return opposite !== undefined && usable.length > 0 && usable.every(({ status }) => status === opposite)
}
