import * as z from 'zod'
import { ownActionSchema, subagentShape, usageSchema } from './run.ts'

/** run.json of one agent run, `skills-eval/agent-run@1`: redacted, long texts cut. What can't be known is null. */

const count = z.int().min(0)

const excerptSchema = z
  .object({ head: z.string(), characters: count, digest: z.string() })
  .describe('The start of a text; its length and the SHA-256 of all of it, both after secrets were taken out.')

const auditedActionShape = ownActionSchema.omit({ observation: true }).extend({
  skill: z.string().optional(),
  verdict: z.enum(['allow', 'ask', 'deny']).optional(),
  output: excerptSchema,
  subagents: z.array(z.object(subagentShape)).optional().describe('Skills that ran on their own.'),
})

type AuditedAction = z.output<typeof auditedActionShape> & { readonly actions?: AuditedAction[] | undefined }

const auditedActionSchema: z.ZodType<AuditedAction> = z.lazy(() =>
  auditedActionShape.extend({ actions: z.array(auditedActionSchema).optional().describe('What they did, in order.') }),
)

const answerSchema = z.enum(['once', 'run', 'no', 'nobody'])

export const agentRunSchema = z.object({
  format: z.literal('skills-eval/agent-run@1'),
  id: z.string(),
  started_at: z.iso.datetime(),
  duration_ms: z.number(),
  tool: z.object({ name: z.string(), version: z.string() }),
  folder: z.string().describe('Where it ran, relative to the project.'),
  command: z.array(z.string()),
  repeat: z.string().describe('The line for a shell that runs it again.'),
  request: excerptSchema,
  model: z.object({ profile: z.string(), provider: z.string(), answered: z.array(z.string()) }),
  isolation: z.string().optional().describe('What kept scripts apart from the machine.'),
  skills: z.array(
    z.object({ name: z.string(), source: z.string(), by: z.enum(['model', 'user']), digest: z.string().nullable() }),
  ),
  resources: z.array(z.object({ turn: count, skill: z.string(), path: z.string(), bytes: count })),
  actions: z.array(auditedActionSchema),
  approvals: z.array(
    z.object({
      turn: count,
      action: z.string(),
      target: z.string(),
      skill: z.string().optional(),
      rule: z.string(),
      answer: answerSchema,
      by: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
  usage: usageSchema,
  cost_usd: z.number().nullable(),
  stop: z.object({ kind: z.string(), code: z.string().optional(), message: z.string().optional() }),
  answer: excerptSchema.nullable(),
})

export type AgentRun = z.output<typeof agentRunSchema>
export type Excerpt = z.output<typeof excerptSchema>
