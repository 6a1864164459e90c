import * as z from 'zod'
import { usageSchema } from './run.ts'

/**
 * recordings/<suite>/<case>/<profile>.json, `skills-eval/cassette@1`: what came from outside in the trials of one case
 * on one model profile. Paths of the machine are placeholders, secrets are redacted.
 */

const fingerprint = z.string().regex(/^[0-9a-f]{16}$/)

/** The parts of a request that are told apart: one that changes makes the answer stale by its own name. */
export const partKinds = ['system', 'index', 'body', 'tools', 'input', 'observation', 'context', 'params'] as const
export type PartKind = (typeof partKinds)[number]

/** What `stale` tells apart: the parts of the agent's requests, and all that the judge is asked. */
export const staleKinds = [...partKinds, 'judge'] as const
export type StaleKind = (typeof staleKinds)[number]

const stopReasonSchema = z.enum([
  'end',
  'tool_use',
  'max_tokens',
  'refusal',
  'content_filter',
  'context_overflow',
  'error',
])

const answerSchema = z.object({
  text: z.string(),
  actions: z.array(z.object({ name: z.string(), input: z.unknown(), problem: z.string().optional() })),
  stop: stopReasonSchema,
  usage: usageSchema,
  model: z.string().describe('The model id that answered.'),
  latency_ms: z.number().min(0).describe('Rounded to a tenth of a second.'),
})

const turnSchema = z.object({
  agent: z.string().optional().describe('The skill that ran on its own and asked: researcher, researcher/reader.'),
  request: z
    .record(z.string(), fingerprint)
    .describe(
      'Fingerprints of the parts that are new in this turn: system, index, tools, params, input, body:NAME, observation:N, context:N.',
    ),
  messages: z
    .array(z.object({ part: z.string(), label: z.string().optional(), text: z.string() }))
    .describe(
      'What was added to the conversation since the turn before, besides the answer; [body:NAME] stands for a body.',
    ),
  answer: answerSchema,
})

const outsideSchema = z.object({
  action: z.string(),
  target: z.string(),
  status: z.enum(['ok', 'error', 'denied']),
  text: z.string(),
})

const providedSchema = z.object({
  servers: z.array(z.string()),
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  ),
})

const judgeCallSchema = z.object({
  request: z
    .record(z.string(), fingerprint)
    .describe(
      'Fingerprints of what the judge was asked: judge:prompt, judge:params, judge:criteria, judge:request, judge:material, and judge:repair where it was asked once more.',
    ),
  answer: answerSchema,
})

const trialSchema = z.object({
  turns: z.array(turnSchema),
  outside: z.array(outsideSchema).describe('Results of tools that reach out of the machine, in order.'),
  provided: providedSchema
    .optional()
    .describe('MCP servers and the tools that they listed: a replay offers the same ones and asks no server.'),
  judge: z.array(judgeCallSchema).optional().describe('What the judge of rubrics answered, in order.'),
})

const texts = z.record(fingerprint, z.string())
const maps = z.record(fingerprint, z.record(z.string(), z.string()))

export const cassetteSchema = z
  .object({
    format: z.literal('skills-eval/cassette@1'),
    suite: z.string(),
    case: z.string(),
    profile: z.string(),
    arm: z.string().optional().describe('Of a baseline: without_skills, without:NAME or version:PATH.'),
    recorded: z.iso.date(),
    parts: z
      .object({
        system: texts,
        index: maps.describe('Descriptions by the name of the skill.'),
        tools: maps.describe('A fingerprint for each tool.'),
        params: maps,
        body: texts,
        judge: texts.optional(),
      })
      .describe('What the fingerprints of the turns stand for, once for all trials.'),
    trials: z.array(trialSchema).min(1),
  })
  .meta({ title: 'skills-eval cassette' })

export type Cassette = z.output<typeof cassetteSchema>
export type CassetteTrial = z.output<typeof trialSchema>
export type CassetteTurn = z.output<typeof turnSchema>
export type CassetteAnswer = z.output<typeof answerSchema>
export type CassetteJudgeCall = z.output<typeof judgeCallSchema>
export type CassetteParts = Cassette['parts']
export type OutsideResult = z.output<typeof outsideSchema>
