import * as z from 'zod'

/** The operators of a check, in the order of the documentation. Exactly one in each check. */
export const checkOperators = [
  'equals',
  'contains',
  'contains_all',
  'contains_any',
  'starts_with',
  'ends_with',
  'regex',
  'length',
  'is_json',
  'json_schema',
  'json_equals',
  'json_path',
  'similar',
  'headings',
  'script',
  'rubric',
] as const

export type CheckOperator = (typeof checkOperators)[number]

/** Sibling keys that only mean something beside certain operators. */
const siblings: Readonly<Record<string, readonly CheckOperator[]>> = {
  ignore_case: ['equals', 'contains', 'contains_all', 'contains_any', 'starts_with', 'ends_with', 'headings'],
  trim: ['equals'],
  ignore: ['json_equals'],
  tolerance: ['json_equals'],
  unordered: ['json_equals'],
  judges: ['rubric'],
}

const strings = z.array(z.string()).min(1)
const pointer = z.string().regex(/^(\/.*)?$/, 'must be a JSON Pointer such as /rows/0')
const jsonSchema = z.union([z.string().min(1), z.boolean(), z.record(z.string(), z.unknown())])

const length = z.strictObject({
  min: z.int().min(0).optional(),
  max: z.int().min(0).optional(),
  unit: z.enum(['chars', 'words', 'lines']).default('chars'),
})

const similar = z.strictObject({
  to: z.string(),
  at_least: z.number().min(0).max(1),
  by: z.enum(['levenshtein', 'rouge_l', 'token_f1']).default('token_f1'),
})

const script = z.strictObject({
  run: z.string().min(1).describe('The grader program, relative to the suite.'),
  args: z.array(z.string()).optional(),
  timeout_seconds: z.number().positive().max(3600).optional(),
})

const criterion = z.string().regex(/\S/, 'must say something')
const rubric = z.union([criterion, z.array(criterion).min(1).max(50)])
/** Only where the skills are: `run --baseline without_skills` leaves it out of its other arm. */
const arm = z
  .literal('with_skills')
  .optional()
  .describe('Judged with the skills only, and in no arm that lacks some (`--baseline without_skills`, `without:NAME`).')

const operatorShape = {
  equals: z.unknown().optional().describe('The text is this string. Below json_path: the value is this value.'),
  contains: z.string().min(1).optional(),
  contains_all: strings.optional(),
  contains_any: strings.optional(),
  starts_with: z.string().min(1).optional(),
  ends_with: z.string().min(1).optional(),
  regex: z.string().min(1).optional().describe('Bare, or /…/flags. Evaluated so that no pattern can hang a run.'),
  length: length.optional(),
  is_json: z.boolean().optional(),
  json_schema: jsonSchema.optional().describe('A JSON Schema (draft 2020-12), inline or a path relative to the suite.'),
  json_equals: z.unknown().optional(),
  json_path: z.lazy((): z.ZodType<JsonPathCheck> => jsonPathSchema).optional(),
  similar: similar.optional(),
  headings: strings.optional(),
  script: script.optional(),
  rubric: rubric
    .optional()
    .describe('One criterion or several: a judge, which is another model, finds each of them met.'),
  judges: z
    .int()
    .min(1)
    .max(15)
    .optional()
    .describe(
      'How often the judge is asked, default 1; a criterion is met where more than half of the answers say so.',
    ),
  ignore_case: z.boolean().optional(),
  trim: z.boolean().optional(),
  ignore: z.array(pointer).optional(),
  tolerance: z.number().min(0).optional(),
  unordered: z.array(pointer).optional(),
  not: z.boolean().optional(),
}

type Refinement = (value: object, ctx: z.core.$RefinementCtx) => void

/** At least `min` and at most one operator; sibling keys only beside what they belong to. */
const operatorRules =
  (min: 0 | 1): Refinement =>
  (value, ctx) => {
    const present = checkOperators.filter((op) => Object.hasOwn(value, op))
    if (present.length < min) {
      ctx.addIssue({ code: 'custom', message: `needs an operator: one of ${checkOperators.join(', ')}` })
    }
    if (present.length > 1) {
      ctx.addIssue({
        code: 'custom',
        message: `has ${present.length} operators (${present.join(', ')}): write one check for each`,
      })
    }
    if (Object.hasOwn(value, 'rubric') && (value as { readonly not?: unknown }).not === true) {
      const message =
        '`not` does not go with rubric: a verdict without evidence would pass. Write the criterion the other way round'
      ctx.addIssue({ code: 'custom', path: ['not'], message })
    }
    for (const [key, owners] of Object.entries(siblings)) {
      if (!Object.hasOwn(value, key) || present.some((op) => owners.includes(op))) continue
      ctx.addIssue({ code: 'custom', path: [key], message: `${key} goes with ${owners.join(', ')} only` })
    }
  }

const jsonPathSchema: z.ZodType<JsonPathCheck> = z
  .strictObject({ path: z.string().min(1).describe('A JSONPath (RFC 9535).'), ...operatorShape })
  .superRefine(operatorRules(1)) as never

export const checkSchema = z
  .strictObject({ name: z.string().optional(), weight: z.number().positive().optional(), arm, ...operatorShape })
  .superRefine(operatorRules(1))

export const fileCheckSchema = z
  .strictObject({
    path: z.string().min(1).describe('A path in the workspace, or a glob.'),
    exists: z.boolean().optional(),
    unchanged: z.boolean().optional(),
    checks: z.array(checkSchema).optional(),
    name: z.string().optional(),
    weight: z.number().positive().optional(),
    arm,
    ...operatorShape,
  })
  .superRefine(operatorRules(0))

type Operators = {
  readonly equals?: unknown
  readonly contains?: string
  readonly contains_all?: readonly string[]
  readonly contains_any?: readonly string[]
  readonly starts_with?: string
  readonly ends_with?: string
  readonly regex?: string
  readonly length?: z.output<typeof length>
  readonly is_json?: boolean
  readonly json_schema?: z.output<typeof jsonSchema>
  readonly json_equals?: unknown
  readonly json_path?: JsonPathCheck
  readonly similar?: z.output<typeof similar>
  readonly headings?: readonly string[]
  readonly script?: z.output<typeof script>
  readonly rubric?: z.output<typeof rubric>
  readonly judges?: number
  readonly ignore_case?: boolean
  readonly trim?: boolean
  readonly ignore?: readonly string[]
  readonly tolerance?: number
  readonly unordered?: readonly string[]
  readonly not?: boolean
}
export type JsonPathCheck = Operators & { readonly path: string }
export type Check = Operators & {
  readonly name?: string
  readonly weight?: number
  readonly arm?: 'with_skills'
  /** Where it stands in the `expected` of its suite, written by an arm that leaves others out; never by an author. */
  readonly place?: string
}
export type FileCheck = Check & {
  readonly path: string
  readonly exists?: boolean
  readonly unchanged?: boolean
  readonly checks?: readonly Check[]
}

/** The one operator of a check; undefined only in a file check that has none. */
export const operatorOf = (check: Check): CheckOperator | undefined =>
  checkOperators.find((op) => Object.hasOwn(check, op))
