import type * as z from 'zod'
import { UsageError } from '../core/errors.ts'
import type { CaseResult, SuiteHead } from '../core/results.ts'
import { parseJson } from '../lib/json.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { caseResultSchema, suiteResultSchema } from '../schema/run.ts'
import type { Host } from './host.ts'
import { storedPieces } from './stored-cases.ts'
import { type StoredHead, told } from './stored-runs.ts'

export type ShardFile = {
  readonly path: string
  readonly head: StoredHead
  readonly shard: NonNullable<StoredHead['shard']>
}

export type MergedCase = {
  readonly suite: string
  readonly result: CaseResult
  /** It should fail, and says nothing of quality. */
  readonly xfail: boolean
}

const suiteSchema = suiteResultSchema.omit({ cases: true })
type StoredSuite = z.output<typeof suiteSchema>

type ShardPiece =
  | { readonly suite: StoredSuite; readonly result?: undefined }
  | { readonly result: CaseResult; readonly suite?: undefined }

function* shardPieces(path: string, { files }: Pick<Host, 'files'>): Generator<ShardPiece> {
  for (const { is, json } of storedPieces(path, files)) {
    const parsed = parseJson(json)
    if (!parsed.ok) throw unusable(path, `it is not JSON: ${parsed.message}`)
    yield is === 'suite'
      ? { suite: checked(suiteSchema, parsed.value, path) }
      : { result: checked(caseResultSchema, parsed.value, path) }
  }
}

const checked = <S extends z.ZodType>(schema: S, value: unknown, path: string): z.output<S> => {
  const found = checkedBy(schema, value)
  if (found.ok) return found.data
  throw unusable(path, `it is no skills-eval/run@1: ${told(found.issues)}`)
}

/**
 * The cases of all shards in the order of the whole plan, one of each shard in memory at a time. `onSuite` is told each
 * suite as it begins, as each shard has it. Throws a UsageError where the shards do not fit together.
 */
export function* mergedCases(
  shards: readonly ShardFile[],
  host: Pick<Host, 'files'>,
  onSuite: (suites: readonly StoredSuite[]) => void = () => undefined,
): Generator<MergedCase> {
  const sources = shards.map(({ path }) => ({ path, pieces: shardPieces(path, host) }))
  let next = sources.map(({ pieces }) => pieces.next())
  const advance = (i: number) => {
    const one = sources[i]?.pieces.next()
    if (one) next = next.with(i, one)
  }
  let last = -1
  while (next.some(({ done }) => !done)) {
    const suites = next.map((piece, i) => suiteOf(piece, sources[i]?.path ?? ''))
    const [first] = suites
    const other = suites.findIndex((suite) => suite.name !== first?.name || suite.path !== first.path)
    if (!first || other !== -1) throw unfit(sources[other]?.path ?? '', 'it has other suites')
    onSuite(suites)
    for (const i of sources.keys()) advance(i)
    for (;;) {
      const lowest = lowestPlace(next)
      if (lowest === undefined) break
      const result = next[lowest]?.value?.result
      const path = sources[lowest]?.path ?? ''
      if (!result?.part) throw unfit(path, 'a case in it has no place in the plan')
      const { part, ...rest } = result
      if (part.place <= last) throw unfit(path, `the case ${visibleLine(`${first.name}/${result.id}`)} is there twice`)
      last = part.place
      yield { suite: first.name, result: rest, xfail: part.xfail }
      advance(lowest)
    }
  }
}

export type MergedSuite = Pick<SuiteHead, 'name' | 'path' | 'description' | 'distractors'>

const suiteOf = (piece: IteratorResult<ShardPiece> | undefined, path: string): StoredSuite => {
  const suite = piece?.done ? undefined : piece?.value.suite
  if (suite) return suite
  throw unfit(path, 'it has other suites')
}

const lowestPlace = (next: readonly IteratorResult<ShardPiece>[]): number | undefined => {
  let lowest: number | undefined
  let least = Number.POSITIVE_INFINITY
  for (const [i, piece] of next.entries()) {
    if (piece.done || !piece.value.result) continue
    const place = piece.value.result.part?.place ?? -1
    if (place >= least) continue
    least = place
    lowest = i
  }
  return lowest
}

const unusable = (path: string, problem: string): UsageError =>
  new UsageError('bad_run', `${visibleLine(path, 500)} can't be used: ${problem}`)

const unfit = (path: string, problem: string): UsageError =>
  new UsageError('bad_shards', `${visibleLine(path, 500)} does not fit the other shards: ${problem}`)
