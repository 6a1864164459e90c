import * as z from 'zod'
import type { ModelResponse } from '../../core/model.ts'
import { extractJson } from '../../lib/json.ts'
import { checkedBy } from '../../lib/zod-issues.ts'
import { verdictTool } from './judge-request.ts'

/** What a judge says of one criterion. */
export type JudgeVerdict = { readonly passed: boolean; readonly quote: string; readonly reason: string }

const said = z.string().nullish()
const verdictsSchema = z.object({
  verdicts: z.array(z.object({ criterion: z.int(), verdict: z.enum(['pass', 'fail']), quote: said, reason: said })),
})

/** A verdict for each of `count` criteria, in their order; or why the answer is none. */
export const readVerdicts = (
  response: ModelResponse,
  count: number,
): { readonly verdicts: readonly JudgeVerdict[] } | { readonly problem: string } => {
  const given = answersIn(response)
  if ('problem' in given) return given
  const found = new Map<number, JudgeVerdict>()
  for (const answer of given.answers) {
    const checked = checkedBy(verdictsSchema, answer)
    if (!checked.ok) return { problem: issueText(checked.issues[0]) }
    for (const { criterion, verdict, quote, reason } of checked.data.verdicts) {
      if (criterion < 1 || criterion > count) return { problem: `there is no criterion ${criterion}` }
      if (found.has(criterion)) return { problem: `criterion ${criterion} has two verdicts` }
      found.set(criterion, { passed: verdict === 'pass', quote: quote ?? '', reason: reason ?? '' })
    }
  }
  const verdicts: JudgeVerdict[] = []
  for (let criterion = 1; criterion <= count; criterion += 1) {
    const verdict = found.get(criterion)
    if (verdict === undefined) return { problem: `criterion ${criterion} has no verdict` }
    verdicts.push(verdict)
  }
  return { verdicts }
}

/** What the tool was called with, else the JSON in the text. */
const answersIn = ({
  calls,
  text,
}: ModelResponse): { readonly answers: readonly unknown[] } | { readonly problem: string } => {
  const [first] = calls
  if (first === undefined) {
    const read = extractJson(text)
    return read.ok ? { answers: [read.value] } : { problem: `it is not JSON: ${read.message}` }
  }
  const other = calls.find(({ name }) => name !== verdictTool.name)
  if (other) return { problem: `there is no tool ${JSON.stringify(other.name)}` }
  const broken = calls.find(({ problem }) => problem !== undefined)
  if (broken?.problem !== undefined) return { problem: broken.problem }
  return { answers: calls.map(({ input }) => input) }
}

const issueText = (issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string => {
  if (issue === undefined) return 'it is not valid'
  const path = issue.path.map(String).join('.')
  return path === '' ? issue.message : `${path}: ${issue.message}`
}
