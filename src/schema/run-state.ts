import * as z from 'zod'
import { reporterNames } from './reporter-names.ts'

/** reports/<run-id>/run-state.json, `skills-eval/run-state@1`: what a run needs to go on after it was interrupted. */

const texts = z.array(z.string())

/** What the command line asked for, without what is of one session only. Paths are relative to the project. */
const storedOptionsSchema = z.strictObject({
  paths: texts.min(1),
  config: z.string().optional(),
  models: texts.optional(),
  filter: texts.optional(),
  tags: texts.optional(),
  skills: texts.optional(),
  trials: z.int().min(1).optional(),
  concurrency: z.int().min(1).optional(),
  maxCostUsd: z.number().positive().optional(),
  retries: z.int().min(0).optional(),
  seed: z.int().min(0).optional(),
  minLift: z.number().optional(),
  freshBaseline: z.boolean().optional(),
  audit: z.enum(['warn', 'fail']).optional(),
  reporters: z
    .array(
      z.strictObject({
        name: z.enum(reporterNames),
        path: z.string().optional(),
      }),
    )
    .optional(),
  shard: z.strictObject({ index: z.int().min(1), total: z.int().min(1) }).optional(),
  timings: z.string().optional(),
  baseline: z.string().optional(),
  record: z.enum(['replay', 'missing', 'stale', 'all', 'off']).optional(),
  allowStale: z.boolean(),
  trustSuites: z.boolean(),
})

export const runStateSchema = z.object({
  format: z.literal('skills-eval/run-state@1'),
  id: z.string(),
  started_at: z.iso.datetime(),
  command: texts,
  folder: z.string().optional().describe('Where the command worked, relative to the project.'),
  options: storedOptionsSchema,
  suites: z
    .array(z.object({ name: z.string(), path: z.string(), description: z.string().optional(), models: texts }))
    .optional()
    .describe('For a report before it has ended.'),
  counts: z
    .object({ cases: z.int().min(0), trials: z.int().min(0) })
    .optional()
    .describe('How much there is to do in all; of adaptive cases the most that may run.'),
  cases: texts.optional().describe('Of a rerun: the suite, id and model of each of its cases, as JSON.'),
  ended: z.boolean().optional().describe('It came to its end and was reported: it may not become another.'),
  duration_ms: z
    .number()
    .min(0)
    .describe('Of the sessions so far; of one that was killed up to a trial that ended shortly before.'),
})

export type RunState = z.output<typeof runStateSchema>
