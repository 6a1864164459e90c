import * as z from 'zod'
import { actionTypes } from './action.ts'
import { checkSchema, fileCheckSchema } from './check.ts'
import { agentSettingsSchema } from './context.ts'
import { mcpServerName } from './mcp.ts'
import { mockJudgeSchema, mockSchema } from './mock.ts'
import { actionConstraintsSchema } from './pattern.ts'
import { policySchema } from './policy.ts'
import { normalizeSchema, staleSchema } from './recording.ts'
import { type Thresholds, thresholdsSchema } from './thresholds.ts'

const jsonObject = z.record(z.string(), z.unknown())

const doubleSchema = z
  .strictObject({
    description: z.string().optional(),
    input_schema: jsonObject.optional().describe('JSON Schema of the input, checked on every call.'),
    returns: z.unknown().optional(),
    returns_each: z.array(z.unknown()).min(1).optional().describe('One per call, then an error.'),
    error: z.string().optional().describe('Every call fails with this message.'),
    when: z
      .array(
        z
          .strictObject({ input: z.unknown(), returns: z.unknown().optional(), error: z.string().optional() })
          .refine((w) => Object.hasOwn(w, 'returns') !== Object.hasOwn(w, 'error'), 'needs returns or error'),
      )
      .min(1)
      .optional(),
    otherwise: z
      .strictObject({ returns: z.unknown().optional(), error: z.string().optional() })
      .refine((w) => Object.hasOwn(w, 'returns') !== Object.hasOwn(w, 'error'), 'needs returns or error')
      .optional(),
  })
  .superRefine((double, ctx) => {
    const forms = (['returns', 'returns_each', 'error', 'when'] as const).filter((key) => Object.hasOwn(double, key))
    if (forms.length !== 1) {
      ctx.addIssue({ code: 'custom', message: 'needs exactly one of returns, returns_each, when, error' })
    }
    if (Object.hasOwn(double, 'otherwise') && !Object.hasOwn(double, 'when')) {
      ctx.addIssue({ code: 'custom', path: ['otherwise'], message: 'otherwise goes with when' })
    }
  })

const fixtureSchema = z.union([
  z.string().min(1).describe('A file or folder, relative to the suite.'),
  z.strictObject({ text: z.string() }),
  z.strictObject({ json: z.unknown() }),
])

const skillsExpectedSchema = z.union([
  z.array(z.string().min(1)).describe('Exactly these skills are selected; [] means none.'),
  z
    .strictObject({ includes: z.array(z.string().min(1)).optional(), excludes: z.array(z.string().min(1)).optional() })
    .refine((s) => s.includes !== undefined || s.excludes !== undefined, 'needs includes or excludes'),
])

const expectedSchema = z.strictObject({
  skills: skillsExpectedSchema.optional(),
  actions: actionConstraintsSchema.optional(),
  output: z.array(checkSchema).optional(),
  files: z.array(fileCheckSchema).optional(),
  plan: z
    .strictObject({ completed: z.literal('all').optional(), min_steps: z.int().min(1).optional() })
    .refine((p) => p.completed !== undefined || p.min_steps !== undefined, 'needs completed or min_steps')
    .optional(),
})

const limit = z.int().min(0)
export const constraintsSchema = z.strictObject({
  max_turns: z.int().min(1).optional(),
  max_tool_calls: limit.optional(),
  max_script_runs: limit.optional(),
  max_input_tokens: limit.optional(),
  max_output_tokens: limit.optional(),
  max_tokens: limit.optional(),
  max_cost_usd: z.number().min(0).optional(),
  max_seconds: z.number().positive().max(86_400).optional(),
  forbidden_tools: z.array(z.union([z.enum(actionTypes), z.string().min(1)])).optional(),
  forbidden_skills: z.array(z.string().min(1)).optional(),
})

const reason = z.union([z.boolean(), z.string().min(1)])

const trialCount = z.int().min(1).max(10_000)
const trialsSchema = z
  .union([
    trialCount,
    z
      .strictObject({
        max: trialCount.describe('The most trials that are run.'),
        min: trialCount.optional().describe('So many are run in any case; default 1.'),
        stop: z
          .literal('decided')
          .describe('No further trial is run once those before it decide about pass_threshold.'),
      })
      .refine(({ max, min }) => min === undefined || min <= max, {
        path: ['min'],
        message: 'must not be more than max',
      }),
  ])
  .describe(
    'How often the case runs; or at most how often, until its verdict is certain or a sequential test has decided it.',
  )

/** Everything a case may say but its id; `defaults` is this in part. */
const caseShape = {
  description: z.string().optional(),
  tags: z.array(z.string().min(1)).optional(),
  input: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  each: z.union([z.array(jsonObject), z.string().min(1)]).optional(),
  files: z.record(z.string(), fixtureSchema).optional(),
  mock: mockSchema.optional(),
  mock_judge: mockJudgeSchema.optional(),
  tools: z
    .record(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be letters, digits, _ . -'), doubleSchema)
    .optional(),
  mcp: z
    .array(mcpServerName)
    .optional()
    .describe('MCP servers of the configuration whose tools the case has; a replay starts none of them.'),
  agent: agentSettingsSchema.optional(),
  permissions: policySchema.omit({ env: true }).optional(),
  expected: expectedSchema.optional(),
  constraints: constraintsSchema.optional(),
  trials: trialsSchema.optional(),
  pass_threshold: z.number().min(0).max(1).optional(),
  skip: reason.optional(),
  only: reason.optional(),
  xfail: reason.optional(),
  golden: z.boolean().optional(),
  unreviewed: z
    .array(z.enum(['skills', 'actions', 'output', 'files', 'plan']))
    .optional()
    .describe('Parts of `expected` that were drawn from a run and that nobody has looked at: each run warns of them.'),
  arms: z
    .enum(['with_skills', 'both'])
    .optional()
    .describe('with_skills: not run in an arm that lacks skills (`run --baseline without_skills`). Default: both.'),
}

export const caseIdPattern = /^[A-Za-z0-9_./-]+$/

export const caseSchema = z.strictObject({
  id: z.string().min(1).max(200).regex(caseIdPattern, 'may have letters, digits and - _ . /'),
  ...caseShape,
  input: z.union([z.string(), z.array(z.string()).min(1)]),
})

/** A case as written, before `defaults` are merged beneath it and `{{column}}` is replaced. */
const authoredCaseSchema = z.strictObject({ id: z.string().min(1), ...caseShape })

export const defaultsSchema = z.strictObject(caseShape)

const queries = z.array(z.string().min(1))
export const triggersSchema = z.record(
  z.string(),
  z
    .strictObject({ should: queries.optional(), should_not: queries.optional() })
    .refine((t) => t.should !== undefined || t.should_not !== undefined, 'needs should or should_not'),
)

export const suiteSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().min(1).max(200).optional(),
    description: z.string().optional(),
    skills: z.array(z.string().min(1)).optional(),
    model: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
    judge: z.string().min(1).optional().describe('The model profile that judges rubrics; default: judge.'),
    distractors: z
      .int()
      .min(0)
      .max(50)
      .optional()
      .describe('So many unrelated skills, which ship with the package, stand in the index beside those of the suite.'),
    defaults: defaultsSchema.optional(),
    thresholds: thresholdsSchema.optional(),
    normalize: normalizeSchema.optional(),
    stale: staleSchema.optional(),
    cases: z.array(authoredCaseSchema).optional(),
    triggers: triggersSchema.optional(),
  })
  .meta({ title: 'skills-eval suite' })

export type CaseSpec = z.output<typeof caseSchema>
export type Expected = z.output<typeof expectedSchema>
export type SkillsExpected = z.output<typeof skillsExpectedSchema>
export type Constraints = z.output<typeof constraintsSchema>
export type { Thresholds }
export type NormalizeRules = z.output<typeof normalizeSchema>
export type StaleSetting = z.output<typeof staleSchema>
export type ToolDouble = z.output<typeof doubleSchema>
export type Fixture = z.output<typeof fixtureSchema>
