import type { CaseResult } from '../../core/results.ts'
import type { CaseRow } from '../../report/html/case-row.ts'
import { BLOCK_TYPE, type BlockKind } from '../../report/html/data-block.ts'
import type { ReportHead } from '../../report/html/report-head.ts'
import type { UsedSkill } from '../../report/html/used-parts.ts'
import { type ListedRow, searchedText } from '../filter-rows.ts'
import { caseKey } from '../route.ts'

export type ReportData = {
  readonly head: ReportHead
  /** All rows of the run, unpacked in the background. */
  readonly rows: Promise<readonly ListedRow[]>
  /** A case whole, by its place in the run, or in the run that it is compared with. */
  caseAt(kind: 'cases' | 'base', index: number): Promise<CaseResult | undefined>
  used(): Promise<readonly UsedSkill[]>
}

/** Finds the data in the page. Rejects where it is damaged. */
export const openData = async (): Promise<ReportData> => {
  const [first] = blocksOf('head')
  if (first === undefined) throw new Error('the file holds no data')
  const head = (await unpacked(first)) as ReportHead
  const finders = { cases: caseFinder(blocksOf('cases')), base: caseFinder(blocksOf('base')) }
  return { head, rows: readRows(head), caseAt: (kind, index) => finders[kind](index), used: readUsed }
}

const readUsed = async (): Promise<readonly UsedSkill[]> => {
  const [block] = blocksOf('used')
  return block === undefined ? [] : ((await unpacked(block)) as readonly UsedSkill[])
}

const blocksOf = (kind: BlockKind): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`script[type="${BLOCK_TYPE}"][data-kind="${kind}"]`),
]

const unpacked = async (block: HTMLElement): Promise<unknown> => {
  const binary = atob(block.textContent ?? '')
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  return JSON.parse(await new Response(stream).text())
}

const readRows = async ({ run }: ReportHead): Promise<readonly ListedRow[]> => {
  const rows: ListedRow[] = []
  for (const block of blocksOf('rows')) {
    for (const row of (await unpacked(block)) as CaseRow[]) {
      const suite = run.suites[row.suite]?.name ?? ''
      rows.push({
        ...row,
        index: rows.length,
        suiteName: suite,
        key: caseKey({ suite, id: row.id, model: row.model }),
        searched: searchedText(suite, row),
      })
    }
  }
  return rows
}

/** Unpacks the block that a case is in; the last few stay, since its neighbours are looked at next. */
const caseFinder = (blocks: readonly HTMLElement[]) => {
  const starts = blocks.map((block) => Number(block.dataset.first))
  const kept = new Map<number, Promise<readonly CaseResult[]>>()
  return async (index: number): Promise<CaseResult | undefined> => {
    const at = starts.findLastIndex((start) => start <= index)
    const [block, start] = [blocks[at], starts[at]]
    if (block === undefined || start === undefined) return undefined
    const cases = kept.get(at) ?? (unpacked(block) as Promise<readonly CaseResult[]>)
    kept.delete(at)
    kept.set(at, cases)
    for (const oldest of kept.keys()) if (kept.size > 4) kept.delete(oldest)
    return (await cases)[index - start]
  }
}
