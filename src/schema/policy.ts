import * as z from 'zod'

/** `tool`, `tool(pattern)` or a foreign name such as `Bash(git:*)`. */
const rule = z
  .string()
  .regex(/^\s*[^\s()]+\s*(\(.*\))?\s*$/s, 'must be a tool, or a tool and a pattern in parentheses: tool(pattern)')
  .describe('A tool, or tool(pattern): write_file, run_script(scripts/*.py), Bash(git:*).')

/** Who may do what. Deny beats ask beats allow; a tool that no rule mentions keeps its default. */
export const policySchema = z.strictObject({
  allow: z.array(rule).optional(),
  ask: z.array(rule).optional(),
  deny: z.array(rule).optional(),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable'))
    .optional()
    .describe('Environment variables that scripts may see, by name.'),
})
export type Policy = z.output<typeof policySchema>
