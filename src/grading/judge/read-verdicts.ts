import * as z from 'zod'
import type { ModelResponse } from '../../core/model.ts'
import { parseJson } from '../../lib/json.ts'
import { checkedBy } from '../../lib/zod-issues.ts'
import { verdictTool } from './judge-request.ts'

/** What a judge says of one criterion. */
export type JudgeVerdict = { readonly passed: boolean; readonly quote: string; readonly reason: string }

const said = z.string().nullish()
const verdictsSchema = z.object({
  verdicts: z.array(z.object({ criterion: z.int(), verdict: z.enum(['pass', 'fail']), quote: said, reason: said })),
})

/** What was asked, as far as it decides what counts as an answer. */
export type Asked = { readonly protocol: 'native' | 'text'; readonly count: number; readonly material: string }

/** A verdict for each of `count` criteria, in their order; or why the answer is none. */
export const readVerdicts = (
  response: ModelResponse,
  { protocol, count, material }: Asked,
): { readonly verdicts: readonly JudgeVerdict[] } | { readonly problem: string } => {
  const given = protocol === 'native' ? answersCalled(response) : answerWritten(response, material)
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

type Given = { readonly answers: readonly unknown[] } | { readonly problem: string }

/** What the tool was called with. Its text is none of it: there a judge may quote the verdicts that the material claims. */
const answersCalled = ({ calls }: ModelResponse): Given => {
  if (calls.length === 0) return { problem: `${verdictTool.name} was not called` }
  const other = calls.find(({ name }) => name !== verdictTool.name)
  if (other) return { problem: `there is no tool ${JSON.stringify(other.name)}` }
  const broken = calls.find(({ problem }) => problem !== undefined)
  if (broken?.problem !== undefined) return { problem: broken.problem }
  return { answers: calls.map(({ input }) => input) }
}

/** The JSON that is the whole answer, fenced or not. What stands word for word in the material is a quotation. */
const answerWritten = ({ text }: ModelResponse, material: string): Given => {
  const json = unfenced(text)
  const read = parseJson(json)
  if (!read.ok) return { problem: `it is not JSON alone: ${read.message}` }
  if (withoutSpace(material).includes(withoutSpace(json))) return { problem: 'it stands in the material word for word' }
  return { answers: [read.value] }
}

const unfenced = (text: string): string => {
  const whole = text.trim()
  const [, , code] = /^(`{3,}|~{3,})(?:json)?[ \t]*\r?\n([\s\S]*)\n[ \t]*\1$/i.exec(whole) ?? []
  return (code ?? whole).trim()
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '')

const issueText = (issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string => {
  if (issue === undefined) return 'it is not valid'
  const path = issue.path.map(String).join('.')
  return path === '' ? issue.message : `${path}: ${issue.message}`
}
