import * as z from 'zod'

/** What a line of results.jsonl tells of its case, so that a run that was cut short can be reported without its suites. */
export const caseFactsSchema = z.object({
  line: z.int(),
  description: z.string().optional(),
  input: z.array(z.string()),
  tags: z.array(z.string()),
  trials: z.int().min(1).describe('Of an adaptive case the most that may run.'),
  adaptive: z.object({ min: z.int() }).optional(),
  pass_threshold: z.number(),
  golden: z.boolean().optional(),
  xfail: z.union([z.boolean(), z.string()]).optional(),
})

export type CaseFacts = z.output<typeof caseFactsSchema>
