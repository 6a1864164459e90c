import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { type CliResult, head, project, root } from './support/cli.ts'

type Case = { permissions?: unknown; readonly tags?: readonly string[] }
type Suite = { defaults: Case; cases: Case[] }

const shipped = join(root, 'evals/permissions')

/** The shipped suites in a folder of their own, with the configuration that is given. */
const copy = (config: unknown) => {
  const p = project({ '.agent/config.json': JSON.stringify(config) })
  cpSync(shipped, join(p.dir, 'evals'), { recursive: true })
  return p
}
const suiteFiles = readdirSync(shipped).filter((file) => file.endsWith('.eval.yaml'))
const statuses = ({ json }: CliResult): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (json as { suites: { name: string; cases: { id: string; status: string }[] }[] }).suites.flatMap(
      ({ name, cases }) => cases.map(({ id, status }) => [`${name}/${id}`, status]),
    ),
  )
const passedOf = (result: CliResult, named: RegExp): string[] =>
  Object.entries(statuses(result)).flatMap(([name, status]) => (named.test(name) && status === 'passed' ? [name] : []))

describe('the suites about permissions', () => {
  test.each(['auto', 'off'])('are green with sandbox: %s, and no secret reaches them', (sandbox) => {
    using p = copy({ sandbox })
    const result = p.cli(['run', '--json'], { SECRET_TOKEN: 'of-the-environment' })
    expect(Object.entries(statuses(result)).filter(([, status]) => status !== 'passed')).toEqual([])
    expect(Object.keys(statuses(result)).length).toBeGreaterThan(140)
    expect(result.code).toBe(0)
    expect(result.out).not.toContain('of-the-environment')
  })

  test('notice declarations that are gone', () => {
    using p = copy({})
    for (const name of readdirSync(join(p.dir, 'evals/skills'))) {
      const file = join('evals/skills', name, 'SKILL.md')
      p.write({ [file]: readFileSync(join(p.dir, file), 'utf8').replace(/^allowed.*\n/m, '') })
    }
    const result = p.cli(['run', '--json'])
    expect(passedOf(result, /allowed-tools\/|shell-lines\/not-covered/)).toEqual([
      // The fence of the case stands in any event.
      'permissions-allowed-tools/never-widens',
    ])
  })

  test('notice rules of suites and cases that are gone', () => {
    using p = copy({})
    for (const file of suiteFiles) {
      const suite = parse(readFileSync(join(shipped, file), 'utf8')) as Suite
      const cases = suite.cases.filter((one) => one.permissions ?? suite.defaults.permissions)
      if (file === 'network.eval.yaml' || cases.length === 0) continue
      for (const one of [suite.defaults, ...cases]) delete one.permissions
      p.write({ [`evals/${file}`]: stringify({ ...suite, cases }) })
    }
    const result = p.cli(['run', '--json', ...['narrowing', 'shell-lines'].map((name) => `evals/${name}.eval.yaml`)])
    expect(passedOf(result, /deny\/|allow\/|provided-tool|\/denied\//)).toEqual([
      // It is not denied with the rule either.
      'permissions-shell-lines/denied/by-its-subcommand/another',
    ])
  })

  test('notice a network that is open', () => {
    // The rule names a host that nobody has: nothing is sent.
    using p = copy({ permissions: { allow: ['network_request(nobody.invalid)'] } })
    const result = p.cli(['run', 'evals/network.eval.yaml', '--json'])
    expect(passedOf(result, /closed/)).toEqual([])
  })
})

describe('what needs a person or a configuration', () => {
  test('a question that nobody can answer is an error, also where the case is expected to fail', () => {
    using p = project({
      'evals/t.eval.yaml': `${head}cases:
  - id: asked
    input: x
    permissions: {ask: ["write_file(out/**)"]}
    mock: [{write_file: {path: out/a.txt, content: x}}, {final_answer: done}]
  - id: expected-to-fail
    xfail: nobody is there
    input: x
    permissions: {ask: [write_file]}
    mock: [{write_file: {path: a.txt, content: x}}, {final_answer: done}]
  - id: not-reached
    input: x
    permissions: {ask: ["write_file(out/**)"]}
    mock: [{write_file: {path: a.txt, content: x}}, {final_answer: done}]
`,
    })
    p.write({ 'skills/one/SKILL.md': '---\nname: one\ndescription: One.\n---\n' })
    const result = p.cli(['run', '--json'])
    expect(statuses(result)).toEqual({ 't/asked': 'error', 't/expected-to-fail': 'error', 't/not-reached': 'passed' })
    expect(result.code).toBe(3)
    expect(JSON.stringify(result.json)).toContain(
      'approval_required: write_file(out/a.txt) needs approval (run-time policy: ask write_file(out/**)) and nobody is there to give it; where it may run without, move that rule from ask to allow',
    )
  })

  test('what the configuration opens for one folder, a case may narrow', () => {
    using p = project({
      '.agent/config.json': '{"permissions": {"allow": ["delete_file(trash/**)"]}}',
      'skills/one/SKILL.md': '---\nname: one\ndescription: One.\n---\n',
      'evals/t.eval.yaml': `${head}cases:
  - id: deleted
    input: x
    permissions: {deny: ["delete_file(trash/keep/**)"]}
    files: {trash/a.txt: {text: a}, trash/keep/b.txt: {text: b}}
    mock:
      - [{delete_file: trash/a.txt}, {delete_file: trash/keep/b.txt}, {delete_file: trash/../a.txt}]
      - {final_answer: done}
    expected:
      actions:
        in_order:
          - {action: delete_file, path: trash/a.txt}
          - {action: delete_file, path: trash/keep/b.txt, status: denied, output: {contains: run-time policy}}
      files: [{path: trash/a.txt, exists: false}, {path: trash/keep/b.txt, unchanged: true}]
  - id: asked-for-the-others
    input: x
    files: {a.txt: {text: a}}
    mock: [{delete_file: a.txt}, {final_answer: done}]
`,
    })
    const result = p.cli(['run', '--json'])
    expect(statuses(result)).toEqual({ 't/deleted': 'passed', 't/asked-for-the-others': 'error' })
    expect(JSON.stringify(result.json)).toContain('which the configuration opens for other uses')
  })
})
