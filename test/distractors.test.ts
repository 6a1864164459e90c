import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import { pack, project, skill } from './support/cli.ts'

type Project = ReturnType<typeof project>

const suite = (distractors: string, cases: string, name = 't'): Readonly<Record<string, string>> => ({
  ...pack,
  'evals/t.eval.yaml': `name: ${name}\nskills: [../skills]\nmodel: mock\n${distractors}\ncases:\n${cases}`,
})
const run = (p: Project, ...args: readonly string[]) => {
  const result = p.cli(['run', '--json', ...args])
  return { ...result, run: result.json as RunResult }
}
const namesIn = (p: Project, ...args: readonly string[]) => run(p, ...args).run.suites[0]?.distractors ?? []
const plain = '  - {id: a, input: x, mock: [{final_answer: ok}], expected: {skills: []}}\n'

describe('distractors', () => {
  test('stand in the index beside the skills of the suite, which are the only ones that are labelled', () => {
    const mock = '[{search_skills: {query: csv, limit: 50}}, {final_answer: ok}]'
    using p = project(suite('distractors: 12', `  - {id: a, input: x, mock: ${mock}, expected: {skills: []}}\n`))
    const { code, run: result } = run(p)
    expect(code).toBe(0)
    expect(result.suites[0]?.distractors).toHaveLength(12)
    expect(Object.keys(result.summary.trigger.skills)).toEqual(['csv-analyzer', 'pdf-forms'])
    expect(result.summary.trigger).toMatchObject({ tn: 2, fp: 0, distractors: 0 })
  })

  test('can be loaded, fail a case that lists its skills exactly, and are false positives of the total alone', () => {
    using p = project(suite('distractors: 5', plain))
    const [name = ''] = namesIn(p)
    const select = `[{select_skills: [csv-analyzer, ${name}]}, {final_answer: ok}]`
    p.write(
      suite(
        'distractors: 5',
        `  - {id: exact, input: x, mock: ${select}, expected: {skills: [csv-analyzer]}}
  - {id: none, input: x, mock: [{select_skills: ${name}}, {final_answer: ok}], expected: {skills: []}}
  - {id: instead, input: x, mock: [{select_skills: ${name}}, {final_answer: ok}], expected: {skills: {includes: [csv-analyzer]}}}
  - {id: beside, input: x, mock: ${select}, expected: {skills: {includes: [csv-analyzer]}}}
`,
      ),
    )
    const { code, run: result } = run(p)
    expect(code).toBe(1)
    const cases = result.suites[0]?.cases ?? []
    expect(cases.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'exact failed',
      'none failed',
      'instead failed',
      'beside passed',
    ])
    expect(cases[0]?.trials[0]?.actions[0]?.observation).toContain(`<skill name="${name}" source="suite"`)
    const { trigger } = result.summary
    expect(trigger).toMatchObject({ tp: 2, fp: 2, fn: 1, distractors: 2, precision: 0.5, macro: { precision: 1 } })
    expect(trigger.confusion).toEqual([
      { expected: '(none)', selected: name, count: 2 },
      { expected: 'csv-analyzer', selected: 'csv-analyzer', count: 2 },
      { expected: 'csv-analyzer', selected: name, count: 1 },
    ])
    expect(result.interference?.map(({ skills }) => skills)).toEqual([['csv-analyzer', name].sort()])
  })

  test('are the same in every run of a suite, whatever the seed, and others for another suite', () => {
    using p = project(suite('distractors: 8', plain))
    const first = namesIn(p)
    expect(first).toHaveLength(8)
    expect(namesIn(p, '--seed', '7')).toEqual(first)
    p.write(suite('distractors: 4', plain))
    expect(first).toEqual(expect.arrayContaining(namesIn(p)))
    p.write(suite('distractors: 8', plain, 'other'))
    expect(namesIn(p)).not.toEqual(first)
    p.write(suite('distractors: 0', plain))
    expect(run(p).run.suites[0]).not.toHaveProperty('distractors')
  })

  test('are fewer than asked for, with a warning, where too many have to do with the skills', () => {
    using p = project({
      ...suite('distractors: 50', plain),
      'skills/chess-club/SKILL.md': skill('chess-club', 'Runs the chess evenings. Use for chess.'),
    })
    const result = run(p)
    expect(result.code).toBe(0)
    expect(result.run.suites[0]?.distractors).not.toContain('chess-annotator')
    expect(result.err).toMatch(/warning.* the suite t asks for 50 distractors, and only \d\d have nothing to do/)
  })

  test('tell the same source as the skills that they stand among', () => {
    const select = (name: string) => `[{select_skills: ${name}}, {final_answer: ok}]`
    const local = { '.agent/skills/pdf-forms/SKILL.md': skill('pdf-forms', 'Fill PDF forms. Use for forms.') }
    const t = (mock: string) => `name: t\nmodel: mock\ndistractors: 3\ncases:\n  - {id: a, input: x, mock: ${mock}}\n`
    using p = project({ ...local, 'evals/t.eval.yaml': t('[{final_answer: ok}]') })
    const [name = ''] = namesIn(p)
    p.write({ 'evals/t.eval.yaml': t(select(name)) })
    const [{ source } = { source: '' }] = (p.cli(['skills', 'list', '--json']).json as { skills: { source: string }[] })
      .skills
    const seen = run(p).run.suites[0]?.cases[0]?.trials[0]?.actions[0]?.observation
    expect(seen).toContain(`<skill name="${name}" source="${source}"`)
    expect(source).not.toBe('suite')
  })

  test.each(['-1', '51', '1.5', 'many'])('%s is a mistake in the suite', (count) => {
    using p = project(suite(`distractors: ${count}`, plain))
    const result = p.cli(['run'])
    expect(result.code).toBe(2)
    expect(result.err).toContain('evals/t.eval.yaml:4:')
  })

  test('in a case are a mistake that says where they belong', () => {
    using p = project(suite('', plain.replace('input: x', 'input: x, distractors: 3')))
    expect(p.cli(['run']).err).toContain('belongs at the top of the suite')
  })
})

describe('skills that are mistaken for each other', () => {
  test('are told with the words that their descriptions share, on the terminal, in summary.md and in run.json', () => {
    const select = (name: string) => `mock: [{select_skills: ${name}}, {final_answer: ok}]`
    using p = project({
      ...pack,
      'skills/csv-merge/SKILL.md': skill('csv-merge', 'Merge CSV file after file. Use when sales lie apart.'),
      'evals/t.eval.yaml': `name: t
skills: [../skills]
model: mock
cases:
  - {id: a, input: x, ${select('csv-merge')}, expected: {skills: [csv-analyzer]}}
  - {id: b, input: x, ${select('csv-merge')}, expected: {skills: [csv-analyzer]}}
  - {id: c, input: x, ${select('csv-analyzer')}, expected: {skills: [csv-merge]}}
`,
    })
    const result = p.cli(['run'])
    expect(result.out).toMatch(/skill +mistaken for +there +back +words of both descriptions\n/)
    expect(result.out).toMatch(/csv-analyzer +csv-merge +2 +1 +csv, files, sales\n/)
    const folder = join(p.dir, 'reports/latest')
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('## Skills mistaken for each other')
    expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')).interference).toEqual([
      { skills: ['csv-analyzer', 'csv-merge'], times: [2, 1], shared_words: ['csv', 'files', 'sales'] },
    ])
  })
})
