import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { pack, project, skill } from './support/cli.ts'
import { atTerminal } from './support/pty.ts'
import { config } from './support/recorded-project.ts'

const suite = (name: string, more = '', answer = 'ok') =>
  `name: ${name}\nskills: [../skills/${name}]\nmodel: m\ncases:\n  - {id: one, input: x${more}, mock: [{final_answer: ${answer}}], expected: {output: [{equals: ok}]}}\n`
const files = {
  ...pack,
  'skills/a/SKILL.md': skill('a', 'Does a.'),
  'skills/b/SKILL.md': skill('b', 'Does b.'),
  'evals/a.eval.yaml': suite('a', ', files: {s.csv: ../fixtures/sales.csv}'),
  'evals/b.eval.yaml': suite('b'),
  '.agent/config.json': config(),
}
const notCi = { CI: '' }
const patient = { timeout: 30_000, interval: 25 }

/** The program watching a project, and what it says from one moment to the next. */
const watching = async (more: Readonly<Record<string, string>> = {}, args: readonly string[] = []) => {
  const p = project({ ...files, ...more })
  const run = p.start(['run', '--watch', ...args], notCi)
  let heard = 0
  let told = 0
  /** What was said until it waits again. */
  const settled = async (): Promise<string> => {
    await vi.waitFor(() => expect(run.said.err.indexOf('watching ', heard)).toBeGreaterThan(-1), patient)
    const end = run.said.err.indexOf('\n', run.said.err.indexOf('watching ', heard))
    const text = run.said.err.slice(heard, end) + run.said.out.slice(told)
    heard = end
    told = run.said.out.length
    return text
  }
  return {
    p,
    run,
    settled,
    write: (change: Record<string, string>) => p.write(change),
    [Symbol.dispose]: p[Symbol.dispose],
  }
}

describe('run --watch', () => {
  test('runs all, then what a change touches, and says which file and which suites', async () => {
    using w = await watching()
    expect(await w.settled()).toContain('2 cases: 2 passed')
    w.write({ 'evals/b.eval.yaml': suite('b', ', tags: [x]') })
    const suiteChanged = await w.settled()
    expect(suiteChanged).toContain('evals/b.eval.yaml: b\n')
    expect(suiteChanged).toContain('1 case: 1 passed')
    w.write({ 'skills/a/SKILL.md': skill('a', 'Does a otherwise.') })
    expect(await w.settled()).toContain('skills/a/SKILL.md: a\n')
    w.write({ 'fixtures/sales.csv': 'month,revenue\n' })
    expect(await w.settled()).toContain('fixtures/sales.csv: a\n')
    w.write({ '.agent/config.json': config({ concurrency: 2 }) })
    const configured = await w.settled()
    expect(configured).toContain('.agent/config.json: all suites\n')
    expect(configured).toContain('2 cases: 2 passed')
    w.write({ 'evals/c.eval.yaml': suite('b').replace('name: b', 'name: c') })
    const found = await w.settled()
    expect(found).toContain('evals/c.eval.yaml: evals/c.eval.yaml\n')
    expect(found).toContain('watching 3 suites')
    w.run.kill('SIGINT')
    expect(await w.run.ended).toBe(130)
  })

  test('takes several changes at once as one, and none that touches nothing', async () => {
    using w = await watching()
    await w.settled()
    w.write({ 'notes.txt': 'x', 'evals/.a.eval.yaml.swp': 'x', 'reports/mine.txt': 'x' })
    w.write({ 'skills/a/SKILL.md': skill('a', 'One.'), 'skills/b/SKILL.md': skill('b', 'Two.') })
    w.write({ 'skills/a/SKILL.md': skill('a', 'Three.') })
    const text = await w.settled()
    expect(text).toContain('2 cases: 2 passed')
    expect(text).toMatch(/skills\/a\/SKILL\.md, skills\/b\/SKILL\.md: a, b\n/)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(readdirSync(join(w.p.dir, 'reports')).filter((name) => /^\d{8}/.test(name))).toHaveLength(2)
    w.run.kill('SIGTERM')
    expect(await w.run.ended).toBe(143)
  })

  test('shows what is broken while it is edited, and goes on when it is mended', async () => {
    using w = await watching({ 'evals/b.eval.yaml': 'name: b\ncases: [' })
    const broken = await w.settled()
    expect(broken).toContain('evals/b.eval.yaml:')
    expect(broken).toContain('nothing was run')
    w.write({ 'evals/b.eval.yaml': suite('b', ', files: {x: ../fixtures/new.txt}') })
    expect(await w.settled()).toContain('fixtures/new.txt')
    // Nobody knew of this file before.
    w.write({ 'fixtures/new.txt': 'x' })
    const mended = await w.settled()
    expect(mended).toContain('2 cases: 2 passed')
    rmSync(join(w.p.dir, 'evals/a.eval.yaml'))
    w.write({ 'evals/b.eval.yaml': suite('b', '', 'no') })
    const failed = await w.settled()
    expect(failed).toContain('1 case: 1 failed')
    w.run.kill('SIGINT')
    expect(await w.run.ended).toBe(130)
  })

  test('while a suite is broken it reacts to suites and to what they name, and to nothing else', async () => {
    const broken = `${suite('b')}unknown: 1\n`
    using w = await watching({ 'evals/b.eval.yaml': broken, 'run.log': 'x' })
    expect(await w.settled()).toContain('nothing was run')
    w.write({ 'run.log': 'y', 'fixtures/run.log': 'x', 'evals/notes.txt': 'x', 'reports/mine.txt': 'x' })
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(w.run.said.err.match(/^watching/gm)).toHaveLength(1)
    w.write({ 'skills/b/SKILL.md': skill('b', 'Does b otherwise.') })
    expect(await w.settled()).toContain('skills/b/SKILL.md: what was not run\n')
    w.write({ 'evals/b.eval.yaml': suite('b') })
    expect(await w.settled()).toContain('2 cases: 2 passed')
    w.run.kill('SIGINT')
    expect(await w.run.ended).toBe(130)
  })

  test('says that a suite was deleted, and counts those that are left', async () => {
    using w = await watching()
    await w.settled()
    rmSync(join(w.p.dir, 'evals/a.eval.yaml'))
    const gone = await w.settled()
    expect(gone).toContain('evals/a.eval.yaml was deleted\n')
    expect(gone).not.toContain('case')
    expect(gone).toContain('watching 1 suite')
    expect(gone).not.toContain('watching 1 suites')
    w.write({ 'evals/b.eval.yaml': 'name: b\ncases: [' })
    expect(await w.settled()).toContain('watching 1 suite')
    rmSync(join(w.p.dir, 'evals/b.eval.yaml'))
    const last = await w.settled()
    expect(last).toContain('evals/b.eval.yaml was deleted\n')
    expect(last).toContain('watching 0 suites')
    w.run.kill('SIGINT')
    expect(await w.run.ended).toBe(130)
  })

  test('sees what changes while it runs', async () => {
    using w = await watching({ '.agent/config.json': config({}, { params: { latency_ms: 1500 } }) })
    await vi.waitFor(() => expect(readdirSync(w.p.dir)).toContain('reports'), patient)
    mkdirSync(join(w.p.dir, 'skills/b/references'), { recursive: true })
    writeFileSync(join(w.p.dir, 'skills/b/references/new.md'), 'New.\n')
    expect(await w.settled()).toContain('2 cases: 2 passed')
    expect(await w.settled()).toContain('skills/b/references/new.md: b\n')
    w.run.kill('SIGINT')
    expect(await w.run.ended).toBe(130)
  })

  test('at a terminal a key runs all, or what did not pass, or ends it', () => {
    using p = project({ ...files, 'evals/b.eval.yaml': suite('b', '', 'no') })
    const steps = [
      { until: 'q quits', type: 'a' },
      { until: 'q quits', type: 'f' },
      { until: 'q quits', type: 'q' },
    ]
    const { code, screen } = atTerminal(p.dir, ['run', '--watch'], steps, {}, 'skills-eval')
    expect(screen.match(/\d cases?: .*(?:passed|failed)/g)).toEqual([
      expect.stringContaining('2 cases'),
      expect.stringContaining('2 cases'),
      '1 case: 1 failed',
    ])
    expect(code).toBe(0)
    const stopped = atTerminal(p.dir, ['run', '--watch'], [{ until: 'q quits', type: '\u0003' }], {}, 'skills-eval')
    expect(stopped.code).toBe(130)
  })

  test.each([
    [[], 'this is CI', {}],
    [['--list'], '--watch and --list do not go together', notCi],
    [['--resume'], '--watch and --resume do not go together', notCi],
    [['--shard', '1/2'], '--watch and --shard do not go together', notCi],
  ])('%j is a mistake: %s', (args, told, env) => {
    using p = project(files)
    expect(p.cli(['run', '--watch', ...args], env)).toMatchObject({ code: 2, err: expect.stringContaining(told) })
  })
})
