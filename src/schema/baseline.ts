import * as z from 'zod'
import { liftSchema, numbersSchema, verdictSchema } from './paired.ts'

/** The `baseline` of run.json: what the same cases came to in another arm, and what the skills added. */

const count = z.int().min(0)
const known = z.number().nullable()

export const armSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('without_skills') }),
    z.object({ kind: z.literal('without'), skill: z.string() }),
    z.object({
      kind: z.literal('version'),
      path: z.string().describe('Of the other skills, relative to the project.'),
    }),
  ])
  .describe('The arm that the skills are held against.')

export const caseBaselineSchema = z.object({
  status: z.enum(['passed', 'failed', 'error', 'stale', 'skipped']).describe('Of the case in the baseline.'),
  reason: z.string().optional(),
  pass_rate: known.describe('In the baseline.'),
  head_pass_rate: known.describe('Of this run, over the checks of both arms.'),
  lift: known.describe('head_pass_rate - pass_rate, over the trials that both arms have.'),
  verdict: z.enum([...verdictSchema.options, 'unjudged']),
  pairs: count.describe('Trials that are usable in both arms.'),
  p: known.describe("McNemar's exact test over its pairs, after Holm over the cases; null for fewer than six."),
  not_compared: z.array(z.string()).describe('Checks of this run that the baseline has not: no part of the lift.'),
  hold_in_both: z.array(z.string()).describe('Checks that held in every trial of both arms: they show nothing.'),
})

const gateSchema = z.object({ limit: z.number(), actual: known, result: z.enum(['met', 'missed', 'inconclusive']) })

/** All but the summary of the arm, which is that of a run. */
export const baselineShape = {
  arm: armSchema,
  reused: z.boolean().describe('An earlier run made it, of the same inputs.'),
  run: z.object({ id: z.string(), started_at: z.iso.datetime() }).nullable().describe('The run that made it.'),
  digest: z.string().nullable().describe('Of all its inputs; null where it may not be used again.'),
  results: z.string().nullable().describe('Its own run.json, relative to the folder of this run.'),
  problem: z.string().optional().describe('Why it did not run, or not to its end.'),
  first_problem: z.string().optional().describe('Why the first of its cases that could not be judged could not.'),
  left_out: z
    .object({
      skipped: count,
      xfail: count,
      with_skills: count,
      no_checks: count,
      no_input: count,
      same_skills: count,
    })
    .describe('How many cases did not run in it, by the reason.'),
  lift: liftSchema,
  numbers: numbersSchema.nullable(),
  skills: z
    .array(z.object({ skill: z.string(), ...liftSchema.shape }))
    .describe('The lift of the cases whose `expected.skills` name the skill.'),
  no_signal: z.object({
    checks: count.describe('Checks of cases that held in every trial of both arms; one of an `each` case counts once.'),
    named: z
      .array(
        z.object({
          suite: z.string(),
          case: z.string().describe('The first of them, where it is a case of `each`.'),
          model: z.string(),
          cases: count,
          check: z.string(),
        }),
      )
      .describe('The first 200.'),
  }),
  gate: gateSchema.optional().describe('`--min-lift`.'),
}

export type ArmOfRun = z.output<typeof armSchema>
export type CaseBaseline = z.output<typeof caseBaselineSchema>
