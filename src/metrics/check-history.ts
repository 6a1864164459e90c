import type { CheckHistory, CheckRecord, TrialRow } from '../core/results.ts'
import { ruleOfThree } from './rule-of-three.ts'

export type CheckHistoryFold = {
  add(row: TrialRow): void
  /** Checks with fewer trials are counted, and not listed. */
  result(minTrials: number): Omit<CheckHistory, 'runs'>
}

/**
 * Folds trials of any number of runs into what became of each check: those that never failed and those that always did.
 * Only trials that could be judged count, and none of a case that is expected to fail. The rows of one case (`row/1`,
 * `row/2`, those of `row/{{month}}`) go together; so do their checks, by what they say without the values of the row. What is held grows with the checks, not with the trials.
 */
export const checkHistory = (): CheckHistoryFold => {
  const records = new Map<string, Tally>()
  let trials = 0
  let xfail = 0
  return {
    add: (row) => {
      if (row.status !== 'passed' && row.status !== 'failed') return
      if (row.xfail) {
        xfail += 1
        return
      }
      trials += 1
      const isReplayed = row.cassette !== undefined && row.cassette.mode !== 'record'
      const id = row.rows_of ?? row.case.replace(/\/\d+$/, '/*')
      const seen = new Map<string, number>()
      for (const { name: said, kind, passed, weight } of row.checks) {
        if (weight === 0) continue
        const name = id === row.case ? said : withoutValues(said)
        const key = JSON.stringify([row.suite, id, kind, name])
        const nth = (seen.get(key) ?? 0) + 1
        seen.set(key, nth)
        const tally = tallyOf(records, `${key} ${nth}`, { suite: row.suite, case: id, check: name, kind })
        tally.trials += 1
        if (isReplayed) tally.replayed += 1
        if (!passed) tally.failed += 1
      }
    },
    result: (minTrials) => {
      const all = [...records.values()]
      const enough = all.filter((record) => record.trials >= minTrials).sort(byTrials)
      const never = enough.filter(({ failed }) => failed === 0)
      return {
        trials,
        xfail,
        min_trials: minTrials,
        checks: all.length,
        too_few: all.length - enough.length,
        guards: never.filter(isGuard).length,
        never_failed: never.filter((record) => !isGuard(record)).map(bounded),
        always_failed: enough.filter((record) => record.failed === record.trials).map(bounded),
      }
    },
  }
}

type Tally = { -readonly [K in keyof Omit<CheckRecord, 'bound'>]: CheckRecord[K] }

const tallyOf = (
  records: Map<string, Tally>,
  key: string,
  about: Pick<CheckRecord, 'suite' | 'case' | 'check' | 'kind'>,
): Tally => {
  const known = records.get(key)
  if (known !== undefined) return known
  const made = { ...about, trials: 0, failed: 0, replayed: 0 }
  records.set(key, made)
  return made
}

/** `contains "March"` in one row is `contains "April"` in the next. */
const withoutValues = (name: string): string => name.replace(/"(?:[^"\\]|\\.)*"/g, '"…"').replace(/\d+(?:\.\d+)*/g, '…')

/** What only forbids should never fail: that it did not is no reason to look at it. */
const isGuard = ({ kind, check }: Pick<CheckRecord, 'kind' | 'check'>): boolean =>
  guards.has(kind) || (guardNames[kind]?.test(check) ?? false)

/** A kind that may forbid or ask tells by its name which it does. */
const guardNames: Readonly<Record<string, RegExp>> = {
  skills: /^(?:no skill is selected$|the skills selected exclude )/,
  file: / (?:is unchanged|does not exist)$/,
}

const guards: ReadonlySet<string> = new Set(['constraint', 'never', 'only', 'before', 'no_loops'])

const byTrials = (a: Tally, b: Tally): number => b.trials - a.trials

const bounded = (tally: Tally): CheckRecord => ({ ...tally, bound: ruleOfThree(tally.trials) })
