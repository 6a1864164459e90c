import * as z from 'zod'
import { actionResultSchema, planSchema, usageSchema } from './run.ts'

/** A line of `skills-agent run --events`, `skills-eval/agent-event@1`: what happens, as it happens. */

const turn = z.int().min(0).describe('The model call that it belongs to, from 1; 0 comes before the first.')
const parent = z
  .string()
  .optional()
  .describe('It happened in a sub-agent: the skills that ran on their own, the outer one first, with / between them.')
const about = {
  turn,
  action: z.string(),
  target: z.string().describe('The main parameter: path, URL, name of the tool.'),
  skill: z.string().optional(),
  rule: z.string().describe('The rule that decided.'),
}

export const agentEventSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('start').describe('The first line.'),
      format: z.literal('skills-eval/agent-event@1'),
      version: z.string(),
    }),
    z.object({
      type: z.literal('state'),
      turn,
      state: z.enum(['init', 'index_skills', 'decide', 'load_skill_body', 'act', 'observe', 'final']),
      parent,
    }),
    z.object({ type: z.literal('input').describe('What the user said.'), turn, text: z.string(), parent }),
    z.object({
      type: z.literal('model').describe('An answer of the model.'),
      turn,
      text: z.string(),
      calls: z.array(z.string()).describe('The tools that it calls.'),
      stop: z.enum(['end', 'tool_use', 'max_tokens', 'refusal', 'content_filter', 'context_overflow', 'error']),
      usage: usageSchema,
      latency_ms: z.number(),
      model: z.string(),
      cost_usd: z.number().nullable(),
      parent,
    }),
    z.object({
      type: z.literal('repair').describe('An answer that could not be read was sent back.'),
      turn,
      message: z.string(),
      parent,
    }),
    z.object({ type: z.literal('decision'), ...about, verdict: z.enum(['allow', 'ask', 'deny']), parent }),
    z.object({
      type: z.literal('approval').describe('A question to a person, and the answer.'),
      ...about,
      answer: z.enum(['once', 'run', 'no', 'nobody']),
      by: z.string().optional(),
      reason: z.string().optional(),
      parent,
    }),
    z.object({
      type: z.literal('selected').describe('A skill was loaded.'),
      turn,
      skill: z.string(),
      source: z.string(),
      by: z.enum(['model', 'user']),
      parent,
    }),
    z.object({
      type: z.literal('disclosed').describe('What was read of a skill beyond its frontmatter.'),
      turn,
      skill: z.string(),
      level: z.enum(['body', 'resource']),
      path: z.string(),
      bytes: z.int(),
      parent,
    }),
    z.object({ type: z.literal('action').describe('An action that is over.'), record: actionResultSchema, parent }),
    z.object({ type: z.literal('plan'), turn, plan: planSchema, parent }),
    z.object({
      type: z.literal('index').describe('Skills changed or were turned off or on, and the model was told so.'),
      turn,
      news: z.string(),
      changed: z.array(z.string()).optional().describe('The skills that are other on disk than they were.'),
      parent,
    }),
    z.object({
      type: z.literal('subagent').describe('A skill starts to run on its own; what it does is told when it is over.'),
      turn,
      skill: z.string(),
      task: z.string(),
      parent,
    }),
    z.object({
      type: z.literal('compacted').describe('Rounds of the conversation that the model is not shown any more.'),
      turn,
      rounds: z.int(),
      tokens: z.object({ before: z.int(), after: z.int() }).describe('Estimated, of the next request.'),
      note: z.string().describe('What the model is told instead.'),
      parent,
    }),
    z.object({ type: z.literal('answer'), turn, text: z.string(), json: z.unknown().optional(), parent }),
    z.object({
      type: z.literal('end').describe('The last line.'),
      stop: z.object({
        kind: z.enum(['answered', 'decided', 'limit', 'error', 'stale']),
        code: z.string().optional(),
        limit: z.string().optional(),
        message: z.string().optional(),
      }),
      usage: usageSchema,
      cost_usd: z.number().nullable(),
      run: z.string().nullable().describe('Its record below .agent/runs.'),
    }),
  ])
  .meta({ title: 'skills-agent event' })

export type AgentEvent = z.output<typeof agentEventSchema>
