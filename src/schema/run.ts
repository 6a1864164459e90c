import * as z from 'zod'

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
  'invalid_action',
  'mock_exhausted',
  'missing_cassette',
  'judge_error',
  'grader_error',
  'approval_required',
  'skill_unavailable',
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
  macro: z.object(rates),
  skills: z.record(z.string(), z.object({ ...counts, ...rates })),
  confusion: z.array(z.object({ expected: z.string(), selected: z.string(), count })),
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

export const actionResultSchema = z.object({
  turn: count,
  action: z.string(),
  params: z.record(z.string(), z.unknown()),
  status: z.enum(['ok', 'error', 'denied']),
  rule: z.string().optional(),
  observation: z.string(),
  exit_code: z.int().optional(),
  duration_ms: z.number(),
})

export const checkResultSchema = z.object({
  name: z.string(),
  kind: z.string(),
  passed: z.boolean(),
  score: z.number().min(0).max(1),
  weight: z.number(),
  message: z.string().optional(),
  expected: z.unknown().optional(),
  actual: z.unknown().optional(),
})

/** `replay`: answers of a recording to the same requests; `positional`: to others, by turn order; `record`: made now. */
const recordingUseSchema = z.object({
  path: z.string().describe('Relative to the project.'),
  mode: z.enum(['replay', 'positional', 'record']),
  stale_parts: z
    .array(z.string())
    .describe('What differs from the recorded requests: body:csv-analyzer, observation:2.'),
})
export type RecordingUse = z.output<typeof recordingUseSchema>

export const trialSchema = z.object({
  n: z.int().min(1),
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
  interval,
  flaky: z.boolean(),
  trials: z.array(trialSchema),
})

export const runSchema = z
  .object({
    format: z.literal('skills-eval/run@1'),
    id: z.string(),
    started_at: z.iso.datetime(),
    duration_ms: z.number(),
    tool: z.object({ name: z.string(), version: z.string() }),
    command: z.array(z.string()),
    git: z.object({ commit: z.string(), dirty: z.boolean() }).nullable(),
    seed: z.int(),
    interrupted: z.string().optional(),
    summary: summarySchema,
    suites: z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        description: z.string().optional(),
        summary: summarySchema,
        cases: z.array(caseResultSchema),
      }),
    ),
  })
  .meta({ title: 'skills-eval run result' })

export type Status = z.output<typeof statusSchema>
export type ErrorCode = z.output<typeof errorCodeSchema>
export type Usage = z.output<typeof usageSchema>
export type TriggerSummary = z.output<typeof triggerSchema>
export type ThresholdResult = z.output<typeof thresholdResultSchema>
export type Summary = z.output<typeof summarySchema>
export type Plan = z.output<typeof planSchema>
export type CheckResult = z.output<typeof checkResultSchema>
export type ActionResult = z.output<typeof actionResultSchema>
export type TrialResult = z.output<typeof trialSchema>
export type CaseResult = z.output<typeof caseResultSchema>
export type RunResult = z.output<typeof runSchema>
