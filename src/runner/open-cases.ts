import type { PlannedCase } from '../core/plan.ts'
import type { TrialRow } from '../core/results.ts'
import { type AdaptiveCase, adaptiveCase, stopRule } from './adaptive-case.ts'

export type OpenCases = {
  /** A case whose trials are about to start; one without trials is closed at once. */
  open(planned: PlannedCase): void
  /** The next trial of an open case that may start now. */
  next(planned: PlannedCase): number | undefined
  /** One more trial of the case has ended; true where it was the last one. */
  ended(planned: PlannedCase, row: TrialRow): boolean
  isOpen(planned: PlannedCase): boolean
  /** Closes a case that ran to its end with this row, or that did not run, or not to its end. */
  close(planned: PlannedCase, row?: TrialRow): void
  /** Closes all that is still open, as not run to its end. */
  closeAll(): void
  /** Whether trials that are under way may let others start. */
  isWaiting(): boolean
}

type OpenCase = { readonly planned: PlannedCase; started: number; left: number; readonly adaptive?: AdaptiveCase }

/**
 * The cases under way, each with the number of its trials that are still out. A case with several trials is read back
 * from the store when it is closed: no trial is held here.
 */
export const openCases = (
  read: (at: number) => TrialRow | undefined,
  onClose: (planned: PlannedCase, rows: readonly (TrialRow | undefined)[]) => void,
): OpenCases => {
  const cases = new Map<number, OpenCase>()
  let adaptives = 0
  const close = (planned: PlannedCase, row?: TrialRow): void => {
    if (cases.get(planned.at)?.adaptive) adaptives -= 1
    cases.delete(planned.at)
    const rows =
      row !== undefined && planned.trials === 1
        ? [row]
        : Array.from({ length: planned.trials }, (_, i) => read(planned.at + i))
    onClose(planned, rows)
  }
  return {
    open: (planned) => {
      if (planned.trials === 0) return onClose(planned, [])
      const rule = stopRule(planned)
      if (rule) adaptives += 1
      const adaptive = rule ? { adaptive: adaptiveCase(rule) } : {}
      cases.set(planned.at, { planned, started: 0, left: planned.trials, ...adaptive })
    },
    next: (planned) => {
      const entry = cases.get(planned.at)
      if (!entry) return undefined
      if (entry.adaptive) return entry.adaptive.next()
      if (entry.started === planned.trials) return undefined
      entry.started += 1
      return entry.started
    },
    ended: (planned, row) => {
      const entry = cases.get(planned.at)
      if (!entry) return false
      entry.left -= 1
      return entry.adaptive ? entry.adaptive.ended(row.n, row.status) : entry.left === 0
    },
    isOpen: (planned) => cases.has(planned.at),
    close,
    closeAll: () => {
      for (const { planned } of [...cases.values()]) close(planned)
    },
    isWaiting: () => adaptives > 0,
  }
}
