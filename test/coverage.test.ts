import { describe, expect, test } from 'vitest'
import type { Coverage } from '../src/core/coverage.ts'
import { head, pack, project, skill } from './support/cli.ts'

const skills: Readonly<Record<string, string>> = {
  ...pack,
  'skills/csv-analyzer/scripts/top.py':
    '#!/usr/bin/env python3\nimport shared\nprint(open("assets/row.txt") if False else "Feb")\n',
  'skills/csv-analyzer/scripts/shared.py': 'x = 1\n',
  'skills/csv-analyzer/scripts/unused.py': 'x = 2\n',
  'skills/csv-analyzer/assets/row.txt': 'a row\n',
  'skills/csv-analyzer/LICENSE.txt': 'MIT\n',
}
const suite = (cases: string, more = '') => ({ ...skills, 'evals/t.eval.yaml': `${head}cases:\n${cases}${more}` })
const uses =
  '[{select_skills: csv-analyzer}, {run_script: {skill: csv-analyzer, path: scripts/top.py}}, {final_answer: Feb}]'
const mocked = `  - {id: a, input: x, mock: ${uses}, expected: {output: [{contains: Feb}]}}\n`

const coverage = (p: ReturnType<typeof project>, ...args: readonly string[]) => {
  const result = p.cli(['skills', 'coverage', '--json', ...args])
  return { ...result, data: result.json as Coverage }
}
const evidence = ({ skills: all }: Coverage, name = 'csv-analyzer'): Record<string, string | null> =>
  Object.fromEntries(
    (all.find((one) => one.name === name)?.parts ?? []).map((part) => [part.path, part.evidence] as const),
  )

describe('skills coverage', () => {
  test('tells what a stored run loaded and ran, what a script names, and what nothing uses', () => {
    using p = project(suite(mocked))
    expect(evidence(coverage(p).data)).toMatchObject({ 'SKILL.md': null, 'scripts/top.py': null })
    expect(p.cli(['run', '-q']).code).toBe(0)
    const { data } = coverage(p)
    expect(evidence(data)).toEqual({
      'SKILL.md': 'run',
      'scripts/top.py': 'run',
      'scripts/shared.py': 'named',
      'assets/row.txt': 'named',
      'scripts/unused.py': null,
      'references/kpi.md': null,
    })
    expect(evidence(data, 'pdf-forms')).toEqual({ 'SKILL.md': null })
    expect(data).toMatchObject({ parts: 7, covered: 4, min: null })
    const kpi = data.skills[0]?.parts.find(({ path }) => path === 'references/kpi.md')
    expect(kpi?.tokens).toBeGreaterThan(5)
    expect(data.runs).toHaveLength(1)
    expect(evidence(coverage(p, '--runs', '0').data)['SKILL.md']).toBeNull()
  })

  test('tells what a case can pass only with, before anything was run', () => {
    using p = project(
      suite(`  - id: a
    input: x
    mock: [{final_answer: ok}]
    expected:
      skills: [csv-analyzer]
      actions: {in_order: [{load_resource: "references/*.md"}], never: [{run_script: scripts/top.py}]}
`),
    )
    expect(evidence(coverage(p).data)).toEqual({
      'SKILL.md': 'expected',
      'references/kpi.md': 'expected',
      'scripts/top.py': null,
      'scripts/shared.py': null,
      'scripts/unused.py': null,
      'assets/row.txt': null,
    })
  })

  test('a query that ends at the first decision exercises no instructions', () => {
    using p = project({
      ...skills,
      'evals/t.eval.yaml': `${head}defaults: {mock: [{select_skills: csv-analyzer}]}\ntriggers: {csv-analyzer: {should: [x]}}\n`,
    })
    expect(p.cli(['run', '-q']).code).toBe(0)
    expect(evidence(coverage(p).data)['SKILL.md']).toBeNull()
    expect(coverage(p).data.skills[0]).toMatchObject({ positives: 1, negatives: 0 })
  })

  test('counts the cases in which a skill should and should not be selected, and names those that lack some', () => {
    const none = (id: string, expected: string) =>
      `  - {id: ${id}, input: x, mock: [{final_answer: ok}], expected: {skills: ${expected}}}\n`
    using p = project(suite(none('a', '[csv-analyzer]') + none('b', '{includes: [csv-analyzer]}')))
    expect(coverage(p).data.skills.map(({ positives, negatives }) => [positives, negatives])).toEqual([
      [2, 0],
      [0, 1],
    ])
    const { out } = p.cli(['skills', 'coverage'])
    expect(out).toMatch(/\nno case expects: pdf-forms\nno case in which it must not be selected: csv-analyzer\n/)
    for (const negative of ['[]', '[pdf-forms]', '{excludes: [csv-analyzer]}']) {
      p.write(suite(none('a', '[csv-analyzer]') + none('c', negative)))
      expect(p.cli(['skills', 'coverage']).out).not.toContain('must not be selected')
    }
  })

  test('prints a row for each skill and each unused part, and the share in the last line', () => {
    using p = project(suite(mocked))
    p.cli(['run', '-q'])
    const { out, code } = p.cli(['skills', 'coverage'], { COLUMNS: '120' })
    expect(code).toBe(0)
    expect(out).toMatch(/^skill +positive +negative +body +scripts +references +assets +other +unused tokens\n/)
    expect(out).toMatch(/\ncsv-analyzer +0 +0 +run +2\/3 +0\/1 +1\/1 +– +\d+\n/)
    expect(out).toMatch(/\nscripts\/unused.py +csv-analyzer +script +–\n/)
    expect(out).toMatch(
      /\ncoverage: 4 of 7 parts, 57.1% \(2 used in 1 stored run, 0 only expected, 2 only named by a script\)\n$/,
    )
  })

  test('--min is a gate: 1 below it, 0 at it', () => {
    using p = project(suite(mocked))
    p.cli(['run', '-q'])
    const codes = ['57%', '0.5', '58%', '100%'].map((min) => p.cli(['skills', 'coverage', '--min', min]).code)
    expect(codes).toEqual([0, 0, 1, 1])
    expect(p.cli(['skills', 'coverage', '--min', '58%']).out).toContain('at least 58%: MISSED')
    expect(p.cli(['skills', 'coverage', '--min', '80']).code).toBe(2)
    expect(coverage(p, '--min', '58%')).toMatchObject({ code: 1, data: { min: 0.58 } })
  })

  test('names skills whose descriptions are nearly the same', () => {
    using p = project({
      ...suite(mocked),
      'skills/csv-reader/SKILL.md': skill('csv-reader', 'Summarises CSV files of sales. Use when CSVs are analysed.'),
    })
    expect(p.cli(['skills', 'coverage']).out).toMatch(
      /the descriptions of csv-analyzer and csv-reader share \d+(\.\d)?% of their words: /,
    )
    expect(coverage(p).data.similar).toHaveLength(1)
  })

  test('leaves out distractors and cases that are skipped', () => {
    using p = project({
      ...skills,
      'evals/t.eval.yaml': `${head}distractors: 5\ncases:\n  - {id: a, skip: later, input: x, expected: {skills: [csv-analyzer]}}\n  - {id: b, input: x, mock: [{final_answer: x}]}\n`,
    })
    const { data } = coverage(p)
    expect(data.skills.map(({ name }) => name)).toEqual(['csv-analyzer', 'pdf-forms'])
    expect(data.covered).toBe(0)
  })

  test('a damaged line of a stored run is left out; no skills and wrong suites are mistakes', () => {
    using p = project(suite(mocked))
    p.cli(['run', '-q'])
    const [id = ''] = coverage(p).data.runs
    p.write({ [`reports/${id}/results.jsonl`]: '{"suite":"t","case":"a"\nnot json\n{"a":1}\n' })
    expect(coverage(p)).toMatchObject({ code: 0, data: { covered: 0 } })
    p.write({ 'evals/t.eval.yaml': 'name: t\nskills: [../none]\ncases: []\n' })
    expect(p.cli(['skills', 'coverage']).code).toBe(2)
    p.write({ 'evals/t.eval.yaml': 'name: t\nskills: []\nmodel: mock\ncases:\n  - {id: a, input: x}\n' })
    expect(p.cli(['skills', 'coverage'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no skills of this project'),
    })
  })
})
