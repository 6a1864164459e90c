import type { PlannedCase } from '../core/plan.ts'
import type { TrialRow } from '../core/results.ts'

export type OpenCases = {
  /** A case whose trials are about to start; one without trials is closed at once. */
  open(planned: PlannedCase): void
  /** One more trial of the case has ended; the last one closes it. */
  finish(planned: PlannedCase, row: TrialRow): void
  /** Closes a case that did not run, or not to its end. */
  closeUnrun(planned: PlannedCase): void
  /** Closes all that is still open, as not run to its end. */
  closeAll(): void
}

/**
 * The cases under way, each with the number of its trials that are still out. A case with several trials is read back
 * from the store when it is closed: no trial is held here.
 */
export const openCases = (
  read: (at: number) => TrialRow | undefined,
  onClose: (planned: PlannedCase, rows: readonly (TrialRow | undefined)[]) => void,
): OpenCases => {
  const left = new Map<number, { readonly planned: PlannedCase; trials: number }>()
  const close = (planned: PlannedCase): void => {
    onClose(
      planned,
      Array.from({ length: planned.trials }, (_, i) => read(planned.at + i)),
    )
  }
  return {
    open: (planned) => {
      if (planned.trials === 0) close(planned)
      else left.set(planned.at, { planned, trials: planned.trials })
    },
    finish: (planned, row) => {
      const entry = left.get(planned.at)
      if (!entry) return
      entry.trials -= 1
      if (entry.trials > 0) return
      left.delete(planned.at)
      if (planned.trials === 1) onClose(planned, [row])
      else close(planned)
    },
    closeUnrun: close,
    closeAll: () => {
      for (const { planned } of left.values()) close(planned)
      left.clear()
    },
  }
}
