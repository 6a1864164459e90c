import * as z from 'zod'

/** What a comparison of two sides says, of two runs as of two arms of one. Shares are 0..1; what can't be known is null. */

const count = z.int().min(0)
const known = z.number().nullable()

export const numberChangeSchema = z.object({
  base: known,
  head: known,
  difference: known.describe('head - base'),
  relative: known.describe('difference / base'),
})

export const verdictSchema = z.enum(['better', 'worse', 'no_change', 'inconclusive'])

const paired = {
  cases: count,
  adaptive: count
    .optional()
    .describe('Of them those whose trials end as soon as they decide: their rates lean towards the decision.'),
  trials: count,
  base: known,
  head: known,
  difference: known,
  interval: z.tuple([z.number(), z.number()]).nullable().describe('95 % of the difference.'),
  p: known.describe('Paired permutation test over cases; of a skill, after Holm over all skills of the run.'),
  detectable: known.describe('The smallest difference that so many cases show with 80 % probability.'),
}

export const pairedSchema = z
  .object(paired)
  .describe('Pass rates: the mean over the cases that were judged in both runs.')

export const liftSchema = z
  .object({ ...paired, verdict: verdictSchema })
  .describe(
    'Pass rates over the checks of both arms, the mean over the cases that were judged in both; base is the baseline.',
  )

export const numbersSchema = z
  .object({
    precision: numberChangeSchema,
    recall: numberChangeSchema,
    f1: numberChangeSchema,
    cost_usd: numberChangeSchema,
    input_tokens: numberChangeSchema,
    output_tokens: numberChangeSchema,
    latency_ms: numberChangeSchema,
  })
  .describe(
    'Trigger metrics of the whole runs; of the judged cases of both, one trial of each: cost and tokens together, latency on average.',
  )

export type NumberChange = z.output<typeof numberChangeSchema>
export type Lift = z.output<typeof liftSchema>
