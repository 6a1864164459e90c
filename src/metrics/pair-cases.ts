import type { CaseResult, RunResult, TrialResult } from '../core/results.ts'

/** A case in two runs; one side is missing where only the other has it. */
export type CasePair = {
  readonly suite: string
  readonly id: string
  readonly model: string
  readonly base: CaseResult | undefined
  readonly head: CaseResult | undefined
}

/** The trials of a case that count, on both sides. */
export type JudgedPair = {
  readonly base: readonly TrialResult[]
  readonly head: readonly TrialResult[]
  /** Those of the same number in both. */
  readonly trials: readonly (readonly [base: TrialResult, head: TrialResult])[]
}

/**
 * Pairs the cases of two runs by suite, id and model; by suite and id alone where each run has one model and they
 * differ. Sorted, so that the order in which they ran changes nothing.
 */
export const pairCases = (base: RunResult, head: RunResult): readonly CasePair[] => {
  const models = [modelsOf(base), modelsOf(head)]
  const isRenamed = models.every(({ size }) => size === 1) && [...modelsOf(base)][0] !== [...modelsOf(head)][0]
  const pairs = new Map<string, CasePair>()
  const add = (run: RunResult, side: 'base' | 'head') => {
    for (const { name, cases } of run.suites) {
      for (const result of cases) {
        const key = JSON.stringify([name, result.id, isRenamed ? '' : result.model])
        const other = pairs.get(key)
        const pair = other ?? { suite: name, id: result.id, model: result.model, base: undefined, head: undefined }
        pairs.set(key, { ...pair, model: result.model, [side]: result })
      }
    }
  }
  add(base, 'base')
  add(head, 'head')
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair)
}

/** The model profiles that a run's cases ran on. */
export const modelsOf = ({ suites }: RunResult): ReadonlySet<string> =>
  new Set(suites.flatMap(({ cases }) => cases.map(({ model }) => model)))

/** The ids of the models that judged rubrics: another judge is another yardstick. */
export const judgesOf = ({ suites }: RunResult): ReadonlySet<string> =>
  new Set(
    suites.flatMap(({ cases }) => cases.flatMap(({ trials }) => trials.flatMap(({ judge }) => judge?.models ?? []))),
  )

/**
 * What can be held against each other of a case: the trials usable in both runs, or all usable ones of each where no
 * number is usable in both. Undefined where one side has none, and for an expected failure, whose trials say nothing
 * of quality.
 */
export const judgedPair = ({ base, head }: CasePair): JudgedPair | undefined => {
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

/** An error or a stale recording moves no rate. */
export const usableTrials = ({ trials }: CaseResult): readonly TrialResult[] =>
  trials.filter(({ status }) => status === 'passed' || status === 'failed')

/** run.json keeps no mark of `xfail`, but only of such a case the verdict contradicts every trial. */
export const isExpectedFailure = (result: CaseResult): boolean => {
  const usable = usableTrials(result)
  const opposite = { passed: 'failed', failed: 'passed' }[result.status as string]
  return opposite !== undefined && usable.length > 0 && usable.every(({ status }) => status === opposite)
}
