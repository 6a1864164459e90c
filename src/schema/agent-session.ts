import * as z from 'zod'
import { cassetteSchema } from './cassette.ts'
import { planSchema, usageSchema } from './run.ts'

/** .agent/sessions/<id>.json, `skills-eval/agent-session@1`: a chat, so that it can be gone on with. Secrets are redacted. */

const bodies = z.array(z.object({ skill: z.string(), text: z.string(), given: z.string().optional() })).optional()

const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), text: z.string(), isObservation: z.literal(true).optional(), bodies }),
  z.object({
    role: z.literal('assistant'),
    text: z.string(),
    calls: z.array(z.object({ id: z.string(), name: z.string(), input: z.unknown(), problem: z.string().optional() })),
    native: z.unknown().optional(),
  }),
  z.object({
    role: z.literal('tool'),
    results: z.array(
      z.object({ callId: z.string(), name: z.string(), text: z.string(), isError: z.boolean(), bodies }),
    ),
  }),
])

const turn = z.int().min(0)
const parent = z.string().optional()

/** Of the trajectory, what a case is drawn from. */
const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('model'), turn, parent }),
  z.object({ type: z.literal('answer'), turn, text: z.string(), parent }),
  z.object({
    type: z.literal('selected'),
    turn,
    skill: z.string(),
    source: z.string(),
    by: z.enum(['model', 'user']),
    parent,
  }),
  z.object({ type: z.literal('index'), turn, news: z.string(), changed: z.array(z.string()).optional(), parent }),
  z.object({
    type: z.literal('action'),
    record: z.object({
      turn,
      action: z.string(),
      params: z.record(z.string(), z.unknown()),
      status: z.enum(['ok', 'error', 'denied']),
      observation: z.string(),
      exit_code: z.int().optional(),
      duration_ms: z.number(),
      skills: z.object({ loaded: z.array(z.string()), failed: z.array(z.string()) }).optional(),
    }),
    parent,
  }),
])

const recordedSchema = z.object({
  recording: cassetteSchema,
  events: z.array(eventSchema),
  files: z.array(z.object({ path: z.string(), base64: z.string().optional(), problem: z.string().optional() })),
  absent: z.array(z.string()),
  folders: z.array(z.string()),
  made_folders: z.array(z.string()),
  made_by_tools: z.array(z.string()),
  changed: z.array(z.string()),
  allow: z.array(z.string()),
})

export const agentSessionSchema = z.object({
  format: z.literal('skills-eval/agent-session@1'),
  id: z.string(),
  started_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  folder: z.string().describe('The absolute folder that it works in.'),
  profile: z.string(),
  inputs: z.array(z.string()).describe('What was said, with `/disable NAME` and `/enable NAME` between the requests.'),
  messages: z.array(messageSchema),
  loaded: z.array(z.object({ name: z.string(), source: z.string() })),
  disabled: z.array(z.object({ name: z.string(), by: z.enum(['model', 'user']) })),
  told: z
    .object({
      index: z.string().describe('As the system prompt has it.'),
      skills: z.record(z.string(), z.string()),
      disabled: z.array(z.string()),
    })
    .describe('What the model was told of the skills last; digests by their names.'),
  plan: planSchema.nullable(),
  usage: usageSchema,
  cost_usd: z.number().nullable(),
  turns: z.int().min(0),
  started: z.record(z.string(), z.int()).describe('How often each skill ran on its own.'),
  recorded: z
    .union([recordedSchema, z.object({ problem: z.string() })])
    .describe('What a case can be made of, or why none can.'),
})

export type SessionRecording = z.output<typeof recordedSchema>
export type AgentSession = z.output<typeof agentSessionSchema>
