import type { RunHead } from '../../core/results.ts'
import type { Comparison } from '../../schema/compare.ts'

/** What the block `head` holds. `base` names the cases of the other run in the order of their blocks. */
export type ReportHead = {
  readonly run: RunHead
  readonly compared?: {
    readonly comparison: Comparison
    readonly base: readonly { readonly suite: string; readonly id: string; readonly model: string }[]
  }
}
