import * as z from 'zod'

/** Parameters of every action, as a model is shown them (JSON Schema is generated from these). */

const skillRef = z.strictObject({
  name: z.string().min(1).describe('The skill, by its name in the index.'),
  source: z.string().optional().describe('Only where two skills share a name: the source shown in the index.'),
})
const relativePath = z.string().min(1).describe('A relative path; forward slashes; no "..".')
const lineRange = z
  .string()
  .regex(/^\d+(-\d*)?$/, 'must look like "10-40", "10-" or "10"')
  .describe('Lines to return, counted from 1: "10-40".')

/**
 * How many entries a list may have. A rule of ours and no part of the JSON Schema: providers refuse some keywords, and
 * what a model is shown of the actions is part of every recording.
 */
const atMost = (max: number, what: string) =>
  [(list: readonly unknown[]) => list.length <= max, `there can be at most ${max} ${what}`] as const

export const planStepSchema = z.strictObject({
  id: z.string().min(1),
  title: z.string().optional(),
  status: z.enum(['pending', 'in_progress', 'completed']).optional(),
})

export const actionParamSchemas = {
  select_skills: z
    .strictObject({
      skills: z
        .array(skillRef)
        .min(1)
        .refine(...atMost(200, 'skills at once')),
      reason: z.string().optional(),
      task: z
        .string()
        .optional()
        .describe('For a skill that runs on its own: what it is to do, where that is not the whole request.'),
    })
    .describe('Load the instructions of one or more skills from the index. Do this before following a skill.'),
  search_skills: z
    .strictObject({ query: z.string().min(1), limit: z.int().min(1).max(50).optional() })
    .describe('Search the skill index by keywords; returns names and descriptions, best first.'),
  disable_skill: z
    .strictObject({ skill: skillRef, reason: z.string().optional() })
    .describe('Take a skill out of this session: it is not found, loaded or used any more.'),
  enable_skill: z.strictObject({ skill: skillRef }).describe('Bring back a skill that you disabled.'),
  load_resource: z
    .strictObject({
      skill: skillRef,
      path: relativePath,
      section: z.string().min(1).optional().describe('Only the part below this Markdown heading.'),
      lines: lineRange.optional(),
    })
    .describe('Read a file that belongs to a loaded skill, whole or only a section or some lines.'),
  run_script: z
    .strictObject({
      skill: skillRef,
      path: relativePath,
      args: z
        .array(z.string())
        .refine(...atMost(1_000, 'arguments'))
        .optional(),
      stdin: z.string().optional(),
    })
    .describe('Run a script of a loaded skill in the workspace; returns its exit code and output.'),
  read_file: z
    .strictObject({ path: z.string().min(1), lines: lineRange.optional() })
    .describe('Read a text file in the workspace.'),
  list_dir: z.strictObject({ path: z.string().min(1).default('.') }).describe('List a folder of the workspace.'),
  grep: z
    .strictObject({
      pattern: z.string().min(1).describe('A regular expression.'),
      path: z.string().min(1).default('.').describe('A file or folder to search.'),
      ignore_case: z.boolean().optional(),
    })
    .describe('Search text files of the workspace; returns path:line: text.'),
  write_file: z
    .strictObject({ path: relativePath, content: z.string() })
    .describe('Create or replace a text file in the workspace.'),
  delete_file: z.strictObject({ path: relativePath }).describe('Delete a file in the workspace.'),
  network_request: z
    .strictObject({
      url: z.string().min(1),
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.string().optional(),
    })
    .describe('Make an HTTP request.'),
  call_tool: z
    .strictObject({ tool: z.string().min(1), input: z.unknown().optional() })
    .describe('Call a tool that this run provides, by its name.'),
  update_plan: z
    .strictObject({
      goal: z.string().optional(),
      steps: z
        .array(planStepSchema)
        .refine(...atMost(200, 'steps'))
        .describe('The whole plan, or with patch: true only the steps that change, by id.'),
      patch: z.boolean().optional(),
      assumptions: z
        .array(z.string())
        .refine(...atMost(200, 'assumptions'))
        .optional(),
    })
    .describe('State or change your own list of steps.'),
  final_answer: z
    .strictObject({ text: z.string().optional(), json: z.unknown().optional() })
    .refine((p) => p.text !== undefined || p.json !== undefined, 'needs text or json')
    .describe('Give the final answer to the request, as text or as a JSON value.'),
} as const

export const actionTypes = Object.keys(actionParamSchemas) as readonly ActionType[]

export type ActionType = keyof typeof actionParamSchemas
export type ActionParams = { readonly [T in ActionType]: Readonly<z.output<(typeof actionParamSchemas)[T]>> }
export type SkillRef = Readonly<z.output<typeof skillRef>>
