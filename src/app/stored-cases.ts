import { UsageError } from '../core/errors.ts'
import type { CaseResult } from '../core/results.ts'
import { parseJson } from '../lib/json.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { caseResultSchema, type RunResult, suiteResultSchema } from '../schema/run.ts'
import type { Host } from './host.ts'

type StoredSuite = Omit<RunResult['suites'][number], 'cases'>

export type StoredPiece =
  | { readonly suite: StoredSuite; readonly result?: undefined }
  | { readonly result: CaseResult; readonly suite?: undefined }

/**
 * The suites and cases of a run.json in its order, read as they are asked for: one case is a line of it. Throws a
 * UsageError for a file that is laid out otherwise, or that holds anything else.
 */
export function* storedCases(path: string, { files }: Pick<Host, 'files'>): Generator<StoredPiece> {
  let isInSuites = false
  let isInSuite = false
  for (const line of files.lines(path)) {
    const text = line.endsWith(',') ? line.slice(0, -1) : line
    if (!isInSuites) isInSuites = text === '"suites":['
    else if (text === ']}') isInSuite = false
    else if (text === ']') return
    else if (text === '') continue
    else if (isInSuite) yield { result: checkedLine(caseResultSchema, text, path) }
    else {
      isInSuite = true
      yield { suite: checkedLine(suiteResultSchema.omit({ cases: true }), `${text}]}`, path) }
    }
  }
  throw bad(path, 'it has no end, or is not laid out as skills-eval writes it')
}

const checkedLine = <S extends Parameters<typeof checkedBy>[0]>(schema: S, text: string, path: string) => {
  const parsed = parseJson(text)
  if (!parsed.ok) throw bad(path, `it is not JSON: ${parsed.message}`)
  const checked = checkedBy(schema, parsed.value)
  if (!checked.ok) throw bad(path, 'it is no skills-eval/run@1')
  return checked.data
}

const bad = (path: string, problem: string): UsageError =>
  new UsageError('bad_run', `${visibleLine(path, 500)} can't be used: ${problem}`)
