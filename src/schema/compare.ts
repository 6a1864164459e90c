import * as z from 'zod'
import { statusSchema } from './run.ts'

/** What `compare --json` prints, `skills-eval/compare@1`. Shares are 0..1; a number that can't be known is null. */

const count = z.int().min(0)
const known = z.number().nullable()

const comparedRunSchema = z.object({
  id: z.string(),
  started_at: z.iso.datetime(),
  git: z.object({ commit: z.string(), dirty: z.boolean() }).nullable(),
  interrupted: z.string().optional(),
})

const changeSchema = z
  .enum(['fixed', 'broken', 'unchanged', 'new', 'gone', 'unjudged'])
  .describe('unjudged: in both runs, but an error, stale or skipped in one of them only')

const numberChangeSchema = z.object({
  base: known,
  head: known,
  difference: known.describe('head - base'),
  relative: known.describe('difference / base'),
})

const caseSideSchema = z
  .object({ status: statusSchema, trials: count.describe('Usable ones.'), pass_rate: known, score: known })
  .nullable()

const comparedCaseSchema = z.object({
  suite: z.string(),
  id: z.string(),
  model: z.string().describe('Of HEAD, where both have the case.'),
  golden: z.boolean(),
  change: changeSchema,
  base: caseSideSchema,
  head: caseSideSchema,
  difference: known.describe('Of the pass rates over the trials that both runs have.'),
  pairs: count.describe('Trials that are usable in both runs.'),
  p: known.describe("McNemar's exact test over its pairs; null for fewer than six."),
  p_adjusted: known.describe('The same after Holm, over the cases of the comparison.'),
  score_p: known.describe('Permutation test of the scores of its pairs.'),
  score_p_adjusted: known,
})

const gateSchema = z.object({
  name: z.enum(['golden', 'max_regression', 'max_cost', 'new', 'gone', 'verdict']),
  limit: known,
  actual: known,
  passed: z.boolean(),
})

export const compareSchema = z
  .object({
    format: z.literal('skills-eval/compare@1'),
    base: comparedRunSchema,
    head: comparedRunSchema,
    seed: z.int(),
    verdict: z.enum(['better', 'worse', 'no_change', 'inconclusive']),
    delta: z.number().describe('A difference of the pass rate within ± this is no change.'),
    counts: z.object({
      fixed: count,
      broken: count,
      unchanged: count,
      new: count,
      gone: count,
      unjudged: count,
    }),
    paired: z
      .object({
        cases: count,
        trials: count,
        base: known,
        head: known,
        difference: known,
        interval: z.tuple([z.number(), z.number()]).nullable().describe('95 % of the difference.'),
        p: known.describe('Paired permutation test over cases.'),
        detectable: known.describe('The smallest difference that so many cases show with 80 % probability.'),
      })
      .describe('Pass rates: the mean over the cases that were judged in both runs.'),
    tests: z.object({
      verdicts: z.object({ fixed: count, broken: count, p: z.number() }).describe("McNemar's exact test."),
      scores: z.object({ cases: count, difference: known, p: known, method: z.enum(['exact', 'monte_carlo']) }),
    }),
    numbers: z
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
      ),
    gates: z.array(gateSchema),
    cases: z.array(comparedCaseSchema),
  })
  .meta({ title: 'skills-eval comparison' })

export type Comparison = z.output<typeof compareSchema>
export type ComparedCase = z.output<typeof comparedCaseSchema>
export type NumberChange = z.output<typeof numberChangeSchema>
export type Change = z.output<typeof changeSchema>
export type GateResult = z.output<typeof gateSchema>
