import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diskFiles } from '../src/adapters/files/disk-files.ts'
import { mergedTotals } from '../src/app/merged-totals.ts'
import type { RunResult } from '../src/core/results.ts'
import { seededRandom } from '../src/metrics/random.ts'
import { pack, project } from './support/cli.ts'
import { config } from './support/recorded-project.ts'
import { reopen } from './support/reopen.ts'
import { withoutTimes } from './support/without-times.ts'

type Project = ReturnType<typeof project>

/** Suites with everything that a merge has to put together again. */
const files = {
  ...pack,
  'evals/a.eval.yaml': `name: a
description: The first.
skills: [../skills]
model: [m, n]
thresholds: {pass_rate: 0.5, trigger: {recall: 0.9}, cost_usd: 100, max_unusable: 50%}
triggers: {csv-analyzer: {should: [sum it, add it], should_not: [fill it]}}
defaults: {mock: [{select_skills: csv-analyzer}, {final_answer: ok}]}
cases:
  - {id: "row-{{n}}", each: rows.jsonl, input: "x {{n}}", tags: [t], expected: {skills: [csv-analyzer], output: [{not: true, contains: "{{no}}"}]}}
  - {id: flaky, golden: true, input: x, trials: 3, pass_threshold: 0.2, expected: {skills: {excludes: [pdf-forms]}}}
  - {id: early, input: x, trials: {max: 20, stop: decided}, pass_threshold: 0.5}
`,
  'evals/rows.jsonl': Array.from(
    { length: 12 },
    (_, n) => `${JSON.stringify({ n, no: n % 5 === 0 ? 'ok' : 'no' })}\n`,
  ).join(''),
  'evals/b.eval.yaml': `name: b
skills: []
model: m
defaults: {mock: [{final_answer: ok}]}
cases:
  - {id: skipped, input: x, skip: later}
  - {id: expected, input: x, xfail: known, expected: {output: [{equals: no}]}}
  - {id: unexpected, input: x, xfail: known}
  - {id: broken, input: x, mock: []}
  - {id: good, input: x}
`,
  'evals/c.eval.yaml':
    'name: c\nskills: []\nthresholds: {pass_rate: 1}\ncases:\n  - {id: only-one, input: x, mock: [{final_answer: ok}]}\n',
  '.agent/config.json': JSON.stringify({
    models: { m: { provider: 'mock', price: { input: 1, output: 2 } }, n: { provider: 'mock' } },
  }),
}

const json = (value: unknown) => value as RunResult
const shardsOf = (p: Project, total: number, more: readonly string[] = []) =>
  Array.from({ length: total }, (_, i) => {
    const result = p.cli(['run', '--json', '--shard', `${i + 1}/${total}`, ...more])
    expect(result.err).not.toContain('error:')
    return { ...result, id: json(result.json).id }
  })
const idsOf = (run: unknown) =>
  json(run).suites.flatMap(({ name, cases }) => cases.map(({ id, model }) => `${name}/${id} ${model}`))
/** Percentiles and the like of durations differ from run to run. */
const settled = (run: unknown) => withoutTimes({ ...(run as RunResult), merged_from: undefined })

describe('shards', () => {
  const random = seededRandom(Number(process.env.SKILLS_EVAL_SEED ?? 11))
  test.each([1, 2, 3, 7])('of %d, merged in any order, are the whole run', (total) => {
    using p = project(files)
    const seed = Math.floor(random() * 1000)
    const more = ['--seed', `${seed}`]
    const whole = p.cli(['run', '--json', ...more])
    const shards = shardsOf(p, total, more)
    const ids = shards.map(({ id }) => id).sort(() => random() - 0.5)
    const merged = p.cli(['merge', '--json', ...ids])
    expect(merged.code, merged.err).toBe(whole.code)
    expect(settled(merged.json)).toEqual(settled(whole.json))
    expect(shards.flatMap((shard) => idsOf(shard.json)).toSorted()).toEqual(idsOf(whole.json).toSorted())
    const folder = join(p.dir, 'reports', json(merged.json).id)
    expect(readdirSync(folder).toSorted()).toEqual([
      'junit.xml',
      'report.html',
      'results.jsonl',
      'run.json',
      'summary.md',
    ])
    expect(readFileSync(join(folder, 'results.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(
      json(whole.json).summary.trials,
    )
  })

  test('have a digest of the whole plan, and leave thresholds to the merge', () => {
    using p = project(files)
    const [first, second] = shardsOf(p, 2).map((shard) => json(shard.json))
    expect(first?.shard).toMatchObject({ index: 1, total: 2, cases: json(p.cli(['run', '--json']).json).summary.cases })
    expect(first?.shard?.plan).toMatch(/^[0-9a-f]{16}$/)
    expect(second?.shard?.plan).toBe(first?.shard?.plan)
    expect([first, second].map((run) => run?.summary.thresholds)).toEqual([[], []])
    expect(p.cli(['run', '--shard', '1/2']).out).toMatch(/shard 1 of 2$/m)
  })

  test('keep the trigger metrics of each model for the merge', () => {
    using p = project(files)
    const whole = json(p.cli(['run', '--json']).json)
    const shards = shardsOf(p, 2).map(({ id, json: run }) => ({
      path: join(p.dir, 'reports', id, 'run.json'),
      head: json(run),
      shard: json(run).shard as NonNullable<RunResult['shard']>,
    }))
    expect(whole.suites[0]).not.toHaveProperty('model_triggers')
    const { suites } = mergedTotals(shards, { files: diskFiles() })
    const { tp, tn } = whole.suites[0]?.summary.trigger ?? {}
    const counts = suites[0]?.models.map(({ summary: { trigger } }) => [trigger.tp, trigger.tn]) ?? []
    // Both models say the same.
    expect(counts).toEqual([
      [Number(tp) / 2, Number(tn) / 2],
      [Number(tp) / 2, Number(tn) / 2],
    ])
    expect(tp).toBeGreaterThan(0)
  })

  test('run one after the other are of one plan also where a judge is recorded and the agent is replayed', () => {
    const recorded = (agent: string, judge: string) => {
      const of = (record: string) => ({ provider: 'mock', record })
      return { '.agent/config.json': JSON.stringify({ models: { m: of(agent), judge: of(judge) } }) }
    }
    using p = project({
      ...recorded('all', 'off'),
      'evals/t.eval.yaml': `name: t
skills: []
model: m
cases:
  - {id: "c-{{n}}", each: [{n: 1}, {n: 2}, {n: 3}, {n: 4}], input: x, mock: [{final_answer: ok}], mock_judge: [{verdict: pass}], expected: {output: [{rubric: is ok}]}}
`,
    })
    const atHome = { CI: '' }
    expect(p.cli(['run', '-q'], atHome).code).toBe(0)
    p.write(recorded('replay', 'missing'))
    const ids = [1, 2].map((n) => json(p.cli(['run', '--json', '--shard', `${n}/2`], atHome).json).id)
    expect(p.cli(['merge', ...ids])).toMatchObject({ code: 0 })
  })

  test('keep their cases when others come and go', () => {
    using p = project(files)
    const before = shardsOf(p, 3).map((shard) => idsOf(shard.json))
    p.write({ 'evals/rows.jsonl': files['evals/rows.jsonl'].split('\n').slice(3).join('\n') })
    const after = shardsOf(p, 3).map((shard) => idsOf(shard.json))
    for (const [i, ids] of after.entries()) expect(before[i]).toEqual(expect.arrayContaining(ids))
  })

  test('are balanced by the durations of a run only where that is given, the same for all', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `name: t\nskills: []\nmodel: m\ncases:\n${['a', 'b', 'c', 'd', 'e']
        .map((id) => `  - {id: ${id}, input: x, mock: [{final_answer: ok}]}\n`)
        .join('')}`,
      '.agent/config.json': config(),
    })
    p.cli(['run', '-q'])
    const path = join(p.dir, 'reports/latest/run.json')
    const run = JSON.parse(readFileSync(path, 'utf8')) as RunResult
    for (const { id, trials } of run.suites[0]?.cases ?? [])
      for (const trial of trials) trial.duration_ms = id === 'a' ? 1000 : 250
    writeFileSync(join(p.dir, 'timings.json'), JSON.stringify(run))
    const shards = shardsOf(p, 2, ['--timings', 'timings.json'])
    expect(shards.map((shard) => idsOf(shard.json))).toEqual([['t/a m'], ['t/b m', 't/c m', 't/d m', 't/e m']])
    expect(p.cli(['merge', '-q', ...shards.map(({ id }) => id)]).code).toBe(0)
    const [other] = shardsOf(p, 2)
    expect(p.cli(['merge', other?.id ?? '', shards[1]?.id ?? ''])).toMatchObject({
      code: 2,
      err: expect.stringContaining('other cases go to other shards (--timings)'),
    })
    expect(p.cli(['run', '--shard', '1/2', '--timings', 'latest']).code).toBe(2)
    expect(p.cli(['run', '--timings', 'timings.json']).code).toBe(2)
  })

  test('go on after they were killed, and are merged then', () => {
    using p = project(files)
    const whole = p.cli(['run', '--json'])
    const [first] = shardsOf(p, 2)
    const path = join(p.dir, 'reports', first?.id ?? '', 'results.jsonl')
    writeFileSync(path, `${readFileSync(path, 'utf8').split('\n')[0]}\n`)
    reopen(p, first?.id)
    expect(p.cli(['run', '--json', '--resume', first?.id ?? '', '--shard', '2/2']).code).toBe(2)
    expect(p.cli(['run', '--json', '--resume', first?.id ?? '']).json).toMatchObject({ shard: { index: 1 } })
    const second = p.cli(['run', '--json', '--shard', '2/2']).json
    const merged = p.cli(['merge', '--json', first?.id ?? '', json(second).id])
    expect(settled(merged.json)).toEqual(settled(whole.json))
  })

  test.each(['0/2', '3/2', '1', '1/0', 'a/b', '1/2/3'])('--shard %s is a mistake', (shard) => {
    using p = project(files)
    expect(p.cli(['run', '--shard', shard]).code).toBe(2)
  })
})

describe('merge', () => {
  test('refuses what is no whole, and says what is missing or there twice', () => {
    using p = project(files)
    const [a = '', b = '', c = ''] = shardsOf(p, 3).map(({ id }) => id)
    const refuses = (ids: readonly string[], told: RegExp) => {
      const { code, out, err } = p.cli(['merge', ...ids])
      expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(told) })
    }
    const folders = readdirSync(join(p.dir, 'reports')).length
    refuses([a], /shards 2, 3 of 3 are missing/)
    refuses([a, c], /shard 2 of 3 is missing/)
    refuses([a, b, c, b], /shard 2 of 3 is there twice/)
    refuses(['evals/a.eval.yaml'], /can't be used/)
    const path = join(p.dir, 'reports', c, 'run.json')
    const text = readFileSync(path, 'utf8')
    for (const [broken, told] of [
      [text.slice(0, text.length / 2), /run\.json can't be used/],
      [JSON.stringify(JSON.parse(text), null, 2), /not laid out/],
      [text.replace(/^.*"place":.*\n/m, ''), /can't be used|cases together/],
      [text.replaceAll(/"place":\d+/g, '"place":0'), /there twice/],
      [text.replaceAll('"name":"b"', '"name":"z"'), /other suites/],
    ] as const) {
      writeFileSync(path, broken)
      refuses([a, b, c], told)
    }
    writeFileSync(path, text)
    p.write({ 'evals/c.eval.yaml': files['evals/c.eval.yaml'].replace('input: x', 'input: y') })
    const other = json(p.cli(['run', '--json', '--shard', '2/3']).json).id
    refuses([a, other, c], /shard of another plan than .*: other cases, files, options or skills of c\n/)
    const idOf = (...args: readonly string[]) => json(p.cli(['run', '--json', ...args]).json).id
    const changed = idOf('--shard', '1/3')
    refuses([changed, idOf('--shard', '2/2')], /: another number of shards \(3 and 2\)\n/)
    refuses([changed, idOf('--shard', '2/3', '--seed', '7')], /: another seed \(1 and 7\)\n/)
    refuses(
      [changed, idOf('--shard', '2/3', '--filter', 'only-one')],
      /skills of a, b; other thresholds; another number of cases/,
    )
    refuses([a, b, json(p.cli(['run', '--json']).json).id], /a whole run, no shard/)
    const left = readdirSync(join(p.dir, 'reports')).length
    expect(left).toBe(folders + 6)
  })

  test('--partial merges what is there, and the reports say what is not', () => {
    using p = project(files)
    const [a = '', , c = ''] = shardsOf(p, 3).map(({ id }) => id)
    const merged = p.cli(['merge', '--partial', c, a])
    expect(merged.out).toContain('without shard 2')
    const run = JSON.parse(readFileSync(join(p.dir, 'reports/latest/run.json'), 'utf8')) as RunResult
    expect(run.missing_shards).toEqual([2])
    expect(readFileSync(join(p.dir, 'reports/latest/summary.md'), 'utf8')).toContain('without shard 2')
  })

  test('takes files from anywhere, writes what is asked, and exits as the whole run', () => {
    using p = project(files)
    for (const { id, json: run } of shardsOf(p, 2)) {
      mkdirSync(join(p.dir, 'shards'), { recursive: true })
      renameSync(join(p.dir, 'reports', id), join(p.dir, 'shards', `s${json(run).shard?.index}`))
    }
    const merged = p.cli([
      'merge',
      'shards/s1',
      'shards/s2/run.json',
      '--reporter',
      'junit=j.xml',
      '--reporter',
      'markdown',
    ])
    expect(merged.code).toBe(1)
    expect(merged.out).toMatch(/^# Not passed/)
    expect(readFileSync(join(p.dir, 'j.xml'), 'utf8')).toContain('<testsuites')
    expect(merged.err).toContain('results: ')
  })

  test('does not hold the cases: 4,000 large ones are merged in little memory', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml':
        'name: t\nskills: []\nmodel: m\ncases:\n  - {id: "c-{{n}}", each: rows.jsonl, input: x, mock: [{final_answer: "{{text}}"}]}\n',
      'evals/rows.jsonl': Array.from(
        { length: 4000 },
        (_, n) => `${JSON.stringify({ n, text: `${n} ${'long '.repeat(4000)}` })}\n`,
      ).join(''),
      '.agent/config.json': config(),
    })
    const ids = [1, 2].map((i) => {
      expect(p.cli(['run', '-q', '--shard', `${i}/2`]).code).toBe(0)
      return readFileSync(join(p.dir, 'reports/latest/run-state.json'), 'utf8').match(/"id": "([^"]+)"/)?.[1] ?? ''
    })
    // 80 MB of answers; the heap has room for a part of them.
    const merged = p.cli(['merge', '-q', ...ids], { NODE_OPTIONS: '--max-old-space-size=48' })
    expect(merged.code, merged.err).toBe(0)
    expect(merged.out).toContain('4,000 cases: 4,000 passed')
  })
})
