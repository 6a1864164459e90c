import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import { pack, project } from './support/cli.ts'
import { parseXml } from './support/parse-xml.ts'

type Project = ReturnType<typeof project>

const names = ['junit.xml', 'report.html', 'summary.md'] as const
const read = (p: Project, path: string): string => readFileSync(join(p.dir, path), 'utf8')
const folderOf = (p: Project): string => {
  const [id] = readdirSync(join(p.dir, 'reports')).filter((name) => name !== 'latest')
  return `reports/${id}`
}

const files = {
  ...pack,
  'evals/a.eval.yaml': `name: a
description: Two models.
skills: [../skills]
model: [first, second]
thresholds: {pass_rate: 0.9}
cases:
  - {id: good, tags: [smoke], input: Sum it., trials: 2, mock: [{select_skills: csv-analyzer}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}
  - {id: bad, input: Sum it., golden: true, mock: [{final_answer: ok}], expected: {skills: [csv-analyzer], output: [{equals: other}]}}
`,
  'evals/b.eval.yaml': `name: b
model: first
cases:
  - {id: broken, input: x, mock: []}
  - {id: skipped, input: x, skip: later, mock: []}
  - {id: known, input: x, xfail: a bug, mock: [{final_answer: "no"}], expected: {output: [{equals: "yes"}]}}
`,
  '.agent/config.json': '{"models": {"first": {"provider": "mock"}, "second": {"provider": "mock"}}}',
}

describe('report', () => {
  test('writes the files of a run as the run wrote them, and leaves run.json alone', () => {
    using p = project(files)
    const ran = p.cli(['run'])
    expect(ran.code).toBe(1)
    const before = Object.fromEntries([...names, 'run.json'].map((name) => [name, read(p, `reports/latest/${name}`)]))
    for (const name of names) rmSync(join(p.dir, 'reports/latest', name))
    const again = p.cli(['report'])
    expect([again.code, again.out]).toEqual([0, ran.out])
    expect(again.err).toContain('written again: ')
    for (const name of ['junit.xml', 'summary.md', 'run.json'])
      expect(read(p, `reports/latest/${name}`), name).toBe(before[name])
    expect(read(p, 'reports/latest/report.html')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
  })

  test('shows the other arm of a run with a baseline, and does without where that is gone or damaged', () => {
    using p = project(files)
    p.cli(['run', '-q', '--baseline', 'without_skills'])
    const page = 'reports/latest/report.html'
    const other = 'reports/latest/baseline/run.json'
    const isShown = (): boolean => read(p, page).includes('data-kind="base"')
    const again = (): boolean => {
      expect(p.cli(['report', '-q']).code).toBe(0)
      return isShown()
    }
    expect([isShown(), again()]).toEqual([true, true])
    const arm = read(p, other)
    p.write({ [other]: arm.slice(0, arm.length / 2) })
    expect(again()).toBe(false)
    rmSync(join(p.dir, other))
    expect(again()).toBe(false)
  })

  test('writes and prints just what --reporter says', () => {
    using p = project(files)
    p.cli(['run', '-q'])
    for (const name of names) rmSync(join(p.dir, 'reports/latest', name))
    const { code, out } = p.cli(['report', 'latest', '--reporter', 'junit=out/j.xml', '--reporter', 'github'])
    expect(code).toBe(0)
    expect(out).toMatch(/^::error file=evals\/a\.eval\.yaml,line=8,/)
    expect(parseXml(read(p, 'out/j.xml')).attributes).toMatchObject({ tests: '7', failures: '2', errors: '1' })
    for (const name of names) expect(existsSync(join(p.dir, 'reports/latest', name)), name).toBe(false)
  })

  test('--json prints run.json as it is', () => {
    using p = project(files)
    p.cli(['run', '-q'])
    expect(p.cli(['report', '--json']).out).toBe(read(p, 'reports/latest/run.json'))
  })

  test('takes an id, how it starts, a folder, and a run.json laid out by others, beside which it writes nothing', () => {
    using p = project(files)
    p.cli(['run', '-q'])
    const { id } = JSON.parse(read(p, 'reports/latest/run.json')) as RunResult
    const shown = p.cli(['report', id]).out
    mkdirSync(join(p.dir, 'elsewhere'))
    const pretty = JSON.stringify(JSON.parse(read(p, 'reports/latest/run.json')), null, 2)
    writeFileSync(join(p.dir, 'elsewhere/mine.json'), pretty)
    for (const wanted of [id.slice(0, 12), `reports/${id}`, 'elsewhere/mine.json', 'reports/latest/results.jsonl'])
      expect(p.cli(['report', wanted]).out, wanted).toBe(shown)
    expect(readdirSync(join(p.dir, 'elsewhere'))).toEqual(['mine.json'])
  })

  test.each([
    ['no run', ['report'], /there is no latest run/],
    ['an unknown one', ['report', 'nothing'], /there is no run nothing/],
    ['a folder of something else', ['report', 'evals'], /has no run\.json/],
    ['a file that is none', ['report', 'evals/a.eval.yaml'], /can't be used: it is not JSON/],
    ['an unknown reporter', ['report', '--reporter', 'pdf'], /there is no reporter "pdf"/],
  ])('ends with 2 and words for %s', (_, args, words) => {
    using p = project(files)
    const { code, err, out } = p.cli(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(words)
    expect(err).not.toMatch(/\n\s+at /)
  })

  test('does not replace what it reads', () => {
    using p = project(files)
    p.cli(['run', '-q'])
    const before = read(p, 'reports/latest/run.json')
    const { code, err } = p.cli(['report', folderOf(p), '--reporter', `junit=${folderOf(p)}/run.json`])
    expect([code, err]).toEqual([2, expect.stringContaining('is what the report is made of')])
    expect(read(p, 'reports/latest/run.json')).toBe(before)
  })

  test('ends with 3 where a report could not be written', () => {
    using p = project(files)
    p.cli(['run', '-q'])
    const { code, err } = p.cli(['report', '-q', '--reporter', 'junit=/proc/none/junit.xml'])
    expect(code).toBe(3)
    expect(err).toMatch(/junit\.xml can't be written/)
  })
})

describe('report of a run that has not ended', () => {
  const cases = Array.from({ length: 40 }, (_, i) => {
    const more = i % 4 === 0 ? ', xfail: a bug' : i % 4 === 1 ? ', trials: 2, pass_threshold: 0.5' : ''
    const expected = i % 4 === 3 ? '' : ', expected: {output: [{equals: other}]}'
    return `  - {id: c${i}, tags: [t], input: "Question ${i}"${more}, mock: [{final_answer: ok}]${expected}}\n`
  })
  const slow = {
    'evals/s.eval.yaml': `name: s\nmodel: m\ncases:\n${cases.join('')}`,
    '.agent/config.json': '{"models": {"m": {"provider": "mock", "params": {"latency_ms": 100}}}}',
  }
  const killed = async (p: Project): Promise<string> => {
    const run = p.start(['run', '-q', '--concurrency', '3'])
    const rows = () => {
      const path = existsSync(join(p.dir, 'reports')) ? join(p.dir, folderOf(p), 'results.jsonl') : ''
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
    }
    for (let waited = 0; rows() < 9 && waited < 20_000; waited += 20) await sleep(20)
    run.kill('SIGKILL')
    await run.ended
    return folderOf(p)
  }

  test('has the cases that ended, judged as the run judged them, says that it is not whole, and lets it go on', async () => {
    using p = project(slow)
    const folder = await killed(p)
    // Killed in the middle of a line.
    appendFileSync(join(p.dir, folder, 'results.jsonl'), '{"suite":"s","case":"c3')
    const results = read(p, `${folder}/results.jsonl`)
    const { code, out, err } = p.cli(['report'])
    expect(code).toBe(0)
    expect(err).toMatch(/has not ended: \d+ of 40 cases are there/)
    expect(out).toMatch(/, unfinished\n$/)
    expect(readdirSync(join(p.dir, folder)).sort()).toEqual(
      expect.arrayContaining(['junit.xml', 'report.html', 'results.jsonl', 'summary.md']),
    )
    expect(existsSync(join(p.dir, folder, 'run.json'))).toBe(false)
    expect(read(p, `${folder}/results.jsonl`)).toBe(results)
    const partial = p.cli(['report', '--json']).json as RunResult
    expect(partial.interrupted).toBe('unfinished')
    const ended = partial.suites.flatMap((suite) => suite.cases).filter(({ status }) => status !== 'skipped')
    expect(ended.length).toBeGreaterThan(3)

    expect(p.cli(['run', '--resume', '-q']).code).toBe(1)
    const whole = JSON.parse(read(p, `${folder}/run.json`)) as RunResult
    const all = new Map(whole.suites.flatMap((suite) => suite.cases).map((one) => [one.id, one]))
    for (const one of ended) expect(one).toEqual(all.get(one.id))
    expect(ended.map(({ status }) => status)).toEqual(expect.arrayContaining(['passed', 'failed']))
    expect(partial.suites[0]).toMatchObject({ name: 's', path: 'evals/s.eval.yaml' })
  })

  test('names where a run that is cut short has put its results, from the folder alone', async () => {
    using p = project(slow)
    const folder = await killed(p)
    using other = project()
    mkdirSync(join(other.dir, 'artifact'))
    for (const name of ['results.jsonl', 'run-state.json'])
      writeFileSync(join(other.dir, 'artifact', name), read(p, `${folder}/${name}`))
    const { code, out } = other.cli(['report', 'artifact'])
    expect(code).toBe(0)
    expect(out).toContain("repeat: skills-eval run evals/s.eval.yaml --filter '=c")
    expect(out).toContain('asked: "Question ')
  })
})
