import * as z from 'zod'

/** What `runs audit --json` prints. */

const count = z.int().min(0)

const checkRecordSchema = z.object({
  suite: z.string(),
  case: z.string().describe('Id of the case; `row/*` or `row/{{month}}` for the rows of one.'),
  check: z.string(),
  kind: z.string(),
  trials: count,
  failed: count,
  replayed: count.describe('How many of the trials were replayed: they repeat what was recorded.'),
  bound: z
    .number()
    .describe('The highest share of trials that may come out otherwise, with 95 % confidence: 3/trials.'),
})

export const checkHistorySchema = z
  .object({
    runs: z.array(z.string()),
    trials: count.describe('Trials that could be judged.'),
    xfail: count.describe('Further trials, of cases that are expected to fail: they are not looked at.'),
    min_trials: count,
    checks: count,
    too_few: count.describe('Checks with fewer trials than `min_trials`.'),
    guards: count.describe(
      'Checks that never failed and only forbid something: budgets, `never`, `only` and the like.',
    ),
    never_failed: z.array(checkRecordSchema),
    always_failed: z.array(checkRecordSchema),
  })
  .meta({ title: 'skills-eval history of checks' })

export type CheckRecord = z.output<typeof checkRecordSchema>
export type CheckHistory = z.output<typeof checkHistorySchema>
