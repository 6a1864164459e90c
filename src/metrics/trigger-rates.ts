/** Observations of one skill, or of all: expected and selected (tp), only selected (fp), only expected (fn), neither (tn). */
export type TriggerCounts = {
  readonly tp: number
  readonly fp: number
  readonly fn: number
  readonly tn: number
}

export type TriggerRates = {
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
  readonly specificity: number | null
}

/**
 * Precision tp/(tp+fp), recall tp/(tp+fn), F1 2tp/(2tp+fp+fn) and specificity tn/(tn+fp); each is null when its
 * denominator is 0, because then nothing was measured.
 * Source: C. J. van Rijsbergen, "Information Retrieval" (2nd ed. 1979), chapter 7; F1 is 1 - E with β = 1.
 */
export const triggerRates = ({ tp, fp, fn, tn }: TriggerCounts): TriggerRates => ({
  precision: share(tp, tp + fp),
  recall: share(tp, tp + fn),
  f1: share(2 * tp, 2 * tp + fp + fn),
  specificity: share(tn, tn + fp),
})

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
