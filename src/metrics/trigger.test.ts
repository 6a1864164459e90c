import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TriggerSummary } from '../core/results.ts'
import { type TriggerObservation, triggerMetrics } from './trigger.ts'

const fold = (observations: readonly TriggerObservation[]): TriggerSummary => {
  const metrics = triggerMetrics()
  for (const observation of observations) metrics.add(observation)
  return metrics.result()
}

const INDEX = ['csv', 'pdf', 'report']

const labelAll = (expected: readonly string[], selected: readonly string[], universe = INDEX): TriggerObservation => ({
  expected,
  selected,
  labelled: 'all',
  universe,
})

const counts = ({ tp, fp, fn, tn }: { tp: number; fp: number; fn: number; tn: number }) => [tp, fp, fn, tn]

describe('triggerMetrics', () => {
  test('gives the numbers that were worked out by hand', () => {
    const summary = fold([
      labelAll(['csv'], ['csv']),
      labelAll(['csv'], ['csv']),
      labelAll(['csv'], ['pdf']),
      labelAll(['csv'], []),
      labelAll(['pdf'], ['pdf']),
      labelAll(['pdf'], ['pdf', 'report']),
      labelAll([], []),
      labelAll([], ['csv']),
    ])
    expect(summary).toEqual({
      tp: 4,
      fp: 3,
      fn: 2,
      tn: 15,
      precision: 4 / 7,
      recall: 4 / 6,
      f1: 8 / 13,
      specificity: 15 / 18,
      macro: {
        precision: expect.closeTo((2 / 3 + 2 / 3 + 0) / 3, 12),
        recall: (1 / 2 + 1) / 2,
        f1: expect.closeTo((4 / 7 + 4 / 5 + 0) / 3, 12),
        specificity: expect.closeTo((3 / 4 + 5 / 6 + 7 / 8) / 3, 12),
      },
      skills: {
        csv: { tp: 2, fp: 1, fn: 2, tn: 3, precision: 2 / 3, recall: 1 / 2, f1: 4 / 7, specificity: 3 / 4 },
        pdf: { tp: 2, fp: 1, fn: 0, tn: 5, precision: 2 / 3, recall: 1, f1: 4 / 5, specificity: 5 / 6 },
        report: { tp: 0, fp: 1, fn: 0, tn: 7, precision: 0, recall: null, f1: 0, specificity: 7 / 8 },
      },
      confusion: [
        { expected: '(none)', selected: 'csv', count: 1 },
        { expected: '(none)', selected: 'report', count: 1 },
        { expected: 'csv', selected: '(none)', count: 1 },
        { expected: 'csv', selected: 'csv', count: 2 },
        { expected: 'csv', selected: 'pdf', count: 1 },
        { expected: 'pdf', selected: 'pdf', count: 2 },
      ],
    })
  })

  test('is null throughout when nothing was observed', () => {
    const none = { precision: null, recall: null, f1: null, specificity: null }
    expect(fold([])).toEqual({ ...none, tp: 0, fp: 0, fn: 0, tn: 0, macro: none, skills: {}, confusion: [] })
  })

  test('counts only the skills that a partial label names', () => {
    const summary = fold([
      { expected: ['csv'], selected: ['report', 'pdf'], labelled: ['csv', 'pdf'], universe: INDEX },
    ])
    expect(Object.keys(summary.skills)).toEqual(['csv', 'pdf'])
    expect(counts(summary)).toEqual([0, 1, 1, 0])
    // Where one was missed, whatever came instead is told, and counts for nothing.
    expect(summary.confusion).toEqual([
      { expected: 'csv', selected: 'pdf', count: 1 },
      { expected: 'csv', selected: 'report', count: 1 },
    ])
    const found = fold([{ expected: ['csv'], selected: ['csv', 'report'], labelled: ['csv', 'pdf'], universe: INDEX }])
    expect(found.confusion).toEqual([{ expected: 'csv', selected: 'csv', count: 1 }])
  })

  test('labels what is expected even where the label or the index leaves it out', () => {
    expect(counts(fold([{ expected: ['csv'], selected: [], labelled: ['pdf'], universe: INDEX }]))).toEqual([
      0, 0, 1, 1,
    ])
    expect(counts(fold([labelAll(['gone'], [])]))).toEqual([0, 0, 1, 3])
    expect(counts(fold([labelAll([], ['gone'])]))).toEqual([0, 0, 0, 3])
  })

  test('counts true negatives in each index by its own observations', () => {
    const other = ['csv', 'zip']
    const summary = fold([
      labelAll([], []),
      labelAll(['csv'], ['csv']),
      labelAll([], [], other),
      labelAll([], ['zip'], other),
    ])
    expect(summary.skills).toMatchObject({
      csv: { tp: 1, fp: 0, fn: 0, tn: 3 },
      pdf: { tp: 0, fp: 0, fn: 0, tn: 2 },
      report: { tp: 0, fp: 0, fn: 0, tn: 2 },
      zip: { tp: 0, fp: 1, fn: 0, tn: 1 },
    })
  })

  test('counts a name that is given twice once', () => {
    expect(fold([labelAll(['csv', 'csv'], ['csv', 'pdf', 'pdf'], ['csv', 'csv', 'pdf'])])).toEqual(
      fold([labelAll(['csv'], ['csv', 'pdf'], ['csv', 'pdf'])]),
    )
  })

  test('takes any name for a skill', () => {
    const names = ['__proto__', 'constructor', 'toString']
    const { skills } = fold([labelAll(['__proto__'], ['constructor'], names)])
    expect(Object.keys(skills).sort()).toEqual(names)
    expect(Object.getPrototypeOf(skills)).toBe(Object.prototype)
    const parsed = new Map(Object.entries<unknown>(JSON.parse(JSON.stringify(skills))))
    expect(parsed.get('__proto__')).toMatchObject({ fn: 1, recall: 0 })
    expect(parsed.get('constructor')).toMatchObject({ fp: 1, precision: 0 })
    expect(parsed.get('toString')).toMatchObject({ tn: 1, specificity: 1 })
  })

  test('goes on after a result was read', () => {
    const metrics = triggerMetrics()
    metrics.add(labelAll(['csv'], ['csv']))
    metrics.result()
    metrics.add(labelAll(['csv'], []))
    expect(metrics.result()).toEqual(fold([labelAll(['csv'], ['csv']), labelAll(['csv'], [])]))
  })

  const labels = (trial: TriggerObservation): readonly string[] =>
    trial.labelled === 'all' ? [...trial.universe, ...trial.expected] : [...trial.labelled, ...trial.expected]

  const countOneByOne = (trials: readonly TriggerObservation[]) =>
    [...new Set(trials.flatMap(labels))].sort().map((skill) => {
      const seen = trials
        .filter((trial) => labels(trial).includes(skill))
        .map((trial) => `${trial.expected.includes(skill)} ${trial.selected.includes(skill)}`)
      const outcomes = ['true true', 'false true', 'true false', 'false false']
      return [skill, outcomes.map((outcome) => seen.filter((each) => each === outcome).length)]
    })

  const universes = [['a', 'b', 'c', '__proto__'], ['c', 'd'], []]
  const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'x'), { maxLength: 4 })
  const observation: fc.Arbitrary<TriggerObservation> = fc.record({
    expected: names,
    selected: names,
    labelled: fc.oneof(fc.constant('all' as const), names),
    universe: fc.constantFrom(...universes),
  })
  const observations = fc.array(observation, { maxLength: 30 })

  test('agrees with looking at every labelled skill of every trial', () => {
    fc.assert(
      fc.property(observations, (trials) => {
        const actual = Object.entries(fold(trials).skills).map(([name, skill]) => [name, counts(skill)])
        expect(actual).toEqual(countOneByOne(trials))
      }),
    )
  })

  test('tp + fn is how often a skill was expected, and the top level is the sum over skills', () => {
    fc.assert(
      fc.property(observations, (trials) => {
        const summary = fold(trials)
        for (const [name, skill] of Object.entries(summary.skills)) {
          expect(skill.tp + skill.fn).toBe(trials.filter((trial) => trial.expected.includes(name)).length)
        }
        const sums = Object.values(summary.skills).reduce(
          (sum, skill) => counts(skill).map((count, i) => count + sum[i]!),
          [0, 0, 0, 0],
        )
        expect(counts(summary)).toEqual(sums)
        const hits = summary.confusion.filter((cell) => cell.expected === cell.selected)
        expect(hits.reduce((sum, cell) => sum + cell.count, 0)).toBe(summary.tp)
      }),
    )
  })

  test('does not depend on the order of trials', () => {
    fc.assert(
      fc.property(observations, (trials) => {
        expect(JSON.stringify(fold([...trials].reverse()))).toBe(JSON.stringify(fold(trials)))
      }),
    )
  })

  test('takes 10,000 trials over 1,000 skills without looking at each skill each time', () => {
    const index = Array.from({ length: 1000 }, (_, i) => `skill-${i}`)
    const before = process.cpuUsage()
    const metrics = triggerMetrics()
    for (let i = 0; i < 10_000; i++) metrics.add(labelAll([`skill-${i % 1000}`], [`skill-${i % 999}`], index))
    const { tp, fn, tn, fp } = metrics.result()
    const { user } = process.cpuUsage(before)
    expect([tp + fn, tp + fp, tp + fp + fn + tn]).toEqual([10_000, 10_000, 10_000_000])
    expect(user / 1e6).toBeLessThan(0.5)
  })
})

describe('distractors', () => {
  const universe = ['csv', 'log']
  const distractors = new Set(['tides', 'chess'])
  const of = (...observations: readonly Omit<TriggerObservation, 'universe' | 'distractors'>[]) => {
    const fold = triggerMetrics()
    for (const observation of observations) fold.add({ ...observation, universe, distractors })
    return fold.result()
  }

  test('count as false positives of the total, for no skill, and never as true negatives', () => {
    const one = of(
      { expected: ['csv'], selected: ['csv', 'tides'], labelled: 'all' },
      { expected: [], selected: ['tides', 'chess'], labelled: 'all' },
    )
    expect(one).toMatchObject({ tp: 1, fp: 3, fn: 0, tn: 3, distractors: 3, precision: 1 / 4 })
    expect(Object.keys(one.skills)).toEqual(['csv', 'log'])
    expect(one.macro.precision).toBe(1)
    const none = of({ expected: [], selected: [], labelled: 'all' })
    expect(none).toMatchObject({ fp: 0, tn: 2, distractors: 0, specificity: 1 })
  })

  test('stand in the confusion table beside what was expected', () => {
    const { confusion } = of(
      { expected: ['csv'], selected: ['tides'], labelled: 'all' },
      { expected: [], selected: ['tides'], labelled: 'all' },
    )
    expect(confusion).toEqual([
      { expected: '(none)', selected: 'tides', count: 1 },
      { expected: 'csv', selected: 'tides', count: 1 },
    ])
  })

  test('where only some skills are labelled, are told only as what came instead of one that was missed', () => {
    const partly = of(
      { expected: ['csv'], selected: ['tides'], labelled: ['csv'] },
      { expected: ['csv'], selected: ['csv', 'tides'], labelled: ['csv'] },
      { expected: [], selected: ['tides'], labelled: ['log'] },
    )
    expect(partly).toMatchObject({ tp: 1, fp: 0, fn: 1, tn: 1, distractors: 0 })
    expect(partly.confusion).toEqual([
      { expected: 'csv', selected: 'csv', count: 1 },
      { expected: 'csv', selected: 'tides', count: 1 },
    ])
  })

  test('change no number where none is selected', () => {
    const observations = [
      { expected: ['csv'], selected: ['csv'], labelled: 'all' as const },
      { expected: ['log'], selected: [], labelled: ['log'] },
    ]
    const without = triggerMetrics()
    for (const observation of observations) without.add({ ...observation, universe })
    const { distractors: count, ...withThem } = of(...observations)
    expect(count).toBe(0)
    expect(withThem).toEqual(without.result())
  })
})
