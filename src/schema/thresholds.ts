import * as z from 'zod'

/** The gates on a whole suite. */

const share = z.number().min(0).max(1)
export const thresholdsSchema = z.strictObject({
  pass_rate: share.optional(),
  trigger: z.strictObject({ precision: share.optional(), recall: share.optional(), f1: share.optional() }).optional(),
  cost_usd: z.number().min(0).optional(),
  tokens: z.int().min(0).optional(),
  p95_seconds: z.number().positive().optional(),
  max_unusable: z
    .union([share, z.string().regex(/^\d{1,3}(\.\d+)?%$/, 'must be a share (0.1) or a percentage ("10%")')])
    .optional()
    .describe('The share of trials that may end without a verdict: 0.1 or "10%".'),
})

export type Thresholds = z.output<typeof thresholdsSchema>
