import * as z from 'zod'
import { armSchema, baselineShape, caseBaselineSchema } from './baseline.ts'
import { suiteAuditSchema } from './suite-audit.ts'
import { thresholdsSchema } from './thresholds.ts'

/** run.json, `skills-eval/run@1`: the whole result of a run. A number that can't be known is null. */

const count = z.int().min(0)
const known = z.number().nullable()
const interval = z.tuple([z.number(), z.number()]).nullable()

export const statusSchema = z.enum(['passed', 'failed', 'error', 'stale', 'skipped'])

export const errorCodeSchema = z.enum([
  'model_error',
  'provider_timeout',
  'rate_limited',
  'refused',
  'input_too_long',
  'invalid_action',
  'mock_exhausted',
  'missing_cassette',
  'judge_error',
  'grader_error',
  'approval_required',
  'skill_unavailable',
  'tool_server_error',
  'budget_exceeded',
  'internal',
])

export const usageSchema = z.object({
  input_tokens: known,
  output_tokens: known,
  cached_input_tokens: known,
  reasoning_tokens: known,
})

const counts = { tp: count, fp: count, fn: count, tn: count }
const rates = { precision: known, recall: known, f1: known, specificity: known }

export const triggerSchema = z.object({
  ...rates,
  ...counts,
  distractors: count
    .optional()
    .describe('How many of `fp` are distractors that were selected: they count in the total, and for no skill.'),
  macro: z.object(rates),
  skills: z.record(z.string(), z.object({ ...counts, ...rates })),
  confusion: z.array(z.object({ expected: z.string(), selected: z.string(), count })),
})

const interferenceSchema = z.object({
  skills: z.tuple([z.string(), z.string()]),
  times: z
    .tuple([count, count])
    .describe('How often the second was selected where the first was expected, and the other way round.'),
  shared_words: z.array(z.string()).describe('Words that both descriptions have, stop words left out.'),
})

export const thresholdResultSchema = z.object({
  name: z.string(),
  limit: z.number(),
  actual: known,
  passed: z.boolean(),
})

export const summarySchema = z.object({
  cases: count,
  trials: count,
  trials_saved: count
    .optional()
    .describe('Trials that were not run because those before them had decided their case; absent where none could be.'),
  passed: count,
  failed: count,
  errors: count,
  stale: count,
  skipped: count,
  pass_rate: known,
  interval,
  trigger: triggerSchema,
  usage: usageSchema,
  cost_usd: known,
  judge: z.object({ usage: usageSchema, cost_usd: known }),
  latency_ms: z.object({ mean: known, p50: known, p95: known, max: known }),
  actions: z.record(z.string(), count),
  thresholds: z.array(thresholdResultSchema),
})

export const planSchema = z.object({
  goal: z.string().optional(),
  steps: z.array(
    z.object({ id: z.string(), title: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }),
  ),
  assumptions: z.array(z.string()).optional(),
})

export const ownActionSchema = z.object({
  agent: z.string().optional().describe('Of a nested action: the skill that ran on its own and did it.'),
  turn: count.describe('Of the agent that did it, from 1.'),
  action: z.string(),
  params: z.record(z.string(), z.unknown()),
  status: z.enum(['ok', 'error', 'denied']),
  rule: z.string().optional(),
  observation: z.string(),
  exit_code: z.int().optional(),
  duration_ms: z.number(),
})

export const subagentShape = {
  skill: z.string(),
  turns: count,
  stop: z.string().describe('answered, or why it ended without an answer: max_turns, refused, …'),
}

/** Recursive: a skill that ran on its own may have had another one do so. */
export const actionResultSchema: z.ZodType<ActionResult> = z.lazy(() =>
  ownActionSchema.extend({
    subagents: z
      .array(
        z.object({
          ...subagentShape,
          usage: usageSchema.describe('Of it and of those below it; it is part of the usage of the trial.'),
        }),
      )
      .optional()
      .describe('select_skills: the skills that ran on their own, in order.'),
    actions: z.array(actionResultSchema).optional().describe('What they did, in order.'),
  }),
)

export const checkResultSchema = z.object({
  name: z.string(),
  kind: z.string(),
  place: z
    .string()
    .optional()
    .describe('Where the check stands in `expected`: output[0], files[1].checks[0]; absent where no list has it.'),
  passed: z.boolean(),
  score: z.number().min(0).max(1),
  weight: z.number(),
  message: z.string().optional(),
  expected: z.unknown().optional(),
  actual: z.unknown().optional(),
})

const staleDifferenceSchema = z
  .object({
    part: z.string().describe('Its name in `stale_parts`.'),
    of: z.string().optional().describe('Of the index, the tools and the parameters: which skill, tool or parameter.'),
    recorded: z.string().nullable().describe('null: it was not there.'),
    now: z.string().nullable().describe('null: it is no longer there.'),
  })
  .describe(
    'A part of a request as it was recorded and as it is now; long texts are cut around the place where they part.',
  )
export type StaleDifference = z.output<typeof staleDifferenceSchema>

/** `replay`: answers of a recording to the same requests; `positional`: to others, by turn order; `record`: made now. */
const recordingUseSchema = z.object({
  path: z.string().describe('Relative to the project.'),
  mode: z.enum(['replay', 'positional', 'record']),
  stale_parts: z
    .array(z.string())
    .describe('What differs from the recorded requests: body:csv-analyzer, observation:2.'),
  differences: z
    .array(staleDifferenceSchema)
    .optional()
    .describe('The stale parts in full, the first 20; absent for none.'),
})
export type RecordingUse = z.output<typeof recordingUseSchema>

const spendingSchema = z.object({ usage: usageSchema, cost_usd: known })

export const trialSchema = z.object({
  n: z.int().min(1),
  attempts: z
    .int()
    .min(2)
    .optional()
    .describe('How often the trial was tried, where more than once: cost, tokens and times are of all attempts.'),
  status: statusSchema,
  reason: z.string().optional(),
  error: z.object({ code: errorCodeSchema, message: z.string() }).optional(),
  score: known,
  output: z.string().nullable(),
  skills_selected: z.array(z.string()),
  plan: planSchema.nullable(),
  actions: z.array(actionResultSchema),
  checks: z.array(checkResultSchema),
  usage: usageSchema,
  cost_usd: known,
  judge: spendingSchema
    .extend({ profile: z.string(), models: z.array(z.string()).describe('The model ids that answered.') })
    .optional()
    .describe('What judging rubrics used up; no part of usage and cost_usd.'),
  duration_ms: z.number(),
  latency_ms: z.number(),
  cassette: recordingUseSchema.optional(),
})

export const caseResultSchema = z.object({
  id: z.string(),
  description: z.string().optional(),
  input: z.array(z.string()).optional().describe('What the agent was asked, a text for each message of the user.'),
  tags: z.array(z.string()),
  model: z.string(),
  line: z.int().optional(),
  golden: z.boolean().optional(),
  status: statusSchema,
  reason: z.string().optional(),
  pass_rate: known,
  pass_at_k: z.record(z.string(), known),
  pass_pow_k: z.record(z.string(), known),
  pass_k_reason: z
    .string()
    .optional()
    .describe(
      'Why pass_at_k and pass_pow_k are null from some k on, of a case that was decided before all trials ran.',
    ),
  interval: interval.describe(
    "95 %: Wilson's; with trials that end as soon as they decide (`trials_planned`), the confidence sequence.",
  ),
  flaky: z.boolean(),
  part: z
    .object({ place: count, xfail: z.boolean() })
    .optional()
    .describe('In a shard, for merging: where the case stands in the whole plan, from 0, and whether it should fail.'),
  trials_planned: z
    .int()
    .min(1)
    .optional()
    .describe('The most trials that the case could have had, where they end as soon as they decide.'),
  xfail: z.boolean().optional().describe('It is expected to fail.'),
  rubric_hash: z
    .string()
    .optional()
    .describe(
      'Digest of the criteria that a judge is asked about, and of its instructions: runs are compared only with the same.',
    ),
  rows_of: z
    .string()
    .optional()
    .describe('The id as the suite has it, where a row of `each` has filled it in: row/{{month}}.'),
  baseline: caseBaselineSchema.optional().describe('The case in the other arm, of a run with `--baseline`.'),
  trials: z.array(trialSchema),
})

export const suiteResultSchema = z.object({
  name: z.string(),
  path: z.string(),
  description: z.string().optional(),
  distractors: z
    .array(z.string())
    .optional()
    .describe('Unrelated skills of the package that stood in the index beside those of the suite.'),
  summary: summarySchema,
  model_triggers: z
    .record(z.string(), triggerSchema)
    .optional()
    .describe('In a shard, of a suite on several models, for merging: the trigger metrics on each.'),
  cases: z.array(caseResultSchema),
})

const shardSchema = z
  .object({
    index: z.int().min(1),
    total: z.int().min(1),
    plan: z.string().describe('Digest of the whole plan: only shards of the same one are merged.'),
    cases: z.int().min(0).describe('Cases of the whole plan.'),
    suites: z
      .record(z.string(), z.string())
      .optional()
      .describe('Digests of the parts of the plan by suite: they tell where two plans differ.'),
    thresholds: z
      .record(z.string(), thresholdsSchema)
      .describe('Thresholds by suite: they are for the whole, and not looked at before the shards are merged.'),
  })
  .describe('Which part of a run this is.')

const baselineSchema = z
  .object({ ...baselineShape, summary: summarySchema.nullable().describe('Of the baseline.') })
  .describe('The other arm of a run with `--baseline`: nothing in it fails the run, but for its gate.')

export const runSchema = z
  .object({
    format: z.literal('skills-eval/run@1'),
    id: z.string(),
    started_at: z.iso.datetime(),
    duration_ms: z.number(),
    tool: z.object({ name: z.string(), version: z.string() }),
    command: z.array(z.string()),
    folder: z
      .string()
      .optional()
      .describe('Where the command worked, relative to the project; absent where that is the project itself.'),
    git: z.object({ commit: z.string(), dirty: z.boolean() }).nullable(),
    seed: z.int(),
    interrupted: z
      .string()
      .optional()
      .describe(
        'What cut it short: a signal (SIGINT, SIGTERM); `aborted`, by a caller of the library; `unfinished` in a report of a run that goes on or was killed.',
      ),
    shard: shardSchema.optional(),
    missing_shards: z
      .array(z.int().min(1))
      .optional()
      .describe('Of a run that was merged without all of its shards: those that are not in it.'),
    merged_from: z
      .array(z.object({ index: z.int().min(1), id: z.string().describe('Of the run of the shard.') }))
      .optional()
      .describe('Of a run that was merged: the shards that are in it.'),
    arm: armSchema.optional().describe('Of a run.json in a folder `baseline`: which arm it is.'),
    baseline: baselineSchema.optional(),
    summary: summarySchema,
    interference: z
      .array(interferenceSchema)
      .optional()
      .describe(
        'Pairs of skills that were mistaken for each other, the most often first; absent where there are none.',
      ),
    audit: suiteAuditSchema.optional().describe('With --audit: which checks hold for agents that do not do the work.'),
    suites: z.array(suiteResultSchema),
  })
  .meta({ title: 'skills-eval run result' })

export type Status = z.output<typeof statusSchema>
export type ErrorCode = z.output<typeof errorCodeSchema>
export type Usage = z.output<typeof usageSchema>
export type TriggerSummary = z.output<typeof triggerSchema>
export type ThresholdResult = z.output<typeof thresholdResultSchema>
export type Interference = z.output<typeof interferenceSchema>
export type Summary = z.output<typeof summarySchema>
export type Plan = z.output<typeof planSchema>
export type CheckResult = z.output<typeof checkResultSchema>
export type ActionResult = z.output<typeof ownActionSchema> & {
  readonly subagents?: SubagentResult[] | undefined
  readonly actions?: ActionResult[] | undefined
}
export type SubagentResult = {
  readonly skill: string
  readonly turns: number
  readonly stop: string
  readonly usage: Usage
}
export type TrialResult = z.output<typeof trialSchema>
export type CaseResult = z.output<typeof caseResultSchema>
export type Baseline = z.output<typeof baselineSchema>
export type RunResult = z.output<typeof runSchema>
