import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { schemaNames as names } from '../src/core/schema-names.ts'
import { parseSuite } from '../src/suite/parse-suite.ts'
import { pack, project, root } from './support/cli.ts'

const schemaFile = (name: string): unknown =>
  JSON.parse(readFileSync(join(root, 'schemas', `${name}.schema.json`), 'utf8'))
const validator = (name: string) => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
  addFormats.default(ajv)
  return ajv.compile(schemaFile(name) as object)
}
const suites = readdirSync(join(root, 'evals'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.eval.yaml'))
  .sort()

describe('the JSON Schemas', () => {
  test.each(names)('%s: the shipped file is what the program prints', (name) => {
    using here = project()
    expect(here.cli(['schema', name]).json).toEqual(schemaFile(name))
  })

  test.each(names)('%s compiles under strict ajv', (name) => {
    expect(validator(name)).toBeTypeOf('function')
  })

  test('what coverage and the audit of runs print is what their schemas say', () => {
    using here = project({
      ...pack,
      'evals/t.eval.yaml': 'skills: [../skills]\nmodel: mock\ncases: [{id: a, input: x, mock: [{final_answer: ok}]}]\n',
    })
    here.cli(['run', '-q'])
    for (const [name, args] of [
      ['coverage', ['skills', 'coverage', '--json']],
      ['audit', ['runs', 'audit', '--min-trials', '1', '--json']],
    ] as const) {
      const { json } = here.cli(args)
      const validate = validator(name)
      validate(json)
      expect(validate.errors ?? [], name).toEqual([])
      const known = Object.keys((schemaFile(name) as { properties: object }).properties).sort()
      expect(Object.keys(json as object).sort(), name).toEqual(known)
    }
  })

  test('there are suites to hold against them', () => {
    expect(suites.length).toBeGreaterThan(4)
  })

  test.each(suites)('%s is valid by the schema and by the program', async (file) => {
    const text = readFileSync(join(root, 'evals', file), 'utf8')
    const validate = validator('suite')
    validate(parse(text))
    expect(validate.errors ?? []).toEqual([])
    expect((await parseSuite(text, { file })).diagnostics).toEqual([])
  })

  test('the suite that init writes is valid by both', async () => {
    using here = project()
    expect(here.cli(['init']).code).toBe(0)
    const text = readFileSync(join(here.dir, 'evals/text-stats.eval.yaml'), 'utf8')
    const validate = validator('suite')
    validate(parse(text))
    expect(validate.errors ?? []).toEqual([])
    expect((await parseSuite(text, { file: 'x' })).diagnostics).toEqual([])
  })

  const wrong: [string, string][] = [
    ['an unknown key', 'nme: x'],
    ['a case without an id', 'cases: [{input: x}]'],
    ['an unknown key of a case', 'cases: [{id: a, input: x, expectd: {}}]'],
    ['trials of 0', 'cases: [{id: a, input: x, trials: 0}]'],
    ['an unknown action in a pattern', 'cases: [{id: a, input: x, expected: {actions: {never: [fly]}}}]'],
    ['an unknown operator', 'cases: [{id: a, input: x, expected: {output: [{contain: x}]}}]'],
    [
      'a wrong kind of similarity',
      'cases: [{id: a, input: x, expected: {output: [{similar: {to: x, at_least: 1, by: magic}}]}}]',
    ],
    ['a threshold over 1', 'thresholds: {pass_rate: 2}'],
    ['queries that are no list', 'triggers: {a: {should: x}}'],
    ['roots that are no list', 'skills: ../skills'],
    ['a list of no model', 'model: []'],
    ['defaults with an id', 'defaults: {id: a}'],
    ['an unknown action of the mock', 'cases: [{id: a, input: x, mock: [{fly: x}]}]'],
    ['a rule of the mock without when', 'cases: [{id: a, input: x, mock: {rules: [{do: [{list_dir: .}]}]}}]'],
    ['an unknown key of a test double', 'cases: [{id: a, input: x, tools: {t: {retuns: 1}}}]'],
    ['an unknown key of permissions', 'cases: [{id: a, input: x, permissions: {alow: [x]}}]'],
    ['a limit of no turn', 'cases: [{id: a, input: x, constraints: {max_turns: 0}}]'],
    ['skills that are no list', 'cases: [{id: a, input: x, expected: {skills: csv}}]'],
    ['before without then', 'cases: [{id: a, input: x, expected: {actions: {before: [{first: run_script}]}}}]'],
    ['an unknown unit of length', 'cases: [{id: a, input: x, expected: {output: [{length: {unit: bytes}}]}}]'],
    ['a file without a path', 'cases: [{id: a, input: x, expected: {files: [{exists: true}]}}]'],
    ['a plan that is partly completed', 'cases: [{id: a, input: x, expected: {plan: {completed: some}}}]'],
    ['an unknown form of a fixture', 'cases: [{id: a, input: x, files: {a: {txt: x}}}]'],
    ['a conversation without a word', 'cases: [{id: a, input: []}]'],
    ['a share of unusable trials over 1', 'thresholds: {max_unusable: 10}'],
  ]
  test.each(wrong)('%s is refused by both', async (_what, text) => {
    expect(validator('suite')(parse(text))).toBe(false)
    expect((await parseSuite(text, { file: 'x' })).suite).toBeUndefined()
  })

  test('feedback.json is valid as the guide shows it', () => {
    const guide = readFileSync(join(root, 'docs/html-report.md'), 'utf8')
    const [, shown = ''] = /```json\n(.*?)```/s.exec(guide) ?? []
    const validate = validator('feedback')
    expect([validate(JSON.parse(shown)), validate.errors]).toEqual([true, null])
    expect(validate(JSON.parse(shown.replace('"bad"', '"ugly"')))).toBe(false)
  })

  test('run.json is valid, whatever came of the cases', () => {
    using here = project({
      ...pack,
      'evals/t.eval.yaml': `name: t
skills: [../skills]
thresholds: { pass_rate: 0.1 }
cases:
  - { id: good, input: x, tags: [a], mock: [{ update_plan: { steps: [{ id: a, title: A }] } }, { final_answer: ok }], expected: { output: [{ contains: ok }] } }
  - { id: bad, input: x, mock: [{ final_answer: no }], expected: { skills: [pdf-forms], output: [{ contains: ok }, { json_equals: { a: 1 } }] } }
  - { id: err, input: x, mock: [] }
  - { id: skp, input: x, skip: why }
  - { id: two, input: x, trials: 2, golden: true, mock: [{ list_dir: "." }, { final_answer: { json: [1] } }] }
`,
    })
    const result = here.cli(['run', 'evals', '--json'])
    const validate = validator('run')
    validate(result.json)
    expect(validate.errors ?? []).toEqual([])
    expect(result.code).toBe(1)
  })
})
