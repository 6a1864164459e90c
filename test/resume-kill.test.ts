import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seededRandom } from '../src/metrics/random.ts'
import { pack, project } from './support/cli.ts'
import { config } from './support/recorded-project.ts'
import { withoutTimes } from './support/without-times.ts'

// All 100 of them: SKILLS_EVAL_KILLS=100 npx vitest run --project program test/resume-kill.test.ts
const kills = Number(process.env.SKILLS_EVAL_KILLS ?? 6)
const cases = 1000

const suite = `name: many
skills: [../skills]
model: m
cases:
  - id: "case-{{n}}"
    each: rows.jsonl
    input: Sum {{n}}.
    trials: 2
    pass_threshold: 0.5
    mock:
      - select_skills: csv-analyzer
      - final_answer: "It is {{answer}}."
    expected: {skills: [csv-analyzer], output: [{contains: good}]}
`
const rows = Array.from({ length: cases }, (_, n) => `${JSON.stringify({ n, answer: n % 7 === 0 ? 'bad' : 'good' })}\n`)

const files = {
  ...pack,
  'evals/many.eval.yaml': suite,
  'evals/rows.jsonl': rows.join(''),
  '.agent/config.json': config({}, { params: { latency_ms: 1 } }),
}

const growth = async (size: () => number, from: number): Promise<void> => {
  for (let waited = 0; size() === from && waited < 20_000; waited += 2) await sleep(2)
}

const runArgs = ['run', '--quiet', '--json', '--concurrency', '4']

test(`what is killed at ${kills} random moments and resumed ends as if nothing had happened`, {
  timeout: 3_600_000,
}, async () => {
  using p = project(files)
  const random = seededRandom(Number(process.env.SKILLS_EVAL_SEED ?? 7))
  const timed = (args: readonly string[]) => {
    const begun = performance.now()
    const result = p.cli(args)
    return { ...result, ms: performance.now() - begun }
  }
  const startMs = timed(['run', '--list', '--filter', 'case-1']).ms
  const whole = timed(runArgs)
  const wholeMs = whole.ms
  expect(whole.code).toBe(1)
  const folders = () =>
    readdirSync(join(p.dir, 'reports')).filter(
      (name) => name !== 'latest' && existsSync(join(p.dir, 'reports', name, 'run-state.json')),
    )
  const [first] = folders()
  /** The folder of the run that is killed again and again; one that was killed before it had begun is no run. */
  const folder = () => folders().find((name) => name !== first)
  const isBegun = () => folder() !== undefined
  const results = () => {
    const path = join(p.dir, 'reports', folder() ?? '', 'results.jsonl')
    return isBegun() && existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const progress: number[] = []
  let before = ''
  for (let kill = 1; kill <= kills; kill += 1) {
    const begun = isBegun()
    const child = p.start(begun ? ['run', '--quiet', '--json', '--resume', '--concurrency', '4'] : runArgs)
    // Some come before anything was done, most a moment after something was.
    if (random() < 0.2) await sleep(random() * 1.5 * startMs)
    else {
      await Promise.race([child.ended, growth(() => results().length, before.length)])
      await sleep(random() * 2 * ((wholeMs - startMs) / kills))
    }
    child.kill('SIGKILL')
    await child.ended
    if (!isBegun()) continue
    const after = results()
    const finished = before.slice(0, before.lastIndexOf('\n') + 1)
    expect(after.startsWith(finished), `kill ${kill} lost what was finished`).toBe(true)
    before = after
    progress.push(after.split('\n').length - 1)
  }
  if (process.env.SKILLS_EVAL_KILLS) process.stderr.write(`trials at each kill: ${progress.join(' ')}\n`)
  expect(new Set(progress).size, 'too few kills came in the middle').toBeGreaterThan(kills / 4)
  const last = p.cli(['run', '--quiet', '--json', ...(isBegun() ? ['--resume'] : [])])
  expect(last.code, last.err).toBe(1)
  const lines = results()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const names = lines.map((row) => `${row.case} ${row.n}`)
  expect(new Set(names).size, 'a trial was run twice').toBe(names.length)
  expect(names).toHaveLength(cases * 2)
  expect(withoutTimes(last.json)).toEqual(withoutTimes(whole.json))
  expect(folders()).toHaveLength(2)
})
