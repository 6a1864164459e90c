import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
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
const define = (options: string) =>
  `import { defineSkillTests } from 'skills-eval/vitest'\n\nawait defineSkillTests(${options})`
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

test('cases that were not run fail with why, and say nothing is right', () => {
  p.write({
    '.agent/config.json': '{"models": {"slow": {"provider": "mock", "params": {"latency_ms": 60000}}}}',
    'evals/more.eval.yaml': `name: slow\nskills: [../skills]\nmodel: slow\ncases:\n${answers('waits', 'hello')}${answers('waits-too', 'hello')}`,
    'skills.test.js': define("{ paths: 'evals/more.eval.yaml', timeoutMs: 1000, concurrency: 1 }"),
  })
  const result = vitest()
  expect(statuses(result)).toEqual({ 'slow waits': 'failed', 'slow waits-too': 'failed' })
  expect(result.tests.get('slow waits-too')?.failureMessages[0]).toContain('not run: the run stopped')
  expect(result.tests.get('slow waits-too')?.failureMessages[0]).toContain('not done in 1 s')
  expect(result.code).toBe(1)
})

test('a bail leaves the others out', () => {
  const cases = `${answers('wrong', 'bye')}${answers('right', 'hello')}`
  p.write({
    'evals/more.eval.yaml': `name: more\nskills: [../skills]\ncases:\n${cases}`,
    'skills.test.js': define("{ paths: ['evals/more.eval.yaml'], bail: 1, concurrency: 1 }"),
  })
  expect(statuses(vitest())).toEqual({ 'more wrong': 'failed', 'more right': 'skipped' })
})

test('gates are a test of their own, for which all cases run', () => {
  const gated = `name: gated\nskills: [../skills]\nthresholds: {pass_rate: 1}\ncases:\n`
  p.write({
    'evals/more.eval.yaml': `${gated}${answers('right', 'hello')}${answers('known', 'bye', 'xfail: known')}`,
    'skills.test.js': define("{ paths: 'evals/more.eval.yaml' }"),
  })
  expect(statuses(vitest())).toEqual({ 'gated right': 'passed', 'gated known': 'passed', thresholds: 'passed' })
  p.write({ 'evals/more.eval.yaml': `${gated.replace('pass_rate: 1', 'tokens: 0')}${answers('right', 'hello')}` })
  for (const some of [[], ['-t', 'thresholds']]) {
    const missed = vitest(...some)
    expect(statuses(missed)).toEqual({ 'gated right': some.length > 0 ? 'skipped' : 'passed', thresholds: 'failed' })
    expect(missed.tests.get('thresholds')?.failureMessages[0]).toMatch(/missed\n.*gated: tokens at most 0: \d/)
    expect(missed.code).toBe(1)
  }
})

test('skills that add less than is asked for miss their gate', () => {
  p.write({
    'evals/more.eval.yaml': `name: more\nskills: [../skills]\ncases:\n${answers('right', 'hello')}`,
    'skills.test.js': define("{ paths: 'evals/more.eval.yaml', baseline: 'without_skills', minLift: 0.5 }"),
  })
  const result = vitest()
  expect(statuses(result)).toEqual({ 'more right': 'passed', thresholds: 'failed' })
  expect(result.tests.get('thresholds')?.failureMessages[0]).toContain('lift at least 50')
})

test('options that are wrong, and a project without vitest, are told in a sentence', () => {
  p.write({ 'skills.test.js': define("{ path: 'evals' }") })
  expect(vitest().file?.message).toContain('defineSkillTests: there is no option `path`: did you mean `paths`?')
  renameSync(join(p.dir, 'node_modules/vitest'), join(p.dir, 'vitest-away'))
  p.write({ 'alone.mjs': `${define('')}.catch((error) => console.log(error.message))\n` })
  try {
    expect(p.run('node', ['alone.mjs'])).toBe(
      'skills-eval/vitest defines tests of vitest, which is not installed here: npm install --save-dev vitest\n',
    )
  } finally {
    renameSync(join(p.dir, 'vitest-away'), join(p.dir, 'node_modules/vitest'))
  }
})
