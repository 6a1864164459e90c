import * as z from 'zod'
import type { Files } from '../core/ports.ts'
import { parseJson } from '../lib/json.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { caseResultSchema, runSchema, trialSchema } from '../schema/run.ts'
import { openLines, piecesOf } from './stored-pieces.ts'
import { maxRunBytes, refusedRun, type StoredHead, storedHeadSchema, told } from './stored-runs.ts'

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
    throw refusedRun(path, problem)
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

const suiteSchema = runSchema.shape.suites.element.pick({ name: true, path: true, distractors: true })
const wholeSchema = storedHeadSchema.extend({ suites: z.array(suiteSchema.extend({ cases: z.array(z.unknown()) })) })
