import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import { head, pack, project, root } from './support/cli.ts'
import { parseXml } from './support/parse-xml.ts'

const suite = (cases: string): Readonly<Record<string, string>> => ({
  ...pack,
  'evals/t.eval.yaml': `${head}cases:\n${cases}`,
})
const sound = '  - {id: sound, input: x, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}}\n'
const hollow = '  - {id: hollow, input: x, mock: [{final_answer: ok}], expected: {output: [{length: {max: 9}}]}}\n'
const weak =
  '  - {id: weak, input: say ok, mock: [{final_answer: ok}], expected: {output: [{contains: ok}, {not: true, regex: bad}]}}\n'
const negative = '  - {id: negative, input: x, mock: [{final_answer: ok}], expected: {skills: []}}\n'

describe('run --audit', () => {
  test('lists what holds for agents that do nothing, and changes neither rates nor the exit code', () => {
    using p = project(suite(sound + hollow + weak + negative))
    const plain = p.cli(['run', '--json']).json as RunResult
    expect(plain).not.toHaveProperty('audit')
    const result = p.cli(['run', '--audit'])
    expect(result.code, result.err).toBe(0)
    expect(result.out).toMatch(/audit +case +check +holds for\n/)
    expect(result.out).toMatch(/vacuous +t\/hollow +\(all of its checks\) +idle\n/)
    expect(result.out).toMatch(/vacuous +t\/weak +not: matches bad +every agent\n/)
    expect(result.out).toMatch(/weak +t\/weak +contains "ok" +echo\n/)
    expect(result.out).not.toContain('t/negative')
    expect(result.out).toContain('audit: 2 of 4 checks vacuous, 1 weak, 1 of 4 cases vacuous, 1 negative\n')
    const run: RunResult = JSON.parse(readFileSync(join(p.dir, 'reports/latest/run.json'), 'utf8'))
    const { latency_ms: _, ...numbers } = run.summary
    expect(numbers).toEqual(Object.fromEntries(Object.entries(plain.summary).filter(([key]) => key !== 'latency_ms')))
    expect(run.audit).toMatchObject({ mode: 'warn', cases: 4, vacuous_cases: 1, negative_cases: 1 })
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
    addFormats.default(ajv)
    const validate = ajv.compile(JSON.parse(readFileSync(join(root, 'schemas/run.schema.json'), 'utf8')))
    expect(validate(run), JSON.stringify(validate.errors)).toBe(true)
    expect(p.cli(['runs', 'show']).out).toContain('audit: 2 of 4 checks vacuous')
  })

  test('=fail ends with 1 where a case is vacuous, and says so in the last line; without one it ends with 0', () => {
    using p = project(suite(sound + hollow))
    const failed = p.cli(['run', '--audit=fail'])
    expect(failed.code).toBe(1)
    expect(failed.out.trimEnd().split('\n').at(-1)).toMatch(/^2 cases: 2 passed, 1 vacuous case — /)
    expect(readFileSync(join(p.dir, 'reports/latest/summary.md'), 'utf8')).toMatch(/^# Not passed\n/)
    p.write(suite(sound + weak + negative))
    expect(p.cli(['run', '--audit=fail']).code).toBe(0)
  })

  test('is in summary.md, and in junit.xml as a property of the cases it is about', () => {
    using p = project(suite(sound + hollow + weak))
    expect(p.cli(['run', '--audit']).code).toBe(0)
    const folder = join(p.dir, 'reports/latest')
    const markdown = readFileSync(join(folder, 'summary.md'), 'utf8')
    expect(markdown).toContain('## Audit\n')
    expect(markdown).toContain('1 of 3 cases vacuous')
    const xml = parseXml(readFileSync(join(folder, 'junit.xml'), 'utf8'))
    const cases = xml.children[0]?.children.filter(({ name }) => name === 'testcase') ?? []
    const auditOf = (at: number) =>
      cases[at]?.children[0]?.children.find(({ attributes }) => attributes.name === 'audit')?.attributes.value
    expect([auditOf(0), auditOf(1), auditOf(2)]).toEqual([undefined, 'vacuous: all', 'vacuous: not: matches bad'])
  })

  test('has all queries of triggers that only a selection of everything passes in one row', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `${head}triggers:
  csv-analyzer: {should: [a, b], should_not: [c]}
  pdf-forms: {should: [d]}
cases:
${weak}`,
    })
    const result = p.cli(['run', '--audit', '--reporter', 'junit=j.xml', '--reporter', 'terminal'])
    expect(result.out).toMatch(/weak +3 queries of triggers +\(--json names them\) +all_skills\n/)
    expect(result.out).not.toMatch(/weak +t\/trigger/)
    const xml = readFileSync(join(p.dir, 'j.xml'), 'utf8')
    expect(xml.match(/name="audit_weak" value="[^"]*"/g)).toEqual([
      'name="audit_weak" value="weak: contains &quot;ok&quot; (echo)"',
    ])
    const run: RunResult = JSON.parse(readFileSync(join(p.dir, 'reports/latest/run.json'), 'utf8'))
    expect(run.audit?.groups.filter(({ trigger_only }) => trigger_only).map(({ checks }) => checks.length)).toEqual([
      1, 1,
    ])
  })

  test('tells each row of a case its own check in junit.xml', () => {
    using p = project(
      suite(`  - {id: row, each: [{w: one}, {w: two}], input: x, mock: [{final_answer: ok}],
      expected: {output: [{contains: ok}, {not: true, contains: "{{w}}"}]}}
`),
    )
    p.cli(['run', '--audit', '-q'])
    const xml = readFileSync(join(p.dir, 'reports/latest/junit.xml'), 'utf8')
    expect(xml.match(/name="audit" value="[^"]*"/g)).toEqual([
      'name="audit" value="vacuous: not: contains &quot;one&quot;"',
      'name="audit" value="vacuous: not: contains &quot;two&quot;"',
    ])
  })

  test('goes through permissions, workspace and graders: a wrong file is laid down before the grader looks', () => {
    using p = project({
      ...suite(`  - id: graded
    input: x
    files: {in.txt: {text: as it was}}
    mock: [{write_file: {path: out.txt, content: fine}}, {final_answer: ok}]
    expected:
      files: [{path: out.txt}]
      output: [{name: looks at the file, script: {run: ../look.py}}]
  - id: denied
    input: x
    permissions: {deny: [write_file]}
    mock: [{final_answer: ok}]
    expected: {files: [{path: out.txt}]}
`),
      'look.py': 'import os,sys\nsys.exit(0 if os.path.exists("out.txt") and os.path.exists("in.txt") else 1)\n',
    })
    const result = p.cli(['run', '--audit', '--json'])
    // The second case can't pass for anybody, nor for an agent that is not allowed to write.
    expect(result.code, result.err).toBe(1)
    const audit = (result.json as RunResult).audit
    expect(audit?.groups.map((group) => group.case)).toEqual(['graded'])
    expect(audit?.groups[0]?.checks).toEqual([
      { name: 'looks at the file', kind: 'script', passed_by: { wrong_file: 1 } },
      { name: 'out.txt exists', kind: 'file', passed_by: { wrong_file: 1 } },
    ])
  })

  test('asks no model and reads no recording', () => {
    using p = project({
      ...pack,
      '.agent/config.yaml': 'models: {live: {provider: openai, model: gpt-x, base_url: "http://127.0.0.1:9"}}\n',
      'evals/t.eval.yaml': `name: t\nskills: [../skills]\nmodel: live\ncases:\n${hollow.replace(/mock: \[.*?\], /, '')}`,
    })
    const result = p.cli(['run', '--audit', '--json'])
    expect(result.code).toBe(4)
    expect((result.json as RunResult).audit).toMatchObject({ vacuous_cases: 1, unjudged_cases: 0 })
  })

  test('makes one entry of ten thousand rows', () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `{"word":"w${i}"}\n`).join('')
    using p = project({
      ...suite(`  - {id: row, each: ../rows.jsonl, input: "{{word}}", mock: [{final_answer: ok}],
      expected: {output: [{contains: ok}, {not: true, contains: "{{word}}"}]}}
`),
      'rows.jsonl': rows,
    })
    const result = p.cli(['run', '--audit', '-q'], { COLUMNS: '100' })
    expect(result.code, result.err).toBe(0)
    expect(result.out).toMatch(/vacuous +t\/row\/1 and 9,999 more +not: contains "w0" +idle, all_skills, wrong_file\n/)
    expect(result.out).toContain('audit: 10,000 of 20,000 checks vacuous, 0 weak, 0 of 10,000 cases vacuous')
    expect(result.out.split('\n').length).toBeLessThan(15)
  })

  test('ends with the signal where it is interrupted while it audits, with the report of the run', async () => {
    using p = project({
      ...suite(
        '  - {id: slow, input: x, mock: [{final_answer: ok}], expected: {output: [{script: {run: ../slow.py}}]}}\n',
      ),
      'slow.py':
        'import sys,time\nif sys.stdin.read() == "":\n  print("", file=open(sys.argv[0] + ".on", "w"))\n  time.sleep(50)\n',
    })
    const started = p.start(['run', '--audit'])
    for (let i = 0; i < 400 && !existsSync(join(p.dir, 'slow.py.on')); i += 1) await sleep(50)
    expect(started.said.err).toContain('audit: each case again')
    started.kill('SIGINT')
    expect(await started.ended).toBe(130)
    const run: RunResult = JSON.parse(readFileSync(join(p.dir, 'reports/latest/run.json'), 'utf8'))
    expect(run).not.toHaveProperty('audit')
    expect(run.summary.passed).toBe(1)
  })

  test('is nothing else than warn or fail', () => {
    using p = project(suite(sound))
    const result = p.cli(['run', '--audit', 'evals'])
    expect(result.code).toBe(2)
    expect(result.err).toContain('paths stand before --audit')
    expect(p.cli(['run', '--help']).out).toContain('--audit [mode]')
  })
})
