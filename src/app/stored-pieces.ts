import type * as z from 'zod'
import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { parseJson } from '../lib/json.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { caseResultSchema, suiteResultSchema } from '../schema/run.ts'
import { refusedRun, told } from './stored-runs.ts'

/** A suite without its cases, or a case: a line of a run.json that is laid out as ours. */
export type StoredPiece = { readonly is: 'suite' | 'case'; readonly json: string }

/** The suites and cases of a run.json as they stand there, read as they are asked for. Throws a UsageError for another layout. */
export const storedPieces = (path: string, files: Files): Generator<StoredPiece> => {
  const refuse = (problem: string): never => {
    throw refusedRun(path, problem)
  }
  const lines = openLines(path, files) ?? refuse('it is not laid out as skills-eval writes it')
  return piecesOf(lines.rest, refuse)
}

const suiteSchema = suiteResultSchema.omit({ cases: true })
export type StoredSuite = z.output<typeof suiteSchema>

export type CheckedPiece =
  | { readonly suite: StoredSuite; readonly result?: undefined }
  | { readonly suite?: undefined; readonly result: z.output<typeof caseResultSchema> }

/** The same, each read and checked whole. Throws a UsageError for one that is none. */
export function* checkedPieces(path: string, files: Files): Generator<CheckedPiece> {
  for (const { is, json } of storedPieces(path, files)) {
    const parsed = parseJson(json)
    if (!parsed.ok) throw refusedRun(path, `it is not JSON: ${parsed.message}`)
    yield is === 'suite'
      ? { suite: checked(suiteSchema, parsed.value, path) }
      : { result: checked(caseResultSchema, parsed.value, path) }
  }
}

const checked = <S extends z.ZodType>(schema: S, value: unknown, path: string): z.output<S> => {
  const found = checkedBy(schema, value)
  if (found.ok) return found.data
  throw refusedRun(path, `it is no skills-eval/run@1: ${told(found.issues)}`)
}

/** Whether a run.json is laid out as ours, a case a line. */
export const isOwnLayout = (path: string, files: Files): boolean => {
  const lines = openLines(path, files)
  lines?.rest[Symbol.iterator]().return?.()
  return lines !== undefined
}

/** The lines behind `"suites":[`: a line for each suite, its cases, and one that closes it; then two that close the rest. */
export function* piecesOf(lines: Iterable<string>, refuse: (problem: string) => never): Generator<StoredPiece> {
  let place: 'suites' | 'cases' | 'end' | 'nothing' = 'suites'
  for (const line of lines) {
    if (place === 'cases') {
      if (line === ']}' || line === ']},') place = 'suites'
      else yield { is: 'case', json: line.replace(/,$/, '') }
    } else if (place === 'suites' && line !== ']') {
      place = 'cases'
      yield { is: 'suite', json: `${line}]}` }
    } else if (place === 'suites') place = 'end'
    else if (place === 'end' && line === '}') place = 'nothing'
    else if (line !== '') refuse('something stands behind its suites')
  }
  if (place !== 'nothing') refuse('it ends in the middle')
}

/** The head is small: where its end does not come soon, it is another layout. */
const maxHeadLines = 100

/** What stands before the suites, and the lines behind; undefined where the file is laid out otherwise. */
export const openLines = (
  path: string,
  files: Files,
): { readonly head: string; readonly rest: Iterable<string> } | undefined => {
  const iterator = files.lines(path)[Symbol.iterator]()
  const head: string[] = []
  const close = () => void iterator.return?.()
  try {
    for (let i = 0; i < maxHeadLines; i++) {
      const step = iterator.next()
      if (step.done) return undefined
      if (step.value === '"suites":[') return { head: head.join('\n'), rest: { [Symbol.iterator]: () => iterator } }
      head.push(step.value)
    }
  } catch (error) {
    if (error instanceof FileError && error.code === 'line_too_long') return undefined
    throw error
  }
  close()
  return undefined
}
