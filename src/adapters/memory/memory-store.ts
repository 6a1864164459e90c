import type { Store } from '../../core/ports.ts'
import type { TrialRow } from '../../core/results.ts'

/** Finished trials in memory, as their JSON would read back. */
export const memoryStore = (): Store => {
  const rows = new Map<number, string>()
  return {
    append: (at, row) => void rows.set(at, JSON.stringify(row)),
    read: (at) => {
      const row = rows.get(at)
      return row === undefined ? undefined : (JSON.parse(row) as TrialRow)
    },
    close: () => undefined,
  }
}
