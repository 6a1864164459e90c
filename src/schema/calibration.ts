import * as z from 'zod'
import { usageSchema } from './run.ts'

const text = z.string().regex(/\S/, 'must say something')

/** A line of a file of labels: what a person says of a material, to hold a judge against. */
export const labelSchema = z.strictObject({
  material: text.describe('What is judged.'),
  criterion: text,
  label: z.enum(['pass', 'fail']).describe('Whether the material meets the criterion, as a person sees it.'),
  request: z.string().optional().describe('What the material is an answer to.'),
})

const count = z.int().min(0)
const rate = z.object({
  rate: z.number().nullable(),
  count,
  of: count,
  interval: z.tuple([z.number(), z.number()]).nullable().describe('95 %, Wilson.'),
})

/** What `judge calibrate --json` prints. */
export const calibrationSchema = z
  .object({
    format: z.literal('skills-eval/calibration@1'),
    labels: z.string().describe('The file, relative to the project.'),
    profile: z.string(),
    models: z.array(z.string()).describe('The model ids that answered.'),
    judges: count.describe('How many verdicts were asked for each label; more than half decide.'),
    n: count.describe('Labels that the judge gave a verdict on.'),
    agreement: rate,
    kappa: z.number().nullable().describe("Cohen's kappa; null where it is not defined."),
    false_pass: rate.describe('Of what people labelled fail: how much the judge passes.'),
    false_fail: rate.describe('Of what people labelled pass: how much the judge fails.'),
    unsupported: count.describe('Labels on which a judge said pass without evidence; such a verdict is a fail.'),
    disagreements: z.array(
      z.object({
        line: count,
        criterion: z.string(),
        label: z.enum(['pass', 'fail']),
        verdict: z.enum(['pass', 'fail']),
        passes: count,
        told: z.string(),
      }),
    ),
    unusable: z
      .array(z.object({ line: count, code: z.string(), message: z.string() }))
      .describe('Labels without a verdict; they count nowhere.'),
    gates: z.array(
      z.object({ name: z.string(), limit: z.number(), actual: z.number().nullable(), passed: z.boolean() }),
    ),
    usage: usageSchema,
    cost_usd: z.number().nullable(),
    cassette: z.string().describe('Where its verdicts are recorded, relative to the project.'),
  })
  .meta({ title: 'skills-eval calibration' })

export type Label = z.output<typeof labelSchema>
export type Calibration = z.output<typeof calibrationSchema>
