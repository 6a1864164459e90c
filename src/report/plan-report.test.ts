import { expect, test } from 'vitest'
import type { EvalCase, PlannedCase, PlannedSuite, RunPlan } from '../core/plan.ts'
import { dryRunText, listPlan, planTotals } from './plan-report.ts'

const evalCase = (part: Partial<EvalCase>): EvalCase => ({
  id: 'a',
  input: ['x'],
  tags: [],
  trials: 1,
  pass_threshold: 1,
  line: 1,
  triggerOnly: false,
  ...part,
})

const suite = (name: string, models: readonly string[]): PlannedSuite => ({
  name,
  path: `evals/${name}.yaml`,
  dir: '/p/evals',
  models,
})

const planOf = (cases: readonly Omit<PlannedCase, 'at'>[]): RunPlan => ({
  suites: [...new Set(cases.map((one) => one.suite))],
  counts: {
    cases: cases.length,
    trials: cases.reduce((sum, one) => sum + one.trials, 0),
    skipped: cases.filter((one) => one.trials === 0).length,
  },
  cases: function* () {
    let at = 0
    for (const one of cases) {
      yield { ...one, at }
      at += one.trials
    }
  },
})

const csv = suite('csv', ['mock', 'gpt-5'])
const odd = suite('::odd\x1b', ['mock'])
const plan = planOf([
  { suite: csv, evalCase: evalCase({ id: 'a', tags: ['smoke', 'fast'] }), model: 'mock', trials: 2 },
  { suite: csv, evalCase: evalCase({ id: 'b', skip: 'needs\na network' }), model: 'mock', trials: 0 },
  { suite: csv, evalCase: evalCase({ id: 'a', tags: ['smoke', 'fast'] }), model: 'gpt-5', trials: 2 },
  { suite: odd, evalCase: evalCase({ id: 'c', skip: true }), model: 'claude', trials: 0 },
])

const recordings = {
  modeOf: (model: string) => (model === 'mock' ? ('off' as const) : ('missing' as const)),
  isThere: () => false,
}
const contactOf = (model: string) => (model === 'mock' ? null : 'openai')

test('lists a case a line', () => {
  expect([...listPlan(plan)]).toEqual([
    'csv/a  [smoke, fast]  mock\n',
    'csv/b  mock  skipped: needs\\na network\n',
    'csv/a  [smoke, fast]  gpt-5\n',
    ': :odd\\x1b/c  claude  skipped: no reason given\n',
  ])
})

test('lists cases as they are asked for', () => {
  const endless: RunPlan = {
    ...plan,
    cases: function* () {
      for (let at = 0; ; at++)
        yield { suite: csv, evalCase: evalCase({ id: `case-${at}` }), model: 'mock', trials: 1, at }
    },
  }
  const [first] = listPlan(endless)
  expect(first).toBe('csv/case-0  mock\n')
})

test('counts by suite and model, and says whom the run would contact', () => {
  expect(planTotals(plan, contactOf, recordings)).toEqual({
    cases: 4,
    trials: 4,
    skipped: 2,
    parts: [
      { suite: 'csv', path: 'evals/csv.yaml', model: 'mock', cases: 2, trials: 2, skipped: 1 },
      { suite: 'csv', path: 'evals/csv.yaml', model: 'gpt-5', cases: 1, trials: 2, skipped: 0 },
      { suite: '::odd\x1b', path: 'evals/::odd\x1b.yaml', model: 'claude', cases: 1, trials: 0, skipped: 1 },
    ],
    contacts: { mock: null, 'gpt-5': 'openai' },
    recordings: { mock: { mode: 'off', missing: 0 }, 'gpt-5': { mode: 'missing', missing: 1 } },
  })
})

test('shows the counts as a table', async () => {
  expect(
    await dryRunText({ ...planTotals(plan, contactOf, recordings), estimates: {} }, { color: false, width: 80 }),
  ).toMatchInlineSnapshot(`
    "suite       model   cases  trials  skipped
    csv         mock        2       2        1
    csv         gpt-5       1       2        0
    : :odd\\x1b  claude      1       0        1

    mock would contact nothing
    gpt-5 would contact openai: replayed, and recorded where nothing is, 1 recording missing
    4 cases, 4 trials, 2 skipped: nothing was run
    "
  `)
})

test.each([
  ['replay', null, 'claude would contact nothing: replayed, 2 recordings missing'],
  ['stale', 'there', 'claude would contact there: replayed, and recorded anew where stale, 2 recordings missing'],
  ['all', 'there', 'claude would contact there: recorded anew'],
  ['off', 'there', 'claude would contact there: asked live, nothing kept'],
  ['off', null, 'claude would contact nothing'],
] as const)('says what would be done with recordings: %s, %s', async (mode, contact, line) => {
  const two = planOf(['a', 'b'].map((id) => ({ suite: csv, evalCase: evalCase({ id }), model: 'claude', trials: 3 })))
  const totals = planTotals(two, () => contact, { modeOf: () => mode, isThere: () => false })
  expect((await dryRunText({ ...totals, estimates: {} }, { color: false, width: 80 })).split('\n')).toContain(line)
})

test('tells what each model that is asked would cost, of both arms, and why it is not known', async () => {
  const estimate = {
    trials: 2,
    input_tokens: 12_000,
    output_tokens: 900,
    cost_usd: 0.05,
    from: ['recordings'] as const,
  }
  const unknown = { ...estimate, cost_usd: null, reason: 'no price', from: ['tokens'] as const }
  const totals = planTotals(plan, contactOf, recordings)
  const nobody = { ...estimate, trials: 0 }
  const shown = await dryRunText(
    {
      ...totals,
      estimates: { 'gpt-5': estimate, idle: nobody },
      baseline: { ...totals, arm: 'without:csv', reused: false, estimates: { 'gpt-5': unknown } },
    },
    { color: false, width: 80 },
  )
  expect(shown.split('\n').filter((line) => /cost|baseline/.test(line))).toEqual([
    'baseline without:csv: 4 cases, 4 trials more',
    'gpt-5 would cost about $0.0500 (2 trials, 12,000 tokens in, 900 out, by recordings)',
    'gpt-5 in the baseline would cost not known: no price (2 trials, 12,000 tokens in, 900 out, by counted tokens)',
  ])
})
