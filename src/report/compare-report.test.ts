import { describe, expect, test } from 'vitest'
import { HOSTILE } from '../../test/support/sample-run.ts'
import type { ComparedCase, Comparison, NumberChange } from '../schema/compare.ts'
import { compareMarkdown } from './compare-markdown.ts'
import { compareText } from './compare-report.ts'

const unknown: NumberChange = { base: null, head: null, difference: null, relative: null }
const side = (status: 'passed' | 'failed', trials = 1, pass_rate = status === 'passed' ? 1 : 0) => ({
  status,
  trials,
  pass_rate,
  score: pass_rate,
})
const compared = (id: string, more: Partial<ComparedCase> = {}): ComparedCase => ({
  suite: 's',
  id,
  model: 'mock',
  golden: false,
  change: 'unchanged',
  base: side('passed'),
  head: side('passed'),
  difference: 0,
  pairs: 1,
  p: null,
  p_adjusted: null,
  score_p: null,
  score_p_adjusted: null,
  ...more,
})

const comparison = (more: Partial<Comparison> = {}): Comparison => ({
  format: 'skills-eval/compare@1',
  base: { id: 'one', started_at: '2026-01-02T03:04:05.678Z', git: null },
  head: { id: 'two', started_at: '2026-01-03T03:04:05.678Z', git: null },
  seed: 1,
  verdict: 'inconclusive',
  delta: 0.05,
  counts: { fixed: 0, broken: 1, unchanged: 2, new: 1, gone: 0, unjudged: 0 },
  paired: {
    cases: 3,
    trials: 14,
    base: 1,
    head: 0.6667,
    difference: -0.3333,
    interval: [-0.7923, 0.386],
    p: 1,
    detectable: null,
  },
  tests: {
    verdicts: { fixed: 0, broken: 1, p: 1 },
    scores: { cases: 0, difference: null, p: null, method: 'exact' },
  },
  numbers: {
    precision: { base: 0.9, head: 0.8, difference: -0.1, relative: -0.111 },
    recall: unknown,
    f1: unknown,
    cost_usd: { base: 0.02, head: 0.023, difference: 0.003, relative: 0.15 },
    input_tokens: { base: 1200, head: 1200, difference: 0, relative: 0 },
    output_tokens: unknown,
    latency_ms: unknown,
  },
  gates: [
    { name: 'golden', limit: 0, actual: 1, passed: false },
    { name: 'max_regression', limit: 0.5, actual: 0.3333, passed: true },
    { name: 'max_cost', limit: 0.1, actual: 0.15, passed: false },
  ],
  cases: [
    compared('new-one', { change: 'new', base: null, difference: null }),
    compared('steady'),
    compared('wavers', {
      base: side('passed', 12, 1),
      head: side('passed', 12, 0.75),
      difference: -0.25,
      p_adjusted: 0.25,
    }),
    compared('broke', { change: 'broken', golden: true, head: side('failed'), difference: -1 }),
  ],
  ...more,
})

const plain = { color: false, width: 100 }

describe('the report of a comparison', () => {
  test('has what changed, the worst first, the numbers, the gates, and the verdict last', async () => {
    expect(await compareText(comparison(), plain)).toMatchInlineSnapshot(`
      "one → two: 1 broken, 1 new, 2 unchanged

      change     case              base               head              p (Holm)
      broken     s/broke (golden)  passed             failed                   –
      new        s/new-one         –                  passed                   –
      unchanged  s/wavers          passed 100% of 12  passed 75% of 12     0.250

                            base     head      change
      trigger precision      90%      80%  -10 points
      cost               $0.0200  $0.0230        +15%
      input tokens         1,200    1,200         ±0%

      gate          limit                      actual
      golden cases  all pass                   1 case not passed  MISSED
      pass rate     down by at most 50 points  -33.3 points       met
      cost          at most +10%               +15%               MISSED

      inconclusive: pass rate 100% → 66.7% (-33.3 points, 95% interval -79.2 to +38.6 points)
      over 3 cases judged in both; p 1.000, verdicts 1.000
      Fewer than six cases were judged in both runs: no difference could be shown.
      "
    `)
  })

  test('says where both are the same run', async () => {
    const same = comparison()
    expect(await compareText({ ...same, head: same.base, verdict: 'no_change' }, plain)).toMatch(
      /\nno change: both are the same run, pass rate 100%\n$/,
    )
  })

  test('shows a golden case that never passed', async () => {
    const failed = compared('never', { golden: true, base: side('failed'), head: side('failed') })
    expect(await compareText(comparison({ cases: [failed] }), plain)).toContain('unchanged  s/never (golden)')
  })

  test('lists 40 cases at most on a terminal', async () => {
    const cases = Array.from({ length: 50 }, (_, i) => compared(`c${i}`, { change: 'broken' }))
    expect(await compareText(comparison({ cases }), plain)).toContain('… and 10 more\n')
  })

  test('obeys nothing that a name says', async () => {
    const cases = [
      compared(HOSTILE, { suite: HOSTILE, model: HOSTILE, change: 'broken' }),
      compared('x', { model: 'y' }),
    ]
    const hostile = comparison({ base: { ...comparison().base, id: HOSTILE }, cases })
    const text = await compareText(hostile, plain)
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]|^::|##\[/m)
    const markdown = compareMarkdown(hostile)
    for (const line of markdown.split('\n').filter((one) => one.includes('script')))
      expect(line.replaceAll(/(`+)[^`](?:.*?[^`])?\1(?!`)/g, '')).not.toMatch(/<script|!\[|<b/)
  })

  test('is Markdown for a pull request', () => {
    expect(compareMarkdown(comparison())).toMatchInlineSnapshot(`
      "# Compared: inconclusive

      inconclusive: pass rate 100% → 66.7% (-33.3 points, 95% interval -79.2 to +38.6 points)  
      over 3 cases judged in both; p 1.000, verdicts 1.000  
      Fewer than six cases were judged in both runs: no difference could be shown.

      \`one\` → \`two\`: 1 broken, 1 new, 2 unchanged

      ## Cases

      | change | case | base | head | p (Holm) |
      | :-- | :-- | :-- | :-- | --: |
      | \`broken\` | \`s/broke (golden)\` | \`passed\` | \`failed\` | – |
      | \`new\` | \`s/new-one\` | \`–\` | \`passed\` | – |
      | \`unchanged\` | \`s/wavers\` | \`passed 100% of 12\` | \`passed 75% of 12\` | 0.250 |

      ## Numbers

      |  | base | head | change |
      | :-- | --: | --: | --: |
      | trigger precision | 90% | 80% | -10 points |
      | cost | $0.0200 | $0.0230 | +15% |
      | input tokens | 1,200 | 1,200 | ±0% |

      ## Gates

      | gate | limit | actual |  |
      | :-- | :-- | :-- | :-- |
      | \`golden cases\` | \`all pass\` | \`1 case not passed\` | **MISSED** |
      | \`pass rate\` | \`down by at most 50 points\` | \`-33.3 points\` | met |
      | \`cost\` | \`at most +10%\` | \`+15%\` | **MISSED** |
      "
    `)
  })
})
