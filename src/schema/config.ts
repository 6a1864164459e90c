import * as z from 'zod'
import { contextShape, toolOfferSchema } from './context.ts'
import { configuredHubSchema } from './hub.ts'
import { mcpSchema } from './mcp.ts'
import { publicKeySchema } from './pack.ts'
import { policySchema } from './policy.ts'
import { normalizeSchema, recordModeSchema, staleSchema } from './recording.ts'

const usdPerMillion = z.number().min(0).describe('USD per million tokens.')

export const priceSchema = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  cached_input: usdPerMillion.optional().describe('Input read from the cache; default: as input.'),
  cache_write: usdPerMillion.optional().describe('Input written to the cache; default: as input.'),
})

const protocolSchema = z
  .enum(['native', 'text'])
  .default('native')
  .describe('native: tool calling; text: one JSON object per answer, for models without it.')

const recordSchema = recordModeSchema
  .optional()
  .describe('What is done with recordings where the command line does not say; default replay. Not heeded in CI.')

const mockProfile = z.strictObject({
  provider: z.literal('mock').describe('Scripted by the case itself.'),
  model: z.string().min(1).optional(),
  protocol: protocolSchema,
  params: z
    .strictObject({ latency_ms: z.number().min(0).max(600_000).optional() })
    .optional()
    .describe('mock: latency_ms is how long each answer takes.'),
  price: priceSchema.optional(),
  record: recordSchema,
})

const baseUrl = z
  .string()
  .refine(isPlainHttpUrl, 'must be an http or https URL without user name, password, query or fragment')
  .describe("Another server that speaks the provider's format; up to /v1, without the last part of the path.")

function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '')
}

/** What every live provider has. */
const live = {
  model: z.string().min(1).describe("The provider's name of the model."),
  base_url: baseUrl.optional(),
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
    .optional()
    .describe(
      'The environment variable that holds the key. Default: the usual one of the provider, none with base_url.',
    ),
  protocol: protocolSchema,
  price: priceSchema.optional(),
  record: recordSchema,
  max_retries: z.int().min(0).max(10).default(2).describe('How often a request that failed in passing is sent again.'),
  // Node gives up on an answer whose head has not come in this time.
  timeout_seconds: z.number().positive().max(300).default(120).describe('For one attempt.'),
  requests_per_minute: z.int().min(1).optional().describe('Shared by all cases of a run.'),
  tokens_per_minute: z.int().min(1).optional().describe('Input and output; shared by all cases of a run.'),
}

/** What is ours to say in a request: who could replace it would talk past the agent. */
const ownKeys = ['model', 'messages', 'input', 'system', 'instructions', 'tools', 'stream', 'n']

const sampling = {
  max_tokens: z.int().min(1).optional().describe('The longest answer, in tokens.'),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
  parallel_tool_calls: z.boolean().optional().describe('false: at most one call in an answer.'),
  extra_body: z
    .record(z.string(), z.unknown())
    .refine((body) => !ownKeys.some((key) => Object.hasOwn(body, key)), `can't replace ${ownKeys.join(', ')}`)
    .optional()
    .describe("Whatever else the provider's request may hold; put into its body as it is."),
}

const anthropicProfile = z.strictObject({
  provider: z.literal('anthropic').describe('The Messages API.'),
  ...live,
  params: z
    .strictObject({
      ...sampling,
      temperature: z.number().min(0).max(1).optional(),
      top_k: z.int().min(1).optional(),
      stop: z.array(z.string().min(1)).optional(),
    })
    .optional(),
})

const openaiProfile = z.strictObject({
  provider: z.literal('openai').describe('The Chat Completions API; with base_url every server that speaks it.'),
  ...live,
  params: z
    .strictObject({
      ...sampling,
      max_tokens_field: z
        .enum(['max_tokens', 'max_completion_tokens'])
        .optional()
        .describe('What the server calls it. Default: max_completion_tokens, with base_url max_tokens.'),
      seed: z.int().optional(),
      stop: z.array(z.string().min(1)).optional(),
      frequency_penalty: z.number().min(-2).max(2).optional(),
      presence_penalty: z.number().min(-2).max(2).optional(),
    })
    .optional(),
})

const openaiResponsesProfile = z.strictObject({
  provider: z.literal('openai-responses').describe('The Responses API.'),
  ...live,
  params: z.strictObject(sampling).optional(),
})

export const profileSchema = z.discriminatedUnion('provider', [
  mockProfile,
  anthropicProfile,
  openaiProfile,
  openaiResponsesProfile,
])

const limitsSchema = z.strictObject({
  max_turns: z.int().min(1).max(1000).optional(),
  max_tool_calls: z.int().min(0).optional(),
  max_script_runs: z.int().min(0).optional(),
  max_tokens: z.int().min(1).optional(),
  max_cost_usd: z.number().min(0).optional(),
  max_seconds: z.number().positive().optional(),
  max_repairs: z.int().min(0).max(10).optional(),
  max_bodies_per_turn: z.int().min(1).max(20).optional(),
  max_body_tokens: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Of longer instructions only Overview and Usage are given, only Overview, or only the tools; by headings.',
    ),
  ...contextShape,
  subagent_depth: z
    .int()
    .min(0)
    .max(8)
    .optional()
    .describe('How deep skills may run on their own, one started by the other; 0: none may. Default 2.'),
  subagent_share: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe('Which share of what is left of each limit such a skill may use; default 0.5.'),
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
    packs: z
      .strictObject({
        trusted_keys: z
          .array(
            z.strictObject({
              name: z.string().min(1).max(100).describe('Whose it is: what reports call it.'),
              key: publicKeySchema,
            }),
          )
          .optional()
          .describe(
            "Keys whose signatures on packs count. Where there are any, other packs are refused unless the command says so. A project adds to its user's; for the user's own root only the user's count.",
          ),
        hubs: z
          .array(configuredHubSchema)
          .optional()
          .describe(
            "Where `skills install NAME` looks, in this order. A user's come before a project's; for the user's own root only the user's count.",
          ),
      })
      .optional(),
    permissions: policySchema.optional(),
    mcp: mcpSchema.optional(),
    tools: z.strictObject({ offer: toolOfferSchema.optional() }).optional(),
    sandbox: z
      .enum(['auto', 'require', 'off'])
      .optional()
      .describe('Whether scripts run isolated by bubblewrap: where it works (auto, the default), always, or never.'),
    sandbox_network: z.boolean().optional().describe('Whether isolated scripts may use the network; default false.'),
    security: securitySchema.optional(),
    limits: limitsSchema.optional(),
    agents_md: z
      .boolean()
      .optional()
      .describe(
        'Whether `agent run` puts AGENTS.md, from the working folder up to the project, before the model; default true.',
      ),
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
export type AnthropicProfile = z.output<typeof anthropicProfile>
export type OpenaiProfile = z.output<typeof openaiProfile>
export type OpenaiResponsesProfile = z.output<typeof openaiResponsesProfile>
export type LiveProfile = AnthropicProfile | OpenaiProfile | OpenaiResponsesProfile
export type Price = z.output<typeof priceSchema>
