import * as z from 'zod'
import { numbersSchema, pairedSchema, verdictSchema } from './paired.ts'
import { statusSchema } from './run.ts'

export type { NumberChange } from './paired.ts'

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
    verdict: verdictSchema,
    delta: z.number().describe('A difference of the pass rate within ± this is no change.'),
    counts: z.object({
      fixed: count,
      broken: count,
      unchanged: count,
      new: count,
      gone: count,
      unjudged: count,
    }),
    paired: pairedSchema,
    tests: z.object({
      verdicts: z.object({ fixed: count, broken: count, p: z.number() }).describe("McNemar's exact test."),
      scores: z.object({ cases: count, difference: known, p: known, method: z.enum(['exact', 'monte_carlo']) }),
    }),
    numbers: numbersSchema,
    gates: z.array(gateSchema),
    cases: z.array(comparedCaseSchema),
  })
  .meta({ title: 'skills-eval comparison' })

export type Comparison = z.output<typeof compareSchema>
export type ComparedCase = z.output<typeof comparedCaseSchema>
export type Change = z.output<typeof changeSchema>
export type GateResult = z.output<typeof gateSchema>
