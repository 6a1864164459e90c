import * as z from 'zod'

/** An action as far as it is to be the same again. */
export type Happened = {
  readonly action: string
  readonly params: Readonly<Record<string, unknown>>
  readonly status: 'ok' | 'error' | 'denied'
  readonly exit_code?: number | undefined
  /** Those of skills that ran on their own. */
  readonly actions?: readonly Happened[] | undefined
}

const happenedSchema: z.ZodType<Happened> = z.lazy(() =>
  z.object({
    action: z.string(),
    params: z.record(z.string(), z.unknown()),
    status: z.enum(['ok', 'error', 'denied']),
    exit_code: z.int().optional(),
    actions: z.array(happenedSchema).optional(),
  }),
)

/** case.json beside the run.json of a recorded agent run, `skills-eval/agent-case@1`: what a case can be made of. */
export const agentCaseSchema = z.object({
  format: z.literal('skills-eval/agent-case@1'),
  run: z.string(),
  profile: z.string(),
  input: z.array(z.string()).min(1),
  case: z.record(z.string(), z.unknown()).describe('The case as a suite has it, but for its id and its files.'),
  files: z.array(z.object({ path: z.string(), base64: z.string() })),
  folders: z.array(z.string()).describe('Folders that were seen, of which no file was.'),
  left_out: z.array(z.object({ path: z.string(), reason: z.string() })),
  trusted: z.boolean().describe('Whether the suite must be trusted to allow what the person had allowed.'),
  actions: z.array(happenedSchema).describe('What happened in the run, and is to happen again.'),
  is_scripted: z
    .boolean()
    .describe('The model was a scripted one: its turns are in the case, and there is no recording.'),
})

export type AgentCase = z.output<typeof agentCaseSchema>
