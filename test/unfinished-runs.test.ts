import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { RunResult, TrialRow } from '../src/core/results.ts'
import { pack, project } from './support/cli.ts'
import { config } from './support/recorded-project.ts'
import { reopen } from './support/reopen.ts'

type Project = ReturnType<typeof project>

const evals = (answer = 'ok') => `name: t\nskills: [../skills]\nmodel: m\ncases:
  - {id: a, input: x, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}}
  - {id: b, input: x, mock: [{final_answer: ${answer}}], expected: {output: [{equals: ok}]}}
  - {id: c, input: x, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}}
  - {id: d, input: x, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}}\n`

const files = { ...pack, 'evals/t.eval.yaml': evals(), '.agent/config.json': config() }

const folderOf = (p: Project, id: string) => join(p.dir, 'reports', id)
const runIds = (p: Project) =>
  readdirSync(join(p.dir, 'reports'))
    .filter((name) => /^\d{8}-/.test(name))
    .sort()
const rowsOf = (p: Project, id: string) =>
  readFileSync(join(folderOf(p, id), 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')

/** A run of which this many trials had ended when it was killed; returns its id. */
const killed = (p: Project, trials: number): string => {
  p.cli(['run', '--quiet', '--concurrency', '1'])
  reopen(p)
  const id = runIds(p).at(-1) ?? ''
  const path = join(folderOf(p, id), 'results.jsonl')
  const lines = rowsOf(p, id).slice(0, trials)
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  for (const file of ['run.json', 'junit.xml', 'summary.md', 'report.html'])
    rmSync(join(folderOf(p, id), file), { force: true })
  return id
}

describe('a run that was killed', () => {
  test('is listed as unfinished, with what is there of it and how to go on', () => {
    using p = project({ ...files, 'evals/t.eval.yaml': evals('no') })
    p.cli(['run', '--quiet'])
    const id = killed(p, 3)
    const { out } = p.cli(['runs', 'list'])
    expect(out.split('\n')[1]).toMatch(new RegExp(`^${id} .* unfinished\\b`))
    const wide = p.cli(['runs', 'list'], { COLUMNS: '160' }).out
    expect(wide.split('\n')[1]).toMatch(new RegExp(`^${id} .* unfinished +3 of 4 trials$`))
    expect(out).toContain(`\n2 runs\nto go on: skills-eval run --resume ${id}\n`)
    const { json } = p.cli(['runs', 'list', '--json'])
    expect(json).toMatchObject({
      total: 2,
      runs: [
        {
          id,
          unfinished: true,
          going_on: false,
          command: ['run', '--quiet', '--concurrency', '1'],
          trials: 3,
          planned_trials: 4,
          ended: { passed: 2, failed: 1 },
          resume: `skills-eval run --resume ${id}`,
        },
        { cases: 4 },
      ],
    })
    expect((json as { runs: object[] }).runs[1]).not.toHaveProperty('unfinished')
  })

  test('is shown by its id, how it starts or its folder, and told of where the latest finished one is shown', () => {
    using p = project(files)
    p.cli(['run', '--quiet'])
    const [finished = ''] = runIds(p)
    const id = killed(p, 3)
    const { code, out } = p.cli(['runs', 'show', id])
    expect(code).toBe(0)
    expect(out).toContain(`${id} is unfinished: 3 of 4 trials (3 passed)\n`)
    expect(out).toContain(`to go on: skills-eval run --resume ${id}\n`)
    expect(p.cli(['runs', 'show', id.slice(0, -2)]).out).toBe(out)
    expect(p.cli(['runs', 'show', `reports/${id}`]).out).toBe(out)
    expect(p.cli(['runs', 'show', id, '--json']).json).toMatchObject({ id, unfinished: true, trials: 3 })
    const latest = p.cli(['runs', 'show'])
    expect(latest.err).toContain(`a newer run, ${id} is unfinished`)
    expect(latest.out).toContain('4 cases: 4 passed')
    expect(p.cli(['runs', 'show', '-q']).err).toBe('')
    const compared = p.cli(['compare', finished, id])
    expect(compared).toMatchObject({ code: 2, err: expect.stringContaining(`skills-eval run --resume ${id}`) })
  })

  test('keeps -C and --config in the command that goes on', () => {
    using p = project({ ...files, 'other.json': config() })
    const id = killed(p, 1)
    const { out } = p.cli(['runs', 'list', '-C', 'evals', '--config', '../other.json'])
    expect(out).toContain(`to go on: skills-eval run -C evals --resume ${id} --config ../other.json\n`)
  })

  test('is pruned once enough newer runs are there, and not while a process is at work on it', () => {
    using p = project(files)
    const first = killed(p, 1)
    p.cli(['run', '--quiet'])
    const second = killed(p, 1)
    const [, finished = ''] = runIds(p)
    expect(p.cli(['runs', 'prune', '--keep', '3', '--yes', '--json']).json).toMatchObject({ deleted: [] })
    writeFileSync(join(folderOf(p, first), '.lock'), `1 another-machine\n`)
    expect(p.cli(['runs', 'prune', '--keep', '2', '--yes', '--json']).json).toMatchObject({ deleted: [] })
    expect(p.cli(['runs', 'list'], { COLUMNS: '160' }).out).toMatch(/going on +1 of 4 trials\n/)
    rmSync(join(folderOf(p, first), '.lock'))
    const { out, err } = p.cli(['runs', 'prune', '--keep', '2', '--yes'])
    expect({ out, err }).toEqual({ out: '1 deleted\n', err: `${first} (unfinished)\n` })
    expect(runIds(p)).toEqual([finished, second])
    // The only finished run stays, whatever is newer.
    expect(p.cli(['runs', 'prune', '--keep', '1', '--yes', '--json']).json).toMatchObject({ deleted: [] })
  })

  test('stays, and is named, where it is a copy of another', () => {
    using p = project(files)
    const first = killed(p, 1)
    const copy = '20200101-000000-000-aaaaaa'
    cpSync(folderOf(p, first), folderOf(p, copy), { recursive: true })
    p.cli(['run', '--quiet'])
    const { out, err } = p.cli(['runs', 'prune', '--keep', '1', '--yes'])
    expect({ out, err }).toEqual({
      out: '1 deleted\n',
      err: expect.stringContaining(`${copy} stays: what it says of itself can't be read\n`),
    })
    expect([first, copy].map((id) => existsSync(folderOf(p, id)))).toEqual([false, true])
  })

  test('stays, and is named, where what it says of itself is damaged', () => {
    using p = project(files)
    const first = killed(p, 1)
    p.cli(['run', '--quiet'])
    writeFileSync(join(folderOf(p, first), 'run-state.json'), '{')
    const { out, err } = p.cli(['runs', 'prune', '--keep', '1', '--yes'])
    expect({ out, err }).toEqual({ out: '0 deleted\n', err: `${first} stays: what it says of itself can't be read\n` })
    expect(p.cli(['runs', 'list']).out).toContain('unreadable')
    expect(existsSync(folderOf(p, first))).toBe(true)
  })
})

describe('resuming', () => {
  test('says how many trials are kept, and how many lines are of what has changed', () => {
    using p = project(files)
    const id = killed(p, 3)
    p.write({ 'evals/t.eval.yaml': evals('"no"') })
    const { err } = p.cli(['run', '--resume', '--concurrency', '1'])
    expect(err).toContain(`resuming ${id}: 2 trials are there, 1 more is of what has changed since\n`)
    // The file holds five lines now, one of which nothing stands for any more.
    expect(rowsOf(p, id)).toHaveLength(5)
    reopen(p)
    expect(p.cli(['run', '--resume']).err).toContain(`resuming ${id}: 4 trials are there, 1 more is`)
  })

  test('counts a case that is being recorded only where it is whole', () => {
    using p = project({
      ...files,
      'evals/t.eval.yaml': evals().replace('{id: a,', '{id: a, trials: 3,'),
    })
    p.cli(['record', '--quiet', '--concurrency', '1'])
    reopen(p)
    const [id = ''] = runIds(p)
    const path = join(folderOf(p, id), 'results.jsonl')
    writeFileSync(path, `${rowsOf(p, id).slice(0, 2).join('\n')}\n`)
    expect(p.cli(['run', '--resume', '--record', 'all']).err).toContain(`resuming ${id}: 0 trials are there`)
  })

  test('keeps the time of a session that was killed', async () => {
    using p = project({ ...files, '.agent/config.json': config({}, { params: { latency_ms: 700 } }) })
    const child = p.start(['run', '--quiet', '--concurrency', '1'])
    const rows = () => (runIds(p)[0] === undefined ? [] : rowsOf(p, runIds(p)[0] ?? '').filter((row) => row !== ''))
    await vi.waitFor(() => expect(rows().length).toBeGreaterThan(2), { timeout: 20_000, interval: 20 })
    child.kill('SIGKILL')
    await child.ended
    const worked = rows()
      .map((row) => (JSON.parse(row) as TrialRow).duration_ms)
      .reduce((sum, ms) => sum + ms, 0)
    const { json } = p.cli(['run', '--resume', '--json', '--concurrency', '4'])
    const { duration_ms } = json as RunResult
    expect(worked).toBeGreaterThan(1900)
    // What came within a second of the last note may be missing.
    expect(duration_ms).toBeGreaterThan(worked - 1000)
  })
})
