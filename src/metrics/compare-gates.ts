import type { ComparedCase, GateResult } from '../schema/compare.ts'
import type { ComparedRuns } from './compare-runs.ts'
import { isAtMost } from './tolerance.ts'

/** What a comparison must keep to. Limits are shares: 0.02 is two points of the pass rate, or 2 % of the cost. */
export type Gates = {
  readonly maxRegression?: number
  readonly maxCost?: number
  readonly new: 'fail' | 'warn'
  readonly gone: 'fail' | 'warn'
}

/**
 * Every gate that applies, with what was found. Golden cases must be there and pass, whatever else is allowed. A limit
 * on a regression decides by the difference that was seen; without one the verdict itself is the gate. A number that is
 * not known meets no limit.
 */
export const compareGates = (compared: ComparedRuns, gates: Gates): GateResult[] => {
  const { paired, numbers, counts, verdict } = compared
  const { maxRegression, maxCost } = gates
  const results: GateResult[] = []
  if (compared.cases.some(({ golden }) => golden)) {
    results.push(noneOf('golden', compared.cases.filter(isBrokenGolden).length))
  }
  if (maxRegression === undefined) {
    results.push({ name: 'verdict', limit: null, actual: paired.difference, passed: verdict !== 'worse' })
  } else {
    const lost = paired.difference === null ? null : 0 - paired.difference
    results.push(atMost('max_regression', maxRegression, lost))
  }
  if (maxCost !== undefined) results.push(costGate(maxCost, numbers.cost_usd))
  if (gates.new === 'fail') results.push(noneOf('new', counts.new))
  if (gates.gone === 'fail') results.push(noneOf('gone', counts.gone))
  return results
}

/** Also one that could not be judged, or is gone: it must pass, and nobody saw it pass. */
export const isBrokenGolden = ({ golden, head }: ComparedCase): boolean => golden && head?.status !== 'passed'

const costGate = (limit: number, cost: ComparedRuns['numbers']['cost_usd']): GateResult => {
  const isFree = cost.base === 0 && cost.head === 0
  const relative = isFree ? 0 : cost.relative
  return atMost('max_cost', limit, relative)
}

const noneOf = (name: GateResult['name'], found: number): GateResult => atMost(name, 0, found)

const atMost = (name: GateResult['name'], limit: number, actual: number | null): GateResult => ({
  name,
  limit,
  actual,
  passed: actual !== null && isAtMost(actual, limit + EPSILON),
})

// Shares come out of subtractions: 0.9 - 0.88 is a hair above 0.02.
const EPSILON = 1e-9
