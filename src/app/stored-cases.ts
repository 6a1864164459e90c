import * as z from 'zod'
import { FileError, UsageError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { parseJson } from '../lib/json.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { caseResultSchema, runSchema, trialSchema } from '../schema/run.ts'
import { maxRunBytes, type StoredHead, storedHeadSchema, told } from './stored-runs.ts'

/** As much of a case as two runs are compared by; what else stands there is not looked at. */
export const comparableSchema = caseResultSchema
  .pick({ id: true, model: true, golden: true, status: true, trials_planned: true, xfail: true, rubric_hash: true })
  .extend({
    trials: trialSchema
      .pick({ n: true, status: true, score: true, usage: true, cost_usd: true, latency_ms: true, judge: true })
      .array(),
  })

type CaseSchema = z.ZodType<
  Pick<z.output<typeof comparableSchema>, 'id' | 'model'> & {
    trials: { n: number; judge?: { models: string[] } | undefined }[]
  }
>

/** A run.json that is read case by case. */
export type StoredCases<T> = {
  readonly head: StoredHead
  /** The suites, models and judges that were come by: all of them once `cases` has ended. */
  readonly suites: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  /** The ids of the models that judged rubrics: another judge is another yardstick. */
  readonly judges: ReadonlySet<string>
  /** The distractors of each suite, as one text. */
  readonly distractors: ReadonlyMap<string, string>
  /** Its cases in their order, read as they are asked for, once. Throws a UsageError where the rest is no run. */
  readonly cases: Iterable<{ readonly suite: string; readonly result: T }>
}

/**
 * Opens a run.json, each case of which `schema` checks. One that is laid out as ours, a case a line, is read line by
 * line, and no more than a case of it is held; any other is read whole. Throws a UsageError where it is no run.
 */
export const openStoredCases = <S extends CaseSchema>(
  path: string,
  schema: S,
  files: Files,
): StoredCases<z.output<S>> => {
  const refuse = (problem: string): never => {
    throw new UsageError('bad_run', `${visibleLine(path, 500)} can't be used: ${problem}`)
  }
  const suites = new Set<string>()
  const models = new Set<string>()
  const judges = new Set<string>()
  const distractors = new Map<string, string>()
  const seen = new Set<string>()
  const checked = <C extends z.ZodType>(value: unknown, by: C): z.output<C> => {
    const found = checkedBy(by, value)
    return found.ok ? found.data : refuse(`it is no skills-eval/run@1: ${told(found.issues)}`)
  }
  const suiteOf = (value: unknown): string => {
    const { name, distractors: unrelated = [] } = checked(value, suiteSchema)
    suites.add(name)
    distractors.set(name, unrelated.toSorted().join(', '))
    return name
  }
  const caseOf = (suite: string, value: unknown): { readonly suite: string; readonly result: z.output<S> } => {
    const result = checked(value, schema)
    const { id, model, trials } = result
    const key = JSON.stringify([suite, id, model])
    // A case or trial that stands there twice would count twice.
    if (seen.has(key)) refuse(`it has the case ${visibleLine(`${suite}/${id}`)} twice`)
    if (new Set(trials.map(({ n }) => n)).size < trials.length)
      refuse(`it has a trial of ${visibleLine(`${suite}/${id}`)} twice`)
    seen.add(key)
    models.add(model)
    for (const { judge } of trials) for (const id of judge?.models ?? []) judges.add(id)
    return { suite, result }
  }
  const parsed = (text: string): unknown => {
    const read = parseJson(text)
    return read.ok ? read.value : refuse(`it is not JSON: ${read.message}`)
  }

  const lines = openLines(path, files)
  if (lines === undefined) {
    const run = checked(parsed(files.readText(path, maxRunBytes)), wholeSchema)
    function* cases() {
      for (const suite of run.suites) {
        suiteOf(suite)
        for (const value of suite.cases) yield caseOf(suite.name, value)
      }
    }
    return { head: run, suites, models, judges, distractors, cases: cases() }
  }

  const head = checked(parsed(`${lines.head.replace(/,$/, '')}}`), storedHeadSchema)
  function* cases() {
    let suite = ''
    for (const piece of piecesOf(lines?.rest ?? [], refuse)) {
      if (piece.is === 'suite') suite = suiteOf(parsed(piece.json))
      else yield caseOf(suite, parsed(piece.json))
    }
  }
  return { head, suites, models, judges, distractors, cases: cases() }
}

export type StoredPiece = { readonly is: 'suite' | 'case'; readonly json: string }

/** The suites and cases of a run.json as they stand there, read as they are asked for. Throws a UsageError for another layout. */
export const storedPieces = (path: string, files: Files): Generator<StoredPiece> => {
  const refuse = (problem: string): never => {
    throw refusedRun(path, problem)
  }
  const lines = openLines(path, files) ?? refuse('it is not laid out as skills-eval writes it')
  return piecesOf(lines.rest, refuse)
}

/** Whether a run.json is laid out as ours, a case a line. */
export const isOwnLayout = (path: string, files: Files): boolean => {
  const lines = openLines(path, files)
  lines?.rest[Symbol.iterator]().return?.()
  return lines !== undefined
}

export const refusedRun = (path: string, problem: string): UsageError =>
  new UsageError('bad_run', `${visibleLine(path, 500)} can't be used: ${visibleLine(problem, 500)}`)

/** The lines behind `"suites":[`: a line for each suite, its cases, and one that closes it; then two that close the rest. */
function* piecesOf(lines: Iterable<string>, refuse: (problem: string) => never): Generator<StoredPiece> {
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

const suiteSchema = runSchema.shape.suites.element.pick({ name: true, path: true, distractors: true })
const wholeSchema = storedHeadSchema.extend({ suites: z.array(suiteSchema.extend({ cases: z.array(z.unknown()) })) })

/** The head is small: where its end does not come soon, it is another layout. */
const maxHeadLines = 100

/** What stands before the suites, and the lines behind; undefined where the file is laid out otherwise. */
const openLines = (
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
