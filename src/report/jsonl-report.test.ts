import { expect, test } from 'vitest'
import { render, runOf, sampleCase, sampleRun, sampleSuite, sampleTrial } from '../../test/support/sample-run.ts'
import { jsonlReporter } from './jsonl-report.ts'

test('writes a line for each trial, with where it belongs first', () => {
  const trials = [sampleTrial(), sampleTrial({ n: 2, output: 'two\nlines \ud800' })]
  const run = runOf([
    sampleSuite('a', [sampleCase({ id: 'x', model: 'm', trials }), sampleCase({ status: 'skipped' })]),
    sampleSuite('b', [sampleCase({ id: 'y' })]),
  ])
  const lines = render(jsonlReporter(), run).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { suite: 'a', case: 'x', model: 'm', ...trials[0] },
    { suite: 'a', case: 'x', model: 'm', ...trials[1], output: 'two\nlines \ufffd' },
    { suite: 'b', case: 'y', model: 'mock', ...sampleTrial() },
  ])
  expect(lines[0]).toMatch(/^\{"suite":"a","case":"x","model":"m","n":1,"status":"passed",/)
})

test('keeps to one line whatever is in a trial', () => {
  const run = sampleRun()
  const trials = run.suites.flatMap((suite) => suite.cases.flatMap((one) => one.trials))
  expect(render(jsonlReporter(), run).split('\n')).toHaveLength(trials.length + 1)
})
