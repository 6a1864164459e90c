import type { Reporter } from '../core/ports.ts'
import type { CaseResult } from '../core/results.ts'
import type { Comparison } from '../schema/compare.ts'
import { caseRow } from './html/case-row.ts'
import { blockWriter, dataBlock } from './html/data-block.ts'
import { pageEnd, pageStart, type Viewer } from './html/page.ts'
import type { ReportHead } from './html/report-head.ts'
import { usedParts } from './html/used-parts.ts'
import { shownJson } from './json-text.ts'

/** What the run is shown beside: its cases in any order, each with the name of its suite. */
export type BaseRun = {
  /** Where it is another run; without it, it is the other arm of this one. */
  readonly comparison?: Comparison
  readonly cases: Iterable<{ readonly suite: string; readonly result: CaseResult }>
}

export type HtmlOptions = {
  readonly viewer: Viewer
  /** A text as UTF-8, compressed in the zlib format, in base64. */
  readonly pack: (text: string) => string
  readonly base?: BaseRun
  /** The script of a page that is served, see page.ts. */
  readonly reload?: string
}

/**
 * report.html: one file with the program that shows it and the data, compressed in blocks; nothing of the data is
 * markup. Holds no more than a block of cases, whatever their number.
 */
export const htmlReporter = ({ viewer, pack, base, reload }: HtmlOptions): Reporter => {
  const rows = blockWriter('rows', pack)
  const cases = blockWriter('cases', pack)
  const used = usedParts()
  let suite = -1
  return {
    start: (run) => {
      const beside = base === undefined ? undefined : baseBlocks(base, pack)
      const head: ReportHead = { run, ...beside?.head }
      return pageStart(viewer, reload) + dataBlock('head', 0, pack(shownJson(head))) + (beside?.blocks ?? '')
    },
    suite: () => {
      suite++
      return ''
    },
    // Halves of surrogate pairs stay escapes: they are to be seen.
    result: (result) => {
      used.add(result)
      return rows.add(shownJson(caseRow(suite, result))) + cases.add(shownJson(result))
    },
    end: () => rows.end() + cases.end() + dataBlock('used', 0, pack(shownJson(used.told()))) + pageEnd(viewer, reload),
  }
}

const baseBlocks = ({ comparison, cases }: BaseRun, pack: HtmlOptions['pack']) => {
  const writer = blockWriter('base', pack)
  const base: { suite: string; id: string; model: string }[] = []
  const blocks: string[] = []
  for (const { suite, result } of cases) {
    base.push({ suite, id: result.id, model: result.model })
    blocks.push(writer.add(shownJson(result)))
  }
  blocks.push(writer.end())
  return { head: { ...(comparison === undefined ? {} : { comparison }), base }, blocks: blocks.join('') }
}
