import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hostileSuite,
  render,
  runOf,
  type SampleRun,
  sampleCase,
  sampleRun,
  sampleSuite,
} from '../../test/support/sample-run.ts'
import { terminalReporter } from './terminal-report.ts'
import { textWidth } from './text-width.ts'

const terminal = async (run: SampleRun, { color = false, width = 100 } = {}) =>
  render(await terminalReporter({ color, width }), run)

const failing = (count: number): SampleRun =>
  runOf([
    sampleSuite(
      's',
      Array.from({ length: count }, (_, i) => sampleCase({ id: `case-${i}`, status: 'failed', reason: `reason ${i}` })),
    ),
  ])

describe('terminalReporter', () => {
  test('tells a whole run', async () => {
    await expect(await terminal(sampleRun())).toMatchFileSnapshot('__golden__/sample.golden.terminal.txt')
  })

  test('says little where all passed', async () => {
    expect(await terminal(runOf([sampleSuite('csv', [sampleCase(), sampleCase({ id: 'b' })])]))).toMatchInlineSnapshot(`
      "suite  cases  passed  failed      pass rate
      csv        2       2       0  100% (25–75%)

      tokens: 1,200 in, 240 out  cost: $0.0120  latency: mean 0.1 s, p95 0.2 s

      2 cases: 2 passed — 1.2 s
      "
    `)
  })

  test('says so where nothing was run', async () => {
    expect(await terminal(runOf([]))).toMatch(/\n0 cases — 1\.2 s\n$/)
  })

  test('is the same with colours but for the colours', async () => {
    const colored = await terminal(sampleRun(), { color: true })
    expect(colored).toContain('\x1b[31mFAIL\x1b[39m')
    expect(stripVTControlCharacters(colored)).toBe(await terminal(sampleRun()))
  })

  test('repeats the worst problems just above the verdict', async () => {
    const statuses = ['stale', 'error', 'failed', 'failed', 'failed', 'failed', 'failed'] as const
    const cases = statuses.map((status, i) => sampleCase({ id: `c${i}`, status, reason: `reason ${i}` }))
    const lines = (await terminal(runOf([sampleSuite('s', cases)]))).trimEnd().split('\n')
    expect(lines.slice(-8)).toEqual([
      ...[2, 3, 4, 5, 6].map((i) => `FAIL  s/c${i}  reason ${i}`),
      '… and 2 more',
      '',
      '7 cases: 5 failed, 1 error, 1 stale — 1.2 s',
    ])
  })

  test('shows 20 problems in full, 200 at all, and counts the rest', async () => {
    const text = await terminal(failing(250))
    expect(text.match(/^ {2}repeat: /gm)).toHaveLength(20)
    expect(text).toContain('FAIL  s/case-20  reason 20\nFAIL  s/case-21  reason 21\n')
    expect(text).toContain('FAIL  s/case-199  reason 199\n… and 50 more\n')
    expect(text).not.toContain('case-200')
  })

  test('holds no more for many problems than for some', async () => {
    const reporter = await terminalReporter({ color: false, width: 80 })
    const { head, suites } = failing(1)
    reporter.start(head)
    reporter.suite(suites[0]!.head)
    for (let i = 0; i < 1000; i++) reporter.result(sampleCase({ id: `case-${i}`, status: 'failed', flaky: true }))
    const ending = reporter.end()
    expect(ending.length).toBeLessThan(1500)
    expect(ending).toContain('flaky: s/case-0, s/case-1, ')
  })

  test.each([40, 59, 60, 80, 120])(
    'keeps its tables within %i columns by cutting names in the middle',
    async (width) => {
      const name = 'a-very-long-suite-name-that-would-not-fit-into-a-terminal'
      const cases = [sampleCase(), sampleCase({ status: 'skipped' })]
      const { head } = sampleRun()
      const run = runOf([sampleSuite(name, cases, { summary: { thresholds: head.suites[0]!.summary.thresholds } })], {
        summary: {
          trigger: {
            ...head.summary.trigger,
            skills: { [`skill-${name}`]: head.summary.trigger.skills['csv-analyzer']! },
          },
        },
      })
      const lines = (await terminal(run, { width })).split('\n').filter((line) => !/^(tokens|\d+ cases)/.test(line))
      expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(Math.max(width, 60))
      expect(lines.find((line) => line.startsWith('a-ver') || line.startsWith('a-v'))).toMatch(
        width < 120 ? /…/ : /terminal/,
      )
    },
  )

  test('shows fewer columns where the terminal is narrow', async () => {
    const heads = async (width: number) =>
      (await terminal(sampleRun(), { width })).split('\n').filter((line) => /^(suite|skill) /.test(line))
    expect((await heads(60)).map((line) => line.split(/ {2,}/))).toEqual([
      ['suite', 'cases', 'passed', 'failed', 'errors', 'stale', 'pass rate'],
      ['skill', 'precision', 'recall', 'F1', 'TP', 'FP', 'FN', 'TN'],
    ])
    const narrow = await heads(59)
    expect(narrow.map((line) => line.split(/ {2,}/))).toEqual([
      ['suite', 'cases', 'failed', 'errors', 'stale', 'pass rate'],
      ['skill', 'precision', 'recall', 'F1', 'FP', 'FN'],
    ])
    expect(Math.max(...(await heads(50)).map(textWidth))).toBeLessThanOrEqual(50)
  })

  test('lets nothing of others be obeyed or hidden, whatever it is', async () => {
    const pieces = fc.constantFrom('::', '##[', '##vso[', '\n', '\r', '\x1b[2J', '\x9b', '\u202e', '\ud800', ' ', 'x')
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    )
    const reporter = terminalReporter
    await fc.assert(
      fc.asyncProperty(text, async (hostile) => {
        const shown = render(await reporter({ color: false, width: 80 }), runOf([hostileSuite(hostile)]))
        expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\p{Surrogate}]/u)
        expect(shown).not.toMatch(/^[\s\u0085]*::/m)
        expect(shown).not.toMatch(/##\w*\[/)
      }),
    )
  })
})
