import * as z from 'zod'

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')

/** Part of the names of its tools (`mcp__NAME__tool`): no `__` in it, so that a name is of one server only. */
export const mcpServerName = z
  .string()
  .max(30)
  .regex(/^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/, 'must be letters, digits, - and single _ between them')

const timeout = z.number().positive().max(600).default(30).describe('For its start, and for one call.')

const stdioServer = z.strictObject({
  command: z.string().min(1).describe('The program that is started; it talks on its standard input and output.'),
  args: z.array(z.string()).optional(),
  env: z.array(variable).optional().describe('Environment variables that the program may see, by name.'),
  cwd: z.string().min(1).optional().describe("Relative to the project; default: the agent's working folder."),
  timeout_seconds: timeout,
})

const httpServer = z.strictObject({
  url: z
    .string()
    .refine(isHttpUrl, 'must be an http or https URL without user name, password or fragment')
    .describe('A server that speaks streamable HTTP.'),
  headers: z
    .record(
      z.string().regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header'),
      z.strictObject({
        env: variable.describe('The environment variable that holds the value.'),
        prefix: z.string().max(100).optional().describe('Stands before it, as in "Bearer ".'),
      }),
    )
    .optional()
    .describe('Headers with values from the environment: {"Authorization": {"env": "TOKEN", "prefix": "Bearer "}}.'),
  timeout_seconds: timeout,
})

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && [username, password, hash].every((part) => part === '')
}

/** MCP servers by name: what a run may start or ask, where it names them. */
export const mcpSchema = z
  .record(mcpServerName, z.union([stdioServer, httpServer]))
  .describe('MCP servers by name. None is started but where `--mcp NAME` or the `mcp` of a case names it.')

export type McpServer = z.output<typeof stdioServer> | z.output<typeof httpServer>
