import { excerpt, quote as quoted } from '../excerpt.ts'
import { isEvidence } from './evidence.ts'
import type { JudgeVerdict } from './read-verdicts.ts'

/** What the judges made of one criterion, as run.json has it. */
export type CriterionResult = {
  readonly criterion: string
  readonly met: boolean
  /** How many of the judges found it met, with evidence. */
  readonly passes: number
  readonly judges: number
  readonly verdicts: readonly {
    readonly verdict: 'pass' | 'fail'
    readonly reason: string
    readonly quote: string
    /** Of a pass: whether its quote stands in the material; without it, it counts as a fail. */
    readonly supported?: boolean
  }[]
}

/** Counts the votes: a criterion is met where more than half of the judges say so, each with evidence. */
export const tally = (
  criteria: readonly string[],
  votes: readonly (readonly JudgeVerdict[])[],
  material: string,
): readonly CriterionResult[] =>
  criteria.map((criterion, i) => {
    const verdicts = votes.flatMap((vote) => (vote[i] === undefined ? [] : [told(vote[i], material)]))
    const passes = verdicts.filter(isPass).length
    return { criterion, met: passes * 2 > votes.length, passes, judges: votes.length, verdicts }
  })

type Told = CriterionResult['verdicts'][number]

const told = ({ passed, reason, quote }: JudgeVerdict, material: string): Told => ({
  verdict: passed ? 'pass' : 'fail',
  reason,
  quote,
  ...(passed ? { supported: isEvidence(quote, material) } : {}),
})

const isPass = ({ supported }: Told): boolean => supported === true

/** A line on the whole, then one for each criterion. */
export const tallyText = (results: readonly CriterionResult[]): string => {
  const missed = results.flatMap(({ met, criterion }, i) => (met ? [] : [`${i + 1}. ${short(criterion)}`]))
  const head = `${results.length - missed.length} of ${results.length} criteria met`
  const lines = results.map((result, i) => `${i + 1}. ${criterionText(result)}`)
  return [missed.length === 0 ? head : `${head}; not met: ${missed.join('; ')}`, ...lines].join('\n')
}

const criterionText = (result: CriterionResult): string => {
  const { criterion, met, passes, judges, verdicts } = result
  const split = judges === 1 ? '' : ` (${passes} of ${judges} judges)`
  // The verdict that is told is one of those that decided.
  const decisive = verdicts.find((verdict) => isPass(verdict) === met) ?? verdicts[0]
  return `${met ? 'met' : 'not met'}${split}: ${short(criterion)}${decisive === undefined ? '' : because(decisive)}`
}

const because = ({ verdict, reason, quote, supported }: Told): string => {
  const why = reason.trim() === '' ? '' : ` — ${short(reason.trim(), 300)}`
  if (supported === false) return `${why}; unsupported evidence: ${quote === '' ? 'no quote' : quoted(quote, 0, 200)}`
  return `${why}${verdict === 'pass' || quote !== '' ? `; evidence: ${quoted(quote, 0, 200)}` : ''}`
}

const short = (text: string, max = 120): string => excerpt(text.replaceAll(/\s+/g, ' ').trim(), 0, max)
