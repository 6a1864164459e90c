import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { project, root, skill } from './support/cli.ts'

const answers = (id: string, answer: string, more = '') => `  - id: ${id}
    input: hi
    mock: [{final_answer: ${answer}}]
    expected: {output: [{equals: hello}]}
    ${more}
`
const files = {
  'package.json': '{"type": "module", "private": true}',
  'skills/one/SKILL.md': skill('one', 'Does one thing. Use it for one.'),
  'evals/words.eval.yaml': `name: words
skills: [../skills]
cases:
${answers('right', 'hello')}${answers('wrong', 'bye')}${answers('later', 'bye', 'skip: not yet')}${answers('known', 'bye', 'xfail: known')}`,
  'evals/more.eval.yaml': `name: more\nskills: [../skills]\ncases:\n${answers('right-too', 'hello')}`,
  'skills.test.js':
    "import { defineSkillTests } from 'skills-eval/vitest'\n\nawait defineSkillTests({ paths: ['evals'] })\n",
}
type Told = {
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

let p: ReturnType<typeof project>

beforeAll(() => {
  p = project(files)
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', p.dir], { cwd: root, stdio: 'ignore' })
  const tarball = readdirSync(p.dir).find((file) => file.endsWith('.tgz')) ?? ''
  mkdirSync(join(p.dir, 'node_modules/skills-eval'), { recursive: true })
  execFileSync('tar', ['xzf', tarball, '-C', 'node_modules/skills-eval', '--strip-components=1'], { cwd: p.dir })
  symlinkSync(join(root, 'node_modules/vitest'), join(p.dir, 'node_modules/vitest'))
})
afterAll(() => p[Symbol.dispose]())

const vitest = (...args: readonly string[]) => {
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const result = spawnSync(process.execPath, [program, 'run', '--reporter=json', '--root', p.dir, ...args], {
    cwd: p.dir,
    encoding: 'utf8',
    timeout: 110_000,
    env: { PATH: process.env.PATH ?? '', HOME: p.dir, CI: 'true', NO_COLOR: '1' },
  })
  const told = JSON.parse(result.stdout.slice(result.stdout.indexOf('{'))) as Told
  const [file] = told.testResults
  return { code: result.status, file, tests: new Map(file?.assertionResults.map((one) => [one.fullName, one])) }
}
const statuses = ({ tests }: ReturnType<typeof vitest>) =>
  Object.fromEntries([...tests].map(([name, { status }]) => [name, status]))
const runs = () => readdirSync(join(p.dir, 'reports'))

test('each case is a test of its own, and one that fails says why as `run` does', () => {
  const result = vitest()
  expect(statuses(result)).toEqual({
    'words right': 'passed',
    'words wrong': 'failed',
    'words later': 'skipped',
    'words known': 'passed',
    'more right-too': 'passed',
  })
  expect(result.code).toBe(1)
  const [message] = result.tests.get('words wrong')?.failureMessages ?? []
  expect(message).toContain('✗ equals "hello": expected "hello", was "bye"')
  expect(message).toContain("repeat: skills-eval run evals/words.eval.yaml --filter '=wrong'")
  expect(message).not.toContain('node_modules')
})

test('where some tests are asked for, their cases run and no others', () => {
  const before = runs()
  const result = vitest('-t', 'words right')
  expect(result.code).toBe(0)
  const made = runs().filter((run) => !before.includes(run))
  expect(made).toHaveLength(1)
  const ran = p.run('node', [
    '-p',
    `JSON.stringify(require('./reports/${made[0]}/run.json').suites.flatMap((s) => s.cases.map((c) => c.id)))`,
  ])
  expect(JSON.parse(ran)).toEqual(['right'])
})

test('a stale recording fails its test with the command that records it anew', () => {
  p.write({
    'skills.test.js': files['skills.test.js'].replace("['evals'] }", "['evals/more.eval.yaml'], record: 'replay' }"),
  })
  expect(p.cli(['run', 'evals/more.eval.yaml', '--record', 'all']).code).toBe(0)
  expect(vitest().code).toBe(0)
  p.write({ 'evals/more.eval.yaml': files['evals/more.eval.yaml'].replace('input: hi', 'input: hello there') })
  const result = vitest()
  expect(result.code).toBe(1)
  const [message] = result.tests.get('more right-too')?.failureMessages ?? []
  expect(message).toContain('stale')
  expect(message).toContain("Re-record: skills-eval run evals/more.eval.yaml --filter '=right-too' --record stale")
  p.write({ 'evals/more.eval.yaml': files['evals/more.eval.yaml'] })
})

test('a mistake in a suite fails the file with its place', () => {
  p.write({ 'evals/more.eval.yaml': 'name: more\ncases: [{id: a, inptu: x}]\n' })
  const { code, file } = vitest()
  expect(code).toBe(1)
  expect(file?.message).toContain('evals/more.eval.yaml:2')
  expect(file?.message).toContain('inptu')
})
