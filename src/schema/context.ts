import * as z from 'zod'

/** What of a conversation a model is shown: in the configuration's `limits`, and in a case's `agent`. */
export const contextShape = {
  context_tokens: z
    .int()
    .min(200)
    .optional()
    .describe('A longer request is shortened: the oldest rounds are left out, with a note. Default 150000; estimated.'),
  index_tokens: z
    .int()
    .min(20)
    .optional()
    .describe('A longer index of skills is shortened: descriptions, then names, with a note. Default 8000; estimated.'),
}

/** When a model is offered the provided tools that skills name: in the configuration's `tools`, and in a case's `agent`. */
export const toolOfferSchema = z
  .enum(['all', 'per_skill'])
  .describe(
    'Tools of test doubles, MCP servers and the library that a skill names in allowed-tools: offered from the start (all, the default), or only once such a skill has been loaded (per_skill).',
  )

/** What an eval's agent is given that it has not by default: the same machine must give the same case. */
export const agentSettingsSchema = z.strictObject({
  ...contextShape,
  agents_md: z
    .boolean()
    .optional()
    .describe("Whether AGENTS.md of the case's own workspace stands in the system prompt, as in `agent run`."),
  skill_controls: z
    .boolean()
    .optional()
    .describe(
      'Whether the model may use disable_skill and enable_skill, and `/disable NAME` in `input` is the user doing so.',
    ),
  offer_tools: toolOfferSchema.optional(),
})
