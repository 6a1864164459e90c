import { describe, expect, test } from 'vitest'
import { render, sampleRun } from '../../test/support/sample-run.ts'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import { jsonReporter } from '../report/json-report.ts'
import { comparableSchema, openStoredCases } from './stored-cases.ts'

const dense = render(jsonReporter(), sampleRun())
const indented = render(jsonReporter({ pretty: true }), sampleRun())
const read = (text: string) => {
  const stored = openStoredCases('/run.json', comparableSchema, memoryFiles({ '/run.json': text }))
  const cases = [...stored.cases]
  return { id: stored.head.id, cases, suites: [...stored.suites], models: [...stored.models] }
}
const problem = (text: string): string => {
  try {
    read(text)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return 'none'
}

describe('a run.json read case by case', () => {
  test('gives what it gives when it is read whole, in whatever layout', () => {
    const lines = read(dense)
    expect(lines.cases.length).toBeGreaterThan(5)
    expect(read(indented)).toEqual(lines)
    expect(read(JSON.stringify(JSON.parse(dense)))).toEqual(lines)
    expect(lines.cases[0]?.result).not.toHaveProperty('description')
    expect(lines.cases[0]?.result.trials[0]).not.toHaveProperty('actions')
  })

  test('of no suites and of no cases', () => {
    const { head } = sampleRun()
    expect(read(render(jsonReporter(), { head, suites: [] })).cases).toEqual([])
    const [first] = sampleRun().suites
    if (!first) throw new Error('no suite')
    expect(read(render(jsonReporter(), { head, suites: [{ ...first, cases: [] }] }))).toMatchObject({
      cases: [],
      suites: ['csv'],
    })
  })

  test('that ends anywhere before its end is refused, never read as less', () => {
    for (let end = dense.length - 3; end > 0; end -= 97) expect(problem(dense.slice(0, end))).not.toBe('none')
  })

  test.each([
    ['a case twice', dense.replace(/^(\{"id":.*?),?$/m, '$1,\n$1,'), /has the case .* twice/],
    ['another status', dense.replace('"status":"passed"', '"status":"fine"'), /no skills-eval\/run@1.*status/],
    ['another format', dense.replace('run@1', 'run@9'), /no skills-eval\/run@1: format/],
    ['a line of something', dense.replace('"cases":[\n', '"cases":[\nsomething,\n'), /not JSON/],
    ['something behind', `${dense}{}\n`, /behind its suites/],
  ])('with %s is refused', (_, text, message) => {
    expect(problem(text)).toMatch(message)
  })
})
