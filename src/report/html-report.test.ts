import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HOSTILE,
  hostileSuite,
  render,
  runOf,
  type SampleRun,
  sampleCase,
  sampleRun,
  sampleSuite,
  sampleTrial,
} from '../../test/support/sample-run.ts'
import { deflatedBase64 } from '../adapters/files/deflated-base64.ts'
import { htmlReporter } from './html-report.ts'

const viewer = { script: 'run()', style: 'body{color:red}' }
const html = (run: SampleRun): string => render(htmlReporter({ viewer, pack: deflatedBase64 }), run)

/** The blocks as the viewer finds them. */
const blocks = (text: string) =>
  [
    ...text.matchAll(
      /<script type="application\/x-skills-eval" data-kind="(\w+)" data-first="(\d+)">([^<]*)<\/script>/g,
    ),
  ].map(([, kind = '', first = '', packed = '']) => ({
    kind,
    first: Number(first),
    value: JSON.parse(inflateSync(Buffer.from(packed, 'base64')).toString()),
  }))
const casesOf = (text: string) => blocks(text).flatMap(({ kind, value }) => (kind === 'cases' ? value : []))

describe('the HTML report', () => {
  test('holds the whole run: its head, a row and the details of each case', () => {
    const run = sampleRun()
    const [head, rows, cases, used, ...others] = blocks(html(run))
    expect(others).toEqual([])
    expect(head).toEqual({ kind: 'head', first: 0, value: { run: run.head } })
    expect(cases?.value).toEqual(run.suites.flatMap((suite) => suite.cases))
    expect(used?.value).toContainEqual({
      skill: 'csv-analyzer',
      cases: 1,
      files: [{ path: 'scripts/top.py', how: 'run', cases: 1 }],
    })
    expect(rows?.value[2]).toEqual({
      suite: 0,
      id: 'sometimes',
      model: 'gpt-5',
      status: 'failed',
      reason: '1 of 2 trials passed, 1 must; the first failure: csv-analyzer was not selected',
      tags: [],
      skills: [],
      flaky: true,
      trials: 2,
      passed: 1,
      usable: 2,
      tokens: null,
      cost: null,
      latency: 120,
    })
  })

  test('has nothing of a run outside of its blocks, whatever is in it', () => {
    const around = (text: string) => text.replace(/data-first="(\d+)">[^<]*</g, 'data-first="$1"><')
    const plain = around(html(runOf([sampleSuite('a', [sampleCase(), sampleCase(), sampleCase()])])))
    expect(around(html(runOf([hostileSuite()], { id: HOSTILE, command: [HOSTILE] })))).toBe(plain)
  })

  test('gives back any text of a case as it was, halves of surrogate pairs too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, lone) => {
        const output = `${lone}\ud800${id}`
        const run = runOf([sampleSuite('s', [sampleCase({ id, trials: [sampleTrial({ output })] })])])
        const [result] = casesOf(html(run))
        expect([result.id, result.trials[0].output]).toEqual([id, output])
      }),
      { numRuns: 50 },
    )
  })

  test('packs cases in blocks as they come, each with the number of its first', () => {
    const long = (i: number) => sampleCase({ id: `c${i}`, trials: [sampleTrial({ output: 'x'.repeat(100_000) })] })
    const suite = sampleSuite('s', [0, 1, 2, 3, 4, 5, 6].map(long))
    const reporter = htmlReporter({ viewer, pack: deflatedBase64 })
    reporter.start(runOf([suite]).head)
    reporter.suite(suite.head)
    const pieces = suite.cases.map((result) =>
      blocks(reporter.result(result)).map(({ kind, first }) => `${kind} ${first}`),
    )
    expect(pieces).toEqual([[], [], ['cases 0'], [], [], ['cases 3'], []])
    expect(blocks(reporter.end()).map(({ kind, first }) => `${kind} ${first}`)).toEqual(['rows 0', 'cases 6', 'used 0'])
  })

  test('lets only its own script and style sheet run, by their hashes', () => {
    const text = html(runOf([]))
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1]
    expect(policy).toBe(
      "default-src 'none'; script-src 'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ='; style-src 'sha256-FcQqt3aNlV7AZnGV4zkQRVeCeJOxbMPnQSx258L803E='; img-src data:; base-uri 'none'; form-action 'none'",
    )
    expect(text.indexOf('Content-Security-Policy')).toBeLessThan(text.indexOf('<style>'))
    expect(text).toMatch(/<script>run\(\)<\/script>\n<\/body>\n<\/html>\n$/)
  })

  test.each(['a</script >', 'a<!--b'])('is not written with a viewer that has %s in it', (script) => {
    expect(() => render(htmlReporter({ viewer: { script, style: '' }, pack: String }), runOf([]))).toThrow('break out')
  })

  test('holds the cases of a run that it is compared with, and their names', () => {
    const suite = sampleSuite('s', [sampleCase({ id: 'old' })])
    const comparison = { verdict: 'worse' } as never
    const base = { comparison, cases: suite.cases.map((result) => ({ suite: 's', result })) }
    const text = render(htmlReporter({ viewer, pack: deflatedBase64, base }), runOf([]))
    const [head, cases] = blocks(text)
    expect(head?.value).toMatchObject({ comparison, base: [{ suite: 's', id: 'old', model: 'mock' }] })
    expect(cases).toEqual({ kind: 'base', first: 0, value: suite.cases })
  })
})
