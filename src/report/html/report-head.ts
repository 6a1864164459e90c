import type { RunHead } from '../../core/results.ts'
import type { Comparison } from '../../schema/compare.ts'

/** What the block `head` holds. */
export type ReportHead = {
  readonly run: RunHead
  /** Where the report is of two runs. */
  readonly comparison?: Comparison
  /** The cases of the other run, or of the other arm of this one, in the order of their blocks. */
  readonly base?: readonly { readonly suite: string; readonly id: string; readonly model: string }[]
}
