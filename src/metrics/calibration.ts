import type { Calibration } from '../schema/calibration.ts'
import { cohenKappa } from './cohen-kappa.ts'
import { wilson } from './wilson.ts'

/** A person's label and a judge's verdict on the same thing. */
export type JudgedLabel = { readonly label: 'pass' | 'fail'; readonly verdict: 'pass' | 'fail' }

/** How far a judge agrees with people, and how it errs. */
export const calibration = (
  judged: readonly JudgedLabel[],
): Pick<Calibration, 'n' | 'agreement' | 'kappa' | 'false_pass' | 'false_fail'> => {
  const count = (label: JudgedLabel['label'], verdict: JudgedLabel['verdict']): number =>
    judged.filter((one) => one.label === label && one.verdict === verdict).length
  const [passed, missed] = [count('pass', 'pass'), count('pass', 'fail')]
  const [slipped, caught] = [count('fail', 'pass'), count('fail', 'fail')]
  return {
    n: judged.length,
    agreement: rateOf(passed + caught, judged.length),
    kappa: cohenKappa([
      [passed, missed],
      [slipped, caught],
    ]),
    false_pass: rateOf(slipped, slipped + caught),
    false_fail: rateOf(missed, passed + missed),
  }
}

const rateOf = (count: number, of: number): Calibration['agreement'] => {
  const interval = wilson(count, of)
  return { rate: of === 0 ? null : count / of, count, of, interval: interval && [interval[0], interval[1]] }
}
