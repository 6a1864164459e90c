import * as z from 'zod'
import { policySchema } from './policy.ts'
import { normalizeSchema, recordModeSchema, staleSchema } from './recording.ts'

const usdPerMillion = z.number().min(0).describe('USD per million tokens.')

export const priceSchema = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  cached_input: usdPerMillion.optional(),
})

export const profileSchema = z.strictObject({
  provider: z.enum(['mock']).describe('mock: scripted by the case itself.'),
  model: z.string().min(1).optional(),
  protocol: z
    .enum(['native', 'text'])
    .default('native')
    .describe('native: tool calling; text: one JSON object per answer, for models without it.'),
  params: z
    .strictObject({ latency_ms: z.number().min(0).max(600_000).optional() })
    .optional()
    .describe('mock: latency_ms is how long each answer takes.'),
  price: priceSchema.optional(),
  record: recordModeSchema
    .optional()
    .describe('What is done with cassettes where the command line does not say; default replay.'),
})

const limitsSchema = z.strictObject({
  max_turns: z.int().min(1).max(1000).optional(),
  max_tool_calls: z.int().min(0).optional(),
  max_script_runs: z.int().min(0).optional(),
  max_tokens: z.int().min(1).optional(),
  max_cost_usd: z.number().min(0).optional(),
  max_seconds: z.number().positive().optional(),
  max_repairs: z.int().min(0).max(10).optional(),
  max_bodies_per_turn: z.int().min(1).max(20).optional(),
  script_seconds: z.number().positive().max(3600).optional(),
  script_memory_mb: z.int().min(64).optional().describe('Memory of each process of a script; default 1024.'),
  script_file_mb: z.int().min(1).optional().describe('The largest file that a script may write; default 256.'),
  script_processes: z
    .int()
    .min(1)
    .optional()
    .describe('How many processes your user may have while a script runs, yours included; does not hold for root.'),
})

const securitySchema = z.strictObject({
  max_skill_body_lines: z
    .union([z.int().min(1), z.enum(['warn', 'refuse'])])
    .optional()
    .describe(
      'What happens to a skill body over 500 lines: warn (default) or refuse; a number sets the limit and refuses.',
    ),
})

/** `.agent/config.json` (or `.yaml`) in the project, and `~/.agent/config.json` beneath it. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional(),
    model: z.string().min(1).optional().describe('The profile that is used where a suite names none.'),
    models: z.record(z.string().regex(/^[A-Za-z0-9_.-]+$/, 'must be letters, digits, _ . -'), profileSchema).optional(),
    skills: z
      .strictObject({
        roots: z
          .array(z.string().min(1))
          .optional()
          .describe('Skill roots above the default ones, highest first; relative to the project.'),
      })
      .optional(),
    permissions: policySchema.optional(),
    sandbox: z
      .enum(['auto', 'require', 'off'])
      .optional()
      .describe('Whether scripts run isolated by bubblewrap: where it works (auto, the default), always, or never.'),
    sandbox_network: z.boolean().optional().describe('Whether isolated scripts may use the network; default false.'),
    security: securitySchema.optional(),
    limits: limitsSchema.optional(),
    concurrency: z.int().min(1).max(1000).optional(),
    recordings: z.string().min(1).optional().describe('Where cassettes are kept; default recordings/.'),
    normalize: normalizeSchema.optional(),
    stale: staleSchema.optional(),
    reports: z.string().min(1).optional().describe('Where runs are written; default reports/.'),
    reporters: z.array(z.string().min(1)).optional().describe('As --reporter: NAME or NAME=PATH.'),
  })
  .meta({ title: 'skills-eval configuration' })

export type Config = z.output<typeof configSchema>
export type Profile = z.output<typeof profileSchema>
export type Price = z.output<typeof priceSchema>
