import * as z from 'zod'
import { actionTypes } from './action.ts'

/** An action as authors write it: a one-key map from its type to its parameters or its main parameter. */
const mockAction = z
  .strictObject({
    ...(Object.fromEntries(actionTypes.map((type) => [type, z.unknown().optional()])) as Record<
      (typeof actionTypes)[number],
      z.ZodOptional<z.ZodUnknown>
    >),
    raw: z
      .strictObject({ name: z.string(), input: z.unknown().optional() })
      .optional()
      .describe('A tool call that is passed on unchecked, to see how the agent deals with a bad one.'),
  })
  .refine((value) => Object.keys(value).length === 1, 'is one action: {action type: parameters}')

/** One turn: an action, several actions, or a string: the raw text of an answer without any action. */
export const mockTurnSchema = z.union([z.string(), mockAction, z.array(mockAction).min(1)])

const whenSchema = z.strictObject({
  input: z.string().optional().describe('Contained in the request (case ignored), or /…/flags.'),
  observation: z.string().optional().describe('Contained in what came of the turn before.'),
  turn: z.int().min(1).optional(),
  subagent: z
    .string()
    .min(1)
    .optional()
    .describe('Only where this skill, which runs on its own, asks. Without it, a rule is for every agent.'),
  skill_loaded: z.string().optional(),
  skill_available: z.string().optional(),
})

const ruleSchema = z.strictObject({
  when: whenSchema,
  do: z.array(mockAction).min(1),
  times: z.int().min(1).optional().describe('How often the rule may be taken.'),
})

const turnsSchema = z.array(mockTurnSchema)
const ruled = { rules: z.array(ruleSchema), otherwise: z.array(mockAction).min(1).optional() }

const subagentsSchema = z
  .record(z.string().min(1), z.union([turnsSchema, z.strictObject(ruled)]))
  .describe('What the model says when it runs these skills on their own; for all runs of one together.')

export const mockSchema = z.union([
  turnsSchema,
  z.strictObject({ turns: turnsSchema, subagents: subagentsSchema.optional() }),
  z.strictObject({ ...ruled, subagents: subagentsSchema.optional() }),
])

const times = z.int().min(1).optional()

/** What a scripted judge says: the first rule that fits a criterion decides it. */
export const mockJudgeSchema = z
  .array(
    z.union([
      z.strictObject({
        criterion: z.string().min(1).optional().describe('Contained in the criterion (case ignored), or /…/flags.'),
        material: z.string().min(1).optional().describe('Contained in what is judged, or /…/flags.'),
        verdict: z.enum(['pass', 'fail']),
        quote: z.string().optional().describe('Default: the first line of what is judged.'),
        reason: z.string().optional(),
        times: times.describe('How often the rule may be taken.'),
      }),
      z.strictObject({
        answer: z.string().describe('A whole answer as it is, to see what comes of one that is no verdict.'),
        times,
      }),
    ]),
  )
  .min(1)
  .describe('What a judge of the provider mock says. Answers as they are come first.')

export type MockJudge = z.output<typeof mockJudgeSchema>
export type MockAction = z.output<typeof mockAction>
export type MockTurn = z.output<typeof mockTurnSchema>
export type MockRule = z.output<typeof ruleSchema>
export type MockScript = z.output<typeof mockSchema>
