import * as z from 'zod'
import { staleKinds } from './cassette.ts'

const staleMode = z.enum(['fail', 'warn', 'ignore'])

/** What a change of the request does to a replay. */
export const staleSchema = z
  .union([
    staleMode,
    z.strictObject(
      Object.fromEntries(staleKinds.map((kind) => [kind, staleMode.optional()])) as Record<
        (typeof staleKinds)[number],
        z.ZodOptional<typeof staleMode>
      >,
    ),
  ])
  .describe('fail (the default): the case is stale; warn: go on by turn order; ignore. For all parts, or by part.')

/** What changes from run to run in what tools print. */
export const normalizeSchema = z
  .array(
    z.strictObject({
      match: z.string().min(1).describe('A regular expression; every match is replaced.'),
      replace: z.string().describe('As in String.replace: $1, $<name>.'),
    }),
  )
  .describe('Applied to observations before they are compared with a recording, and kept.')

export const recordModeSchema = z.enum(['replay', 'missing', 'stale', 'all', 'off'])
