import type { Check } from '../../schema/check.ts'
import { GraderError } from '../grader-error.ts'
import { askJudge } from '../judge/ask-judge.ts'
import type { JudgeVerdict } from '../judge/read-verdicts.ts'
import { tally, tallyText } from '../judge/tally.ts'
import type { GradingPorts } from '../ports.ts'
import type { Subject } from '../subject.ts'
import type { Verdict } from './verdict.ts'

/**
 * A judge's verdict on each criterion, with evidence; it holds where all are met and scores the share that is. With
 * `judges` it is asked so often, each time anew. Where there is no text, nothing is met and nobody is asked.
 */
export const rubric = async (check: Check, subject: Subject, { judge }: GradingPorts): Promise<Verdict> => {
  const criteria = typeof check.rubric === 'string' ? [check.rubric] : (check.rubric ?? [])
  if (judge === undefined) throw new GraderError('there is no judge', { fault: 'judge_error' })
  if (subject.text.trim() === '') {
    return { holds: false, score: 0, message: `${subject.what} is empty: there is nothing to judge`, actual: '' }
  }
  const question = { criteria, request: judge.request, what: subject.what, material: subject.text }
  const votes: (readonly JudgeVerdict[])[] = []
  // One after the other: what is recorded stands in the order in which it was asked.
  for (let n = 0; n < (check.judges ?? 1); n += 1) votes.push(await askJudge(judge, question))
  const results = tally(criteria, votes, subject.text)
  const met = results.filter((result) => result.met).length
  return {
    holds: met === results.length,
    score: met / results.length,
    message: tallyText(results),
    expected: criteria,
    actual: results,
  }
}
