import { UsageError } from '../core/errors.ts'
import type { CaseResult, SuiteHead } from '../core/results.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Host } from './host.ts'
import { type CheckedPiece, checkedPieces, type StoredSuite } from './stored-pieces.ts'
import type { StoredHead } from './stored-runs.ts'

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

/**
 * The cases of all shards in the order of the whole plan, one of each shard in memory at a time. `onSuite` is told each
 * suite as it begins, as each shard has it. Throws a UsageError where the shards do not fit together.
 */
export function* mergedCases(
  shards: readonly ShardFile[],
  host: Pick<Host, 'files'>,
  onSuite: (suites: readonly StoredSuite[]) => void = () => undefined,
): Generator<MergedCase> {
  const sources = shards.map(({ path }) => ({ path, pieces: checkedPieces(path, host.files) }))
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

const suiteOf = (piece: IteratorResult<CheckedPiece> | undefined, path: string): StoredSuite => {
  const suite = piece?.done ? undefined : piece?.value.suite
  if (suite) return suite
  throw unfit(path, 'it has other suites')
}

const lowestPlace = (next: readonly IteratorResult<CheckedPiece>[]): number | undefined => {
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

const unfit = (path: string, problem: string): UsageError =>
  new UsageError('bad_shards', `${visibleLine(path, 500)} does not fit the other shards: ${problem}`)
