import { describe, expect, test } from 'vitest'
import { answer, call, skillsOf } from '../agent/agent.test-support.ts'
import type { EvalCase, PlannedSuite } from '../core/plan.ts'
import { renderIndex } from '../skills/render-index.ts'
import { runPlan } from './run-plan.ts'
import { aCase, aSuite, inMemory, planOf } from './runner.test-support.ts'

const source = skillsOf()
const skills = {
  source,
  renderedIndex: renderIndex(source.visible()),
  universe: source.visible().map((skill) => skill.name),
}

const cases: readonly EvalCase[] = [
  aCase({
    id: 'hit',
    expected: { skills: ['csv-analyzer'] },
    trials: 2,
    mock: [{ select_skills: 'csv-analyzer' }, 'Done.'],
  }),
  aCase({ id: 'miss', expected: { skills: ['log-triage'] }, mock: [{ select_skills: 'csv-analyzer' }, 'Done.'] }),
  aCase({ id: 'none', expected: { skills: [] }, mock: [{ read_file: 'data.csv' }, 'Done.'] }),
  aCase({ id: 'broken', expected: { skills: ['log-triage'] }, mock: [] }),
  aCase({ id: 'known', expected: { output: [{ equals: 'x' }] }, xfail: true }),
  aCase({ id: 'later', skip: true }),
]

/** Runs the cases with a model that takes 10 ms, uses 10 and 5 tokens and costs a cent for each answer. */
const totalsOf = async (suite: PlannedSuite) => {
  const { totals } = await runPlan(
    planOf(() => cases, suite),
    {
      ...inMemory(),
      skillsOf: () => skills,
      openModel: ({ evalCase, model }) => {
        const turns = Array.isArray(evalCase.mock) ? evalCase.mock : []
        let at = -1
        return {
          profile: model,
          protocol: 'native',
          close: async () => undefined,
          generate: async () => {
            at += 1
            const turn = turns[at]
            if (turn === undefined)
              return answer({ error: { code: 'mock_exhausted', message: 'none left' }, stop: 'error', latencyMs: 10 })
            const [entry] = typeof turn === 'string' ? [] : Object.entries(turn)
            return answer({
              latencyMs: 10,
              ...(entry ? { calls: [call(entry[0], entry[1])] } : { text: String(turn) }),
            })
          },
        }
      },
    },
  )
  return totals
}

describe('the sums of a run', () => {
  test('are those that one finds by hand', async () => {
    const totals = await totalsOf(aSuite())
    const { interval, ...summary } = totals.summary()
    // Answers: hit 2 × 2, miss 2, none 2, broken 1, known 1: 10 in all. Usable trials: hit 2, miss 1, none 1, known 1.
    expect(summary).toEqual({
      cases: 6,
      trials: 6,
      passed: 3,
      failed: 1,
      errors: 1,
      stale: 0,
      skipped: 1,
      // known is left out: hit 2 of 2, miss 0 of 1, none 1 of 1.
      pass_rate: 3 / 4,
      trigger: expect.objectContaining({
        // csv-analyzer: tp 2, fp 1, tn 1; log-triage: fn 1, tn 3; the two others of the index: tn 4 each.
        tp: 2,
        fp: 1,
        fn: 1,
        tn: 12,
        precision: 2 / 3,
        recall: 2 / 3,
        specificity: 12 / 13,
        confusion: [
          { expected: 'csv-analyzer', selected: 'csv-analyzer', count: 2 },
          { expected: 'log-triage', selected: 'csv-analyzer', count: 1 },
        ],
      }),
      usage: { input_tokens: 100, output_tokens: 50, cached_input_tokens: 0, reasoning_tokens: 0 },
      cost_usd: 0.1,
      judge: {
        usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 },
        cost_usd: 0,
      },
      latency_ms: { mean: 18, p50: 20, p95: 20, max: 20 },
      actions: { final_answer: 5, read_file: 1, select_skills: 3 },
      thresholds: [],
    })
    expect(interval).toHaveLength(2)
    expect(totals.errorCodes()).toEqual({ mock_exhausted: 1 })
  })

  test('are the same for the same run', async () => {
    const [first, second] = [await totalsOf(aSuite()), await totalsOf(aSuite())]
    expect(second.summary()).toEqual(first.summary())
    expect(second.suites()).toEqual(first.suites())
  })

  test('are those of the only suite on its only model', async () => {
    const totals = await totalsOf(aSuite())
    const [suite] = totals.suites()
    expect(suite?.summary).toEqual(totals.summary())
    expect(suite?.models).toMatchObject([{ model: 'mock', summary: totals.summary() }])
    expect([suite?.name, suite?.path]).toEqual(['suite', 'evals/suite.eval.yaml'])
  })

  test('are kept apart for each model', async () => {
    const totals = await totalsOf(aSuite({ models: ['one', 'two'] }))
    const [suite] = totals.suites()
    expect([suite?.summary.cases, suite?.summary.usage.input_tokens, totals.summary().cost_usd]).toEqual([12, 200, 0.2])
    const single = (await totalsOf(aSuite())).summary()
    expect(suite?.models.map(({ model, summary }) => [model, { ...summary, interval: null }])).toEqual([
      ['one', { ...single, interval: null }],
      ['two', { ...single, interval: null }],
    ])
  })
})

describe('the thresholds of a suite', () => {
  const thresholds = { pass_rate: 0.8, tokens: 200, cost_usd: 0.05 }

  test('are judged over all its models, and told with the run', async () => {
    const totals = await totalsOf(aSuite({ thresholds }))
    const told = [
      { name: 'pass_rate', limit: 0.8, actual: 0.75, passed: false },
      { name: 'tokens', limit: 200, actual: 150, passed: true },
      { name: 'cost_usd', limit: 0.05, actual: 0.1, passed: false },
    ]
    const byName = (list: readonly { name: string }[]) => [...list].sort((a, b) => (a.name < b.name ? -1 : 1))
    expect(byName(totals.summary().thresholds)).toEqual(byName(told))
    expect(byName(totals.suites()[0]!.summary.thresholds)).toEqual(byName(told))
  })

  test('are told with the suite’s name where several have some', async () => {
    const [one, two, three] = [
      aSuite({ name: 'one', thresholds: { pass_rate: 1 } }),
      aSuite({ name: 'two', thresholds: { pass_rate: 0 } }),
      aSuite({ name: 'three' }),
    ] as const
    const passing = () => [aCase()]
    const plans = [planOf(passing, one), planOf(passing, two), planOf(passing, three)]
    const { totals } = await runPlan(
      {
        suites: [one, two, three],
        counts: { cases: 3, trials: 3, skipped: 0 },
        cases: function* () {
          for (const [at, single] of plans.entries()) for (const planned of single.cases()) yield { ...planned, at }
        },
      },
      inMemory(),
    )
    expect(totals.summary().thresholds).toEqual([
      { name: 'one/pass_rate', limit: 1, actual: 1, passed: true },
      { name: 'two/pass_rate', limit: 0, actual: 1, passed: true },
    ])
    expect(totals.suites().map((suite) => suite.summary.thresholds.length)).toEqual([1, 1, 0])
  })
})
