import type { Baseline, CaseBaseline } from '../core/results.ts'
import type { Lift } from '../schema/paired.ts'
import {
  type ComparedHead,
  type CompareSettings,
  type JudgedNumbers,
  judgedNumbers,
  pairedRates,
  pairFold,
  verdictOf,
} from './compare-runs.ts'
import { holm } from './holm.ts'
import { type ComparedTrial, type JudgedPair, judgedPair, placeOf, usableTrials } from './pair-cases.ts'
import { pairedInterval } from './paired-interval.ts'
import { type GradedCase, overSharedChecks } from './shared-checks.ts'

/** A case in both arms. */
export type ArmPair = {
  readonly suite: string
  /** Where the case is written: those of one `each` share it. */
  readonly line: number | undefined
  /** The skills that it labels. */
  readonly skills: readonly string[]
  /** The share of its trials that must pass. */
  readonly threshold: number
  readonly base: GradedCase & { readonly reason?: string | undefined }
  readonly head: GradedCase
}

export type LiftFold = {
  add(pair: ArmPair): void
  result(base: ComparedHead, head: ComparedHead): ArmsCompared
}

export type ArmsCompared = Pick<Baseline, 'lift' | 'skills' | 'no_signal'> & {
  readonly numbers: NonNullable<Baseline['numbers']>
  /** Of a case that ran in both arms. */
  caseOf(at: { readonly suite: string; readonly id: string; readonly model: string }): CaseBaseline | undefined
}

/** What names of checks are listed in the head of a run; the cases have all. */
const MAX_NAMED = 200

/**
 * What the skills add: the cases of a run against those of its baseline, over the checks that both have. The numbers are
 * those of a comparison of two runs, and so is the unit, the case; of each a few numbers are held.
 */
export const liftFold = (settings: CompareSettings): LiftFold => {
  const pairs = pairFold(settings)
  const rows: Row[] = []
  const judgedOf = new Map<string, JudgedNumbers[]>()
  const showNothing = new Map<string, Mutable<Baseline['no_signal']['named'][number]>>()
  const text = interned()
  return {
    add: ({ suite, line, skills, threshold, base, head: whole }) => {
      const { head, notCompared, holdInBoth } = overSharedChecks(base, whole, threshold)
      // What is expected to fail is in no arm.
      const xfail = false
      const pair = { suite, id: head.id, model: head.model, base: { ...base, xfail }, head: { ...head, xfail } }
      const judged = judgedPair(pair)
      const numbers = judged && judgedNumbers(judged)
      if (numbers) {
        for (const skill of new Set(skills)) {
          const known = judgedOf.get(skill)
          if (known) known.push(numbers)
          else judgedOf.set(skill, [numbers])
        }
        for (const { name, index } of holdInBoth) {
          const key = JSON.stringify([suite, line ?? head.id, head.model, index])
          const known = showNothing.get(key)
          if (known) known.cases++
          else showNothing.set(key, { suite, case: head.id, model: head.model, cases: 1, check: name })
        }
      }
      const difference = numbers ? numbers.rates.head - numbers.rates.base : null
      pairs.add(pair)
      rows.push({
        place: placeOf(pair),
        interval: trialInterval(judged, settings),
        baseline: {
          status: base.status,
          ...(base.reason === undefined || base.status === 'passed' ? {} : { reason: base.reason }),
          pass_rate: rateOf(base),
          head_pass_rate: rateOf(head),
          lift: difference,
          pairs: judged?.trials.length ?? 0,
          not_compared: notCompared.map(text),
          hold_in_both: numbers ? holdInBoth.map(({ name }) => text(name)) : [],
        },
      })
    },
    result: (base, head) => {
      const compared = pairs.result(base, head)
      const adjusted = new Map(compared.cases.map((one) => [placeOf(one), one.p_adjusted]))
      const cases = new Map(
        rows.map(({ place, interval, baseline }) => {
          const p = adjusted.get(place) ?? null
          const { lift } = baseline
          const verdict = lift === null ? 'unjudged' : verdictOf({ interval, p, difference: lift }, settings.delta)
          return [place, { ...baseline, verdict, p } satisfies CaseBaseline] as const
        }),
      )
      const named = [...showNothing.values()]
      return {
        lift: { ...compared.paired, verdict: verdictOf(compared.paired, settings.delta) },
        numbers: compared.numbers,
        skills: skillLifts(judgedOf, settings),
        no_signal: { checks: named.length, named: named.slice(0, MAX_NAMED) },
        caseOf: (at) => cases.get(placeOf(at)),
      }
    },
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

type Row = {
  readonly place: string
  readonly interval: Lift['interval']
  readonly baseline: Omit<CaseBaseline, 'verdict' | 'p'>
}

/** By skill, p after Holm over all of them. Every skill here has a case that was judged, and so a p. */
const skillLifts = (
  judgedOf: ReadonlyMap<string, readonly JudgedNumbers[]>,
  { seed, delta }: CompareSettings,
): ArmsCompared['skills'] => {
  const lifts = [...judgedOf]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([skill, judged]) => ({ skill, ...pairedRates(judged, seed) }))
  const adjusted = holm(lifts.map(({ p }) => p ?? 1))
  return lifts.map((lift, i) => {
    const paired = { ...lift, p: adjusted[i] ?? null }
    return { ...paired, verdict: verdictOf(paired, delta) }
  })
}

/** Of one case, over its pairs of trials: Tango's, or a bootstrap where many differ. */
const trialInterval = (judged: JudgedPair | undefined, { seed }: CompareSettings): Lift['interval'] => {
  const differences = (judged?.trials ?? []).map(([before, after]) => scored(after) - scored(before))
  const interval = pairedInterval(differences, { seed })
  return interval && [...interval]
}

const scored = ({ status }: Pick<ComparedTrial, 'status'>): number => (status === 'passed' ? 1 : 0)

const rateOf = (result: { readonly trials: readonly Pick<ComparedTrial, 'status'>[] }): number | null => {
  const usable = usableTrials(result)
  return usable.length === 0 ? null : usable.filter(({ status }) => status === 'passed').length / usable.length
}

/** The same text is held once: cases of one kind have checks of the same names. */
const interned = (): ((text: string) => string) => {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text)
    if (found === undefined) known.set(text, text)
    return found ?? text
  }
}
