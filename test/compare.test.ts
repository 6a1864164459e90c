import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import type { Comparison } from '../src/schema/compare.ts'
import { project, root } from './support/cli.ts'

type Project = ReturnType<typeof project>

/** A suite of so many cases, of which the first `failing` fail. */
const suite = (cases: number, failing: number, more: (i: number) => string = () => '', name = 't') => {
  const lines = Array.from({ length: cases }, (_, i) => {
    const expected = i < failing ? 'no' : 'ok'
    return `  - {id: c${i}, input: x, mock: [{final_answer: ok}], expected: {output: [{equals: ${expected}}]}${more(i)}}\n`
  })
  return { 'evals/t.eval.yaml': `name: ${name}\nskills: []\nmodel: mock\ncases:\n${lines.join('')}` }
}
const runs = (p: Project): string[] => readdirSync(join(p.dir, 'reports')).filter((name) => /^\d/.test(name))
/** Runs each of these suites in turn. */
const afterRuns = (...suites: readonly Readonly<Record<string, string>>[]): Project => {
  const p = project({ 'package.json': '{}' })
  for (const files of suites) {
    p.write(files)
    p.cli(['run', '-q'])
  }
  return p
}
const stored = (p: Project, id: string): RunResult =>
  JSON.parse(readFileSync(join(p.dir, 'reports', id, 'run.json'), 'utf8'))

describe('compare', () => {
  test('says what broke and that it is worse, ends with 1, and mirrors it the other way round', () => {
    using p = afterRuns(suite(20, 1), suite(20, 8))
    const there = p.cli(['compare', 'previous'])
    expect(there.code, there.err).toBe(1)
    expect(there.out).toMatch(/^\d{8}-\S+ → \d{8}-\S+: 7 broken, 13 unchanged\n/)
    expect(there.out).toMatch(/\nworse: pass rate 95% → 60% \(-35 points, 95% interval /)
    const back = p.cli(['compare', 'latest', 'previous', '--json'])
    expect(back.code).toBe(0)
    expect(back.json).toMatchObject({ format: 'skills-eval/compare@1', verdict: 'better', counts: { fixed: 7 } })
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
    addFormats.default(ajv)
    const validate = ajv.compile(JSON.parse(readFileSync(join(root, 'schemas/compare.schema.json'), 'utf8')))
    expect(validate(back.json), JSON.stringify(validate.errors)).toBe(true)
  })

  test('ends with 6 where the evidence is too thin, unless a limit decides or a wider delta is no change', () => {
    using p = afterRuns(suite(20, 0), suite(20, 1))
    const thin = p.cli(['compare', 'previous'])
    expect(thin.code, thin.err).toBe(6)
    expect(thin.out).toMatch(/\nverdict +not worse +– +inconclusive\n/)
    expect(thin.out).toMatch(/\ninconclusive: .*\n.*\nThe smallest difference .* have shown: 34.8 points\.\n$/)
    const codes = (args: string) => p.cli(['compare', 'previous', ...args.split(' ')]).code
    expect(codes('--delta 25%')).toBe(0)
    expect(codes('--max-regression 5%')).toBe(0)
    expect(codes('--max-regression 4.9%')).toBe(1)
    expect(codes('--max-regression 5% --delta 2%')).toBe(6)
  })

  test('finds no change between a run and itself', () => {
    using p = afterRuns(suite(3, 1))
    const result = p.cli(['compare', 'latest'])
    expect(result.code, result.err).toBe(0)
    expect(result.out).toMatch(/\nno change: both are the same run, pass rate 66.7%\n$/)
  })

  test('misses the gate of a golden case that broke, whatever else is allowed', () => {
    const golden = (i: number) => (i === 0 ? ', golden: true' : '')
    using p = afterRuns(suite(3, 0, golden), suite(3, 1, golden))
    const result = p.cli(['compare', 'previous', '--max-regression', '100%'])
    expect(result.code).toBe(1)
    expect(result.out).toMatch(/golden cases +all pass +1 case not passed +MISSED/)
    expect(result.out).toContain('broken  t/c0 (golden)')
  })

  test('warns of new and gone cases, and fails for them where that is asked for', () => {
    using p = afterRuns(suite(2, 0), suite(3, 0))
    const codes = (...args: readonly string[]) => p.cli(['compare', ...args, '--max-regression', '0']).code
    expect(codes('previous', 'latest')).toBe(0)
    expect(codes('previous', 'latest', '--new', 'fail')).toBe(1)
    expect(codes('previous', 'latest', '--gone', 'fail')).toBe(0)
    expect(codes('latest', 'previous', '--gone', 'fail')).toBe(1)
    expect(codes('previous', 'latest', '--max-cost', '+10%')).toBe(0)
  })

  test('refuses runs with different rubrics or distractors, unless they are forced', () => {
    const judged = (rubric: string, top = '') => ({
      '.agent/config.json': JSON.stringify({ models: { judge: { provider: 'mock' } } }),
      'evals/t.eval.yaml': `name: t\nskills: []\nmodel: mock\n${top}cases:\n  - {id: a, input: x, mock: [{final_answer: ok}], mock_judge: [{verdict: pass}], expected: {output: [${rubric}]}}\n`,
    })
    using p = afterRuns(judged('{rubric: is short}'), judged('{rubric: is short, name: renamed}'))
    const limit = ['--max-regression', '0%']
    expect(p.cli(['compare', 'previous', ...limit])).toMatchObject({ code: 0, err: '' })
    const refuses = (files: Readonly<Record<string, string>>, told: string) => {
      p.write(files)
      p.cli(['run', '-q'])
      const refused = p.cli(['compare', 'previous', ...limit])
      expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining(told) })
      expect(p.cli(['compare', 'previous', '--force', ...limit]).code).toBe(0)
    }
    refuses(judged('{rubric: is long}'), 'the rubrics of t/a have other criteria, judges or instructions')
    refuses(judged('{rubric: is long, judges: 3}'), 'the rubrics of t/a')
    refuses(
      judged('{rubric: is long, judges: 3}', 'distractors: 2\n'),
      'the suite t has different distractors: none and ',
    )
    // A check that is new is no other yardstick of a judge.
    p.write(judged('{contains: ok}', 'distractors: 2\n'))
    p.cli(['run', '-q'])
    expect(p.cli(['compare', 'previous', ...limit]).code).toBe(0)
  })

  test('refuses runs of different suites or models, unless they are forced', () => {
    using p = afterRuns(suite(2, 0), suite(2, 0, undefined, 'other'))
    const refused = p.cli(['compare', 'previous'])
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('the runs are of different suites: t and other')
    expect(p.cli(['compare', 'previous', '--force', '--json']).json).toMatchObject({ counts: { new: 2, gone: 2 } })
    p.write({ '.agent/config.json': '{"models": {"second": {"provider": "mock"}}}' })
    p.cli(['run', '-q', '--model', 'second'])
    expect(p.cli(['compare', 'previous']).err).toContain('different models: mock and second')
    expect(p.cli(['compare', 'previous', '--force', '--json']).json).toMatchObject({ counts: { unchanged: 2 } })
  })

  test('takes for `previous` the last run of the same suites, and says so where others lie between', () => {
    using p = afterRuns(suite(2, 0), suite(2, 0, undefined, 'other'), suite(2, 1))
    const [first = '', other = ''] = runs(p)
    const { json, err } = p.cli(['compare', 'previous', '--json'])
    expect((json as Comparison | undefined)?.base.id, err).toBe(first)
    expect(err).toContain(`previous: ${first}, the last run of the same suites\n`)
    expect((p.cli(['compare', 'previous', '--force', '--json']).json as Comparison).base.id).toBe(other)
    p.cli(['run', '-q'])
    expect(p.cli(['compare', 'previous', '--json']).err).toBe('')
  })

  test('takes ids, how they start, files and folders, and writes Markdown where it is told to', () => {
    using p = afterRuns(suite(2, 0), suite(2, 0))
    const [first = '', second = ''] = runs(p)
    const file = join('reports', first, 'run.json')
    for (const wanted of [first, first.slice(0, 22), file, join('reports', first)]) {
      const { json, err } = p.cli(['compare', wanted, second, '--json', '--reporter', 'markdown=out/diff.md'])
      expect((json as Comparison | undefined)?.base.id, err).toBe(first)
    }
    expect(readFileSync(join(p.dir, 'out/diff.md'), 'utf8')).toMatch(/^# Compared: inconclusive\n/)
  })

  test('says what is wrong with what is no run, without a stack trace', () => {
    using p = afterRuns(suite(1, 0))
    const [id = ''] = runs(p)
    const good = stored(p, id)
    const twice = { ...good, suites: good.suites.map((one) => ({ ...one, cases: [...one.cases, ...one.cases] })) }
    p.write({
      'text.json': 'no json',
      'other.json': '{"format": "another/1", "suites": 3}',
      'twice.json': JSON.stringify(twice),
      'deep.json': '['.repeat(100_000),
    })
    const said = (...args: readonly string[]) => {
      const { code, err, out } = p.cli(['compare', ...args])
      expect(code).toBe(2)
      expect(err + out).not.toMatch(/\n\s+at /)
      return err
    }
    expect(said('previous')).toContain('there is no previous run')
    expect(said('nope')).toContain('there is no run nope')
    expect(said('text.json')).toContain('it is not JSON')
    expect(said('deep.json')).toContain('nested deeper')
    expect(said('other.json')).toMatch(/it is no skills-eval\/run@1: format: .* \(and \d+ more\)/)
    expect(said('twice.json')).toContain('it has the case t/c0 twice')
    expect(said('latest', '--delta', '7')).toContain('It must be a percentage')
    expect(said('latest', '--reporter', 'pdf')).toContain('no reporter "pdf"')
  })
})

describe('runs', () => {
  test('list has a row for each stored run, newest first, and one for a damaged one', () => {
    using p = afterRuns(suite(2, 1), suite(2, 0))
    const [first = '', second = ''] = runs(p)
    const { json } = p.cli(['runs', 'list', '--json'])
    expect(json).toMatchObject({
      total: 2,
      runs: [
        { id: second, cases: 2, passed: 2, failed: 0, pass_rate: 1, cost_usd: 0, command: ['run', '-q'] },
        { id: first, cases: 2, passed: 1, failed: 1, pass_rate: 0.5 },
      ],
    })
    writeFileSync(join(p.dir, 'reports', first, 'run.json'), '{"format"')
    const { out } = p.cli(['runs', 'list'], { COLUMNS: '200' })
    expect(p.cli(['runs', 'list']).out).toMatch(new RegExp(`^${first} +unreadable$`, 'm'))
    expect(out).toMatch(new RegExp(`^run .*\\n${second} .*100%.*\\n${first} +unreadable .*not JSON.*\\n\\n2 runs\\n$`))
    using empty = project({ 'package.json': '{}' })
    expect(empty.cli(['runs', 'list'])).toMatchObject({ code: 0, out: '0 runs\n' })
  })

  test('show prints the report that the run printed, also of several models, and run.json as it is', () => {
    using p = project({ ...suite(3, 1), '.agent/config.json': '{"models": {"second": {"provider": "mock"}}}' })
    const printed = p.cli(['run', '--model', 'mock', '--model', 'second'])
    expect(p.cli(['runs', 'show']).out).toBe(printed.out)
    expect(p.cli(['runs', 'show', '--json']).out).toBe(readFileSync(join(p.dir, 'reports/latest/run.json'), 'utf8'))
  })

  test('prune leaves the newest, and all that is no finished run', () => {
    using p = afterRuns(suite(1, 0), suite(1, 0), suite(1, 0))
    const [first = '', second = '', third = ''] = runs(p)
    const reports = join(p.dir, 'reports')
    p.write({
      // Nothing but the link speaks against it.
      'elsewhere/run.json': JSON.stringify({ ...stored(p, first), id: '20200101-000000-000-dddddd' }),
      'reports/mine/run.json': readFileSync(join(reports, first, 'run.json'), 'utf8'),
      'reports/20200101-000000-000-aaaaaa/results.jsonl': '',
      'reports/20200101-000000-000-bbbbbb/run.json': '{"format": "another/1"}',
      'reports/20200101-000000-000-cccccc/run.json': readFileSync(join(reports, first, 'run.json'), 'utf8'),
    })
    symlinkSync(join(p.dir, 'elsewhere'), join(reports, '20200101-000000-000-dddddd'))
    mkdirSync(join(p.dir, 'precious'))
    p.write({ 'precious/file': 'x' })
    symlinkSync(join(p.dir, 'precious'), join(reports, first, 'link'))
    const asked = p.cli(['runs', 'prune', '--keep', '2'])
    expect({ code: asked.code, err: asked.err }).toMatchObject({ code: 2, err: expect.stringContaining('Add --yes.') })
    expect(existsSync(join(reports, first))).toBe(true)
    const { code, json, err } = p.cli(['runs', 'prune', '--keep', '2', '--yes', '--json'])
    expect({ code, json }).toEqual({ code: 0, json: { deleted: [first], baselines: [] } })
    expect(err).toContain('20200101-000000-000-bbbbbb stays')
    expect(readdirSync(reports).sort()).toEqual(
      [
        '20200101-000000-000-aaaaaa',
        '20200101-000000-000-bbbbbb',
        '20200101-000000-000-cccccc',
        '20200101-000000-000-dddddd',
        second,
        third,
        'latest',
        'mine',
      ].sort(),
    )
    expect(existsSync(join(p.dir, 'precious/file'))).toBe(true)
    expect(existsSync(join(p.dir, 'elsewhere/run.json'))).toBe(true)
    expect(p.cli(['runs', 'prune', '--yes']).out).toBe('0 deleted\n')
  })
})
