import * as z from 'zod'
import { planSchema, usageSchema } from './run.ts'

/** .agent/sessions/<id>.json, `skills-eval/agent-session@1`: a chat, so that it can be gone on with. Secrets are redacted. */

const bodies = z.array(z.object({ skill: z.string(), text: z.string() })).optional()

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
})

export type AgentSession = z.output<typeof agentSessionSchema>
