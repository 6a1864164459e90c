import * as z from 'zod'
import { actionTypes } from './action.ts'

const actionName = z.enum(actionTypes)

/** A string (glob or exact), a map (matched in part, or one check operator), a list, a number … */
const matcher = z.unknown()

const fullPattern = z.looseObject({
  action: actionName,
  status: z.enum(['ok', 'error', 'denied']).optional(),
  exit_code: z.int().optional(),
  skill: z.string().optional(),
  output: matcher.optional(),
})

const shortPattern = z
  .strictObject(
    Object.fromEntries(actionTypes.map((type) => [type, matcher.optional()])) as Record<
      (typeof actionTypes)[number],
      z.ZodOptional<z.ZodUnknown>
    >,
  )
  .refine((value) => Object.keys(value).length === 1, 'names one action: {action type: its main parameter}')

/** An action pattern: `run_script`, `{run_script: "scripts/*.py"}`, or `{action: run_script, …}`. */
export const patternSchema = z.union([actionName, fullPattern, shortPattern])
export type ActionPattern = z.output<typeof patternSchema>

const patterns = z.array(patternSchema).min(1)

const sequenceShape = {
  in_order: patterns.optional(),
  exactly: z.array(patternSchema).optional(),
  any_order: patterns.optional(),
  only: patterns.optional(),
  never: patterns.optional(),
  before: z
    .array(z.strictObject({ first: patternSchema, then: patternSchema }))
    .min(1)
    .optional(),
  count: z
    .array(
      z
        .strictObject({
          of: patternSchema,
          min: z.int().min(0).optional(),
          max: z.int().min(0).optional(),
          equals: z.int().min(0).optional(),
        })
        .refine(
          (c) => c.min !== undefined || c.max !== undefined || c.equals !== undefined,
          'needs min, max or equals',
        ),
    )
    .min(1)
    .optional(),
  no_loops: z.union([z.literal(true), z.int().min(1)]).optional(),
}

export const actionConstraintsSchema = z.strictObject({
  ...sequenceShape,
  subagents: z
    .record(z.string().min(1), z.strictObject(sequenceShape))
    .optional()
    .describe('The same for what these skills did on their own, by their names.'),
})
export type ActionConstraints = z.output<typeof actionConstraintsSchema>
