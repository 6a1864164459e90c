import type { Status } from '../../core/results.ts'

const marks: Readonly<Record<Status, string>> = { passed: '✓', failed: '✗', error: '!', stale: '↻', skipped: '–' }

/** A status as a mark and a word: colour alone says nothing. */
export const StatusWord = ({ status }: { readonly status: Status }) => (
  <span class={`status ${status}`}>
    <span aria-hidden="true">{marks[status]}</span> {status}
  </span>
)
