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
  skill_loaded: z.string().optional(),
  skill_available: z.string().optional(),
})

const ruleSchema = z.strictObject({
  when: whenSchema,
  do: z.array(mockAction).min(1),
  times: z.int().min(1).optional().describe('How often the rule may be taken.'),
})

export const mockSchema = z.union([
  z.array(mockTurnSchema),
  z.strictObject({ rules: z.array(ruleSchema), otherwise: z.array(mockAction).min(1).optional() }),
])

export type MockAction = z.output<typeof mockAction>
export type MockTurn = z.output<typeof mockTurnSchema>
export type MockRule = z.output<typeof ruleSchema>
export type MockScript = z.output<typeof mockSchema>
