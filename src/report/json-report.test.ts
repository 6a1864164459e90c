import { describe, expect, test } from 'vitest'
import { sampleBaseline, sampleCaseBaseline } from '../../test/support/sample-baseline.ts'
import { render, runOf, sampleCase, sampleRun, sampleSuite, sampleTrial } from '../../test/support/sample-run.ts'
import { caseResultSchema, runSchema, trialSchema } from '../schema/run.ts'
import { jsonReporter } from './json-report.ts'
import { caseKeys, headKeys, trialKeys } from './ordered-result.ts'

const keysIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1])

describe('jsonReporter', () => {
  test('writes run.json with all that was told', () => {
    const run = sampleRun()
    const parsed: unknown = JSON.parse(render(jsonReporter(), run))
    expect(runSchema.strict().parse(parsed)).toEqual(parsed)
    const suites = run.suites.map(({ head: { models: _, ...head }, cases }) => ({ ...head, cases }))
    const wellFormed = JSON.stringify({ ...run.head, suites }).replace(/\\ud[89a-f][\da-f]{2}/g, '\ufffd')
    expect(parsed).toEqual(JSON.parse(wellFormed))
  })

  test('writes one case a line', () => {
    const lines = render(jsonReporter(), sampleRun()).split('\n')
    const cases = lines.filter((line) => line.startsWith('{"id":'))
    expect(cases.map((line) => JSON.parse(line.replace(/,$/, '')).id)).toEqual(
      sampleRun().suites.flatMap((suite) => suite.cases.map(({ id }) => id.replace(/\p{Surrogate}/gu, '\ufffd'))),
    )
  })

  test('writes the keys in the order of the schema, whatever their order was', () => {
    const shuffle = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).reverse()) as T
    const trial = shuffle(
      sampleTrial({
        attempts: 2,
        reason: 'r',
        error: { code: 'internal', message: 'm' },
        judge: { ...runOf([]).head.summary.judge, profile: 'judge', models: [] },
        cassette: { path: 'p', mode: 'replay', stale_parts: [] },
      }),
    )
    const result = shuffle(
      sampleCase({
        description: 'd',
        input: ['i'],
        line: 1,
        golden: true,
        reason: 'r',
        part: { place: 0, xfail: false },
        pass_k_reason: 'r',
        trials_planned: 2,
        xfail: true,
        rubric_hash: 'h',
        rows_of: 'r/{{a}}',
        baseline: sampleCaseBaseline(),
        trials: [trial],
      }),
    )
    const { head, suites } = runOf([sampleSuite('s', [result])], {
      folder: 'sub',
      interrupted: 'SIGINT',
      shard: { index: 1, total: 2, plan: 'p', cases: 1, thresholds: {} },
      missing_shards: [2],
      merged_from: [{ index: 1, id: 'x' }],
      arm: { kind: 'without_skills' },
      baseline: sampleBaseline(),
      interference: [],
      audit: {
        mode: 'warn',
        agents: {},
        cases: 0,
        checks: 0,
        vacuous_checks: 0,
        weak_checks: 0,
        vacuous_cases: 0,
        negative_cases: 0,
        unjudged_cases: 0,
        groups: [],
      },
    })
    const text = render(jsonReporter(), { head: shuffle(head), suites })
    expect(keysIn(text, /^"(\w+)":/gm)).toEqual(Object.keys(runSchema.shape))
    expect(Object.keys(JSON.parse(text).suites[0].cases[0])).toEqual(Object.keys(caseResultSchema.shape))
    expect(Object.keys(JSON.parse(text).suites[0].cases[0].trials[0])).toEqual(Object.keys(trialSchema.shape))
  })

  test('knows every key of the schema', () => {
    expect([...headKeys, 'suites']).toEqual(Object.keys(runSchema.shape))
    expect(caseKeys).toEqual(Object.keys(caseResultSchema.shape))
    expect(trialKeys).toEqual(Object.keys(trialSchema.shape))
  })

  test.each([
    ['no suite', runOf([])],
    ['a suite without cases', runOf([sampleSuite('empty', [])])],
    [
      'suites without cases between others',
      runOf(['a', 'b', 'c'].map((name) => sampleSuite(name, name === 'b' ? [sampleCase()] : []))),
    ],
  ])('is JSON for %s', (_, run) => {
    const suites = run.suites.map(({ head: { models: _models, ...head }, cases }) => ({ ...head, cases }))
    expect(JSON.parse(render(jsonReporter(), run))).toEqual({ ...run.head, suites })
    expect(JSON.parse(render(jsonReporter({ pretty: true }), run))).toEqual({ ...run.head, suites })
  })

  test('never writes a number that JSON does not have', () => {
    const run = runOf([
      sampleSuite('s', [sampleCase({ pass_rate: Number.NaN, interval: [0, Number.POSITIVE_INFINITY] })]),
    ])
    const { pass_rate, interval } = JSON.parse(render(jsonReporter(), run)).suites[0].cases[0]
    expect({ pass_rate, interval }).toEqual({ pass_rate: null, interval: [0, null] })
  })

  test('is indented by two spaces throughout when pretty', () => {
    const text = render(jsonReporter({ pretty: true }), sampleRun())
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
  })
})
