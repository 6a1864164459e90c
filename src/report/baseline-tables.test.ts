import { describe, expect, test } from 'vitest'
import { sampleBaseline, sampleCaseBaseline, sampleLift } from '../../test/support/sample-baseline.ts'
import { HOSTILE, render, runOf, sampleCase, sampleSuite, sampleSummary } from '../../test/support/sample-run.ts'
import type { Baseline } from '../core/results.ts'
import { baselineLines, caseLiftRows, noSignalRows } from './baseline-tables.ts'
import { githubReporter } from './github-report.ts'
import { junitReporter } from './junit-report.ts'
import { markdownReporter } from './markdown-report.ts'
import { terminalReporter } from './terminal-report.ts'

const lines = (baseline: Partial<Baseline>) => baselineLines(sampleBaseline(baseline)).map(({ text }) => text)

describe('what is told of a baseline', () => {
  test('the difference, what it stands on, and nothing that is not so', () => {
    expect(lines({})).toEqual([
      'baseline without skills: pass rate 40% → 90% (+50 points, 95% interval +20 to +80 points): better',
      'over 10 cases and the checks of both arms; p 0.004; so many cases would probably (80%) show 35 points or more, cost $0.0120',
    ])
  })

  test('that it is an earlier one, that nothing could be judged, why, and what stays out', () => {
    const nothing = sampleLift({ cases: 0, base: null, head: null, difference: null, interval: null, p: null })
    expect(
      lines({
        arm: { kind: 'version', path: 'old' },
        reused: true,
        lift: nothing,
        problem: 'it was interrupted',
        first_problem: 'There is no recording.\n  Record: skills-eval run',
        left_out: { ...sampleBaseline().left_out, same_skills: 1200, no_input: 1 },
        summary: sampleSummary([], { errors: 2, stale: 1 }),
        gate: { limit: 0.1, actual: null, result: 'missed' },
      }),
    ).toEqual([
      'baseline with old: no case was judged in both arms',
      'it was interrupted',
      'in the baseline: 2 errors, 1 stale',
      '  There is no recording.',
      '    Record: skills-eval run',
      'the baseline is that of run r',
      'not in the baseline: 1 that only invoke a skill, 1,200 of suites whose skills are the same',
      'lift at least 10 points: not known, MISSED',
    ])
  })

  test('that few cases show nothing', () => {
    expect(lines({ lift: sampleLift({ cases: 2, detectable: null }) })[1]).toContain(
      'fewer than six cases show no difference',
    )
  })
})

test('the cases with the least lift come first, those without one last, and no more are held than are shown', () => {
  const rows = caseLiftRows(3)
  const { head } = sampleSuite('s', [])
  for (let i = 0; i < 100; i++)
    rows.add(
      head,
      sampleCase({ id: `c${i}`, baseline: sampleCaseBaseline({ lift: i === 50 ? null : ((i * 37) % 100) / 100 }) }),
    )
  rows.add(head, sampleCase({ id: 'none' }))
  const { rows: shown, left } = rows.rows()
  expect(shown.map(([label]) => label)).toEqual(['s/c0', 's/c73', 's/c46'])
  expect(left).toBe(97)
})

test('the checks that show nothing beyond those that are named are counted', () => {
  const named = Array.from({ length: 5 }, (_, i) => ({ suite: 's', case: `c${i}`, model: 'm', cases: 1, check: 'x' }))
  const { rows, left } = noSignalRows(sampleBaseline({ no_signal: { checks: 1000, named } }), 3)
  expect([rows.length, left]).toEqual([3, 997])
})

const gated = (result: 'met' | 'missed' | 'inconclusive') =>
  runOf([sampleSuite('s', [sampleCase({ id: 'c', baseline: sampleCaseBaseline({ pass_rate: 0.25, lift: 0.75 }) })])], {
    baseline: sampleBaseline({ gate: { limit: 0.6, actual: 0.5, result } }),
  })

test('JUnit has the lift of the run as a property of each suite, and that of a case as its own', () => {
  const xml = render(junitReporter(), gated('missed'))
  expect(xml).toContain(
    '<property name="baseline" value="baseline without skills: pass rate 40% → 90% (+50 points, 95% interval +20 to +80 points): better"/>',
  )
  expect(xml).toContain('<property name="baseline_gate" value="missed"/>')
  expect(xml).toContain('<property name="baseline_pass_rate" value="0.25"/><property name="lift" value="0.75"/>')
  expect(render(junitReporter(), runOf([sampleSuite('s', [sampleCase()])]))).not.toMatch(/baseline|lift/)
})

test('GitHub is told the lift: as a note, an error where its gate is missed, a warning where nobody can say', () => {
  const told = (result: 'met' | 'missed' | 'inconclusive') => render(githubReporter(), gated(result))
  expect(told('met')).toBe(
    '::notice title=baseline::baseline without skills: pass rate 40%25 → 90%25 (+50 points, 95%25 interval +20 to +80 points): better%0Alift at least 60 points: +50 points, met\n',
  )
  expect(told('missed')).toMatch(/^::error title=baseline::.*MISSED\n$/)
  expect(told('inconclusive')).toMatch(/^::warning title=baseline::.*chance could explain it\n$/)
  expect(render(githubReporter(), runOf([]))).toBe('')
})

test('nothing that others named is markup or moves the cursor, nor turns a number', async () => {
  const baseline = sampleBaseline({
    arm: { kind: 'without', skill: HOSTILE },
    run: { id: HOSTILE, started_at: '' },
    reused: true,
    problem: HOSTILE,
    first_problem: HOSTILE,
    summary: sampleSummary([], { errors: 1 }),
    skills: [{ skill: HOSTILE, ...sampleLift() }],
    no_signal: { checks: 1, named: [{ suite: HOSTILE, case: HOSTILE, model: 'm', cases: 2, check: HOSTILE }] },
  })
  const run = runOf([sampleSuite('s', [sampleCase({ id: HOSTILE, baseline: sampleCaseBaseline() })])], { baseline })
  const terminal = render(await terminalReporter({ color: false, width: 100 }), run)
  expect(terminal).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2066-\u2069]/)
  expect(terminal).not.toMatch(/^::/m)
  expect(render(githubReporter(), run).match(/::/g)).toHaveLength(2)
  expect(render(junitReporter(), run)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2066-\u2069]/)
  const outside = render(markdownReporter(), run).replaceAll(/(`+)[^`](?:.*?[^`])?\1(?!`)/g, '')
  expect(outside).not.toMatch(/<|!\[|\]\(|@x|https:/)
})
