import type { Reporter } from '../core/ports.ts'
import type { CaseResult } from '../core/results.ts'
import type { Comparison } from '../schema/compare.ts'
import { caseRow } from './html/case-row.ts'
import { blockWriter, dataBlock } from './html/data-block.ts'
import { pageEnd, pageStart, type Viewer } from './html/page.ts'
import type { ReportHead } from './html/report-head.ts'
import { shownJson } from './json-text.ts'

/** A run that the report is compared with: its cases in any order, each with the name of its suite. */
export type BaseRun = {
  readonly comparison: Comparison
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
  let suite = -1
  return {
    start: (run) => {
      const compared = base === undefined ? undefined : comparedRun(base, pack)
      const head: ReportHead = { run, ...(compared === undefined ? {} : { compared: compared.head }) }
      return pageStart(viewer, reload) + dataBlock('head', 0, pack(shownJson(head))) + (compared?.blocks ?? '')
    },
    suite: () => {
      suite++
      return ''
    },
    // Halves of surrogate pairs stay escapes: they are to be seen.
    result: (result) => rows.add(shownJson(caseRow(suite, result))) + cases.add(shownJson(result)),
    end: () => rows.end() + cases.end() + pageEnd(viewer, reload),
  }
}

const comparedRun = ({ comparison, cases }: BaseRun, pack: HtmlOptions['pack']) => {
  const writer = blockWriter('base', pack)
  const base: { suite: string; id: string; model: string }[] = []
  const blocks: string[] = []
  for (const { suite, result } of cases) {
    base.push({ suite, id: result.id, model: result.model })
    blocks.push(writer.add(shownJson(result)))
  }
  blocks.push(writer.end())
  return { head: { comparison, base }, blocks: blocks.join('') }
}
