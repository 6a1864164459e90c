import * as z from 'zod'
import { GraderError } from '../grader-error.ts'

const share = z.number().min(0).max(1)

const partSchema = z
  .object({
    name: z.string().min(1),
    pass: z.boolean().optional(),
    passed: z.boolean().optional(),
    score: share.optional(),
    message: z.string().optional(),
  })
  .refine(({ pass, passed, score }) => (pass ?? passed ?? score) !== undefined, 'needs pass or score')

const verdictSchema = z.object({
  score: share.optional(),
  pass: z.boolean().optional(),
  message: z.string().optional(),
  checks: z.array(partSchema).optional(),
})

export type ScriptVerdict = z.output<typeof verdictSchema>

/**
 * The verdict that a grader printed: the last JSON object in its output, begun on a line of its own, that has `score`,
 * `pass` or `checks`; undefined where there is none. Throws a GraderError for one that says these in a way that means nothing.
 */
export const readVerdict = (stdout: string): ScriptVerdict | undefined => {
  const object = lastVerdict(stdout)
  if (object === undefined) return undefined
  const result = verdictSchema.safeParse(object)
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => `${issue.path.join('.') || 'it'}: ${issue.message}`)
  throw new GraderError(`the verdict that it printed is not valid: ${issues.join('; ')}`, {
    hint: 'A verdict is {"score": 0–1, "pass": true or false, "message": "…", "checks": […]}.',
  })
}

const verdictKeys = ['score', 'pass', 'checks']

/** How many lines that could begin the object are tried, from the end. */
const maxStarts = 50

const lastVerdict = (stdout: string): object | undefined => {
  const lines = stdout.trimEnd().split('\n')
  let starts = 0
  for (let i = lines.length - 1; i >= 0 && starts < maxStarts; i--) {
    if (!lines[i]?.startsWith('{')) continue
    starts++
    const object = parseObject(lines[i]) ?? parseObject(lines.slice(i, endOfObject(lines, i)).join('\n'))
    if (object !== undefined && verdictKeys.some((key) => Object.hasOwn(object, key))) return object
  }
  return undefined
}

/** An object over several lines ends with the first line that begins with its closing brace. */
const endOfObject = (lines: readonly string[], start: number): number => {
  const end = lines.findIndex((line, i) => i > start && line.startsWith('}'))
  return end < 0 ? lines.length : end + 1
}

const parseObject = (text: string | undefined): object | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    // Not JSON: an earlier line may begin it.
    return undefined
  }
}
