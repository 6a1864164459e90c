import type { ModelResponse } from '../../core/model.ts'
import { GraderError } from '../grader-error.ts'
import type { Judge } from '../ports.ts'
import { judgeRequest, type Question } from './judge-request.ts'
import { type JudgeVerdict, readVerdicts } from './read-verdicts.ts'

/** More than this would not be read with care by any judge, and is never cut to be judged in part. */
const MAX_CHARACTERS = 400_000

/**
 * Asks a judge once for a verdict on each criterion, and once more where its answer can't be read. Throws a GraderError
 * where there is no verdict: that is never a verdict of its own.
 */
export const askJudge = async ({ model, signal }: Judge, question: Question): Promise<readonly JudgeVerdict[]> => {
  const { length } = question.material
  if (length > MAX_CHARACTERS) {
    throw noVerdict(`${question.what} is too long to be judged: ${length} characters, at most ${MAX_CHARACTERS}`)
  }
  const asked = { protocol: model.protocol, count: question.criteria.length, material: question.material }
  const response = usable(await model.generate(judgeRequest(question, model.protocol), { signal }))
  const read = readVerdicts(response, asked)
  if ('verdicts' in read) return read.verdicts
  const unreadable = { response, problem: read.problem }
  const second = usable(await model.generate(judgeRequest(question, model.protocol, unreadable), { signal }))
  const readAgain = readVerdicts(second, asked)
  if ('verdicts' in readAgain) return readAgain.verdicts
  throw noVerdict(`the judge's answer can't be read: ${readAgain.problem}`)
}

const noVerdict = (message: string): GraderError => new GraderError(message, { fault: 'judge_error' })

const usable = (response: ModelResponse): ModelResponse => {
  const { error, stop } = response
  if (error !== undefined) {
    const { code, message } = error
    if (code === 'stale' || code === 'missing_cassette' || code === 'budget_exceeded')
      throw new GraderError(message, { fault: code })
    throw noVerdict(`the judge gave no answer: ${code}: ${message}`)
  }
  const ended = unusableEnds[stop]
  if (ended !== undefined) throw noVerdict(ended)
  return response
}

const unusableEnds: Readonly<Partial<Record<ModelResponse['stop'], string>>> = {
  refusal: 'the judge refused to judge',
  content_filter: "the provider filtered the judge's answer",
  context_overflow: 'the question is too long for the judge',
  max_tokens: "the judge's answer was cut off: raise params.max_tokens of its profile",
  error: 'the judge gave no answer',
}
