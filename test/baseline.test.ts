import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { CaseResult, RunResult } from '../src/core/results.ts'
import { project, root, skill } from './support/cli.ts'

type Project = ReturnType<typeof project>

/** Says `good` with the skill csv, else `plain`. */
const able = (good = 'Feb, ok', plain = 'ok') => `mock:
      rules:
        - {when: {skill_available: csv, turn: 1}, do: [{select_skills: csv}]}
        - {when: {skill_loaded: csv}, do: [{final_answer: "${good}"}]}
      otherwise: [{final_answer: "${plain}"}]
`
const helped = (id: string, more = '') => `  - id: ${id}
    input: Which?
    ${able()}    expected: {skills: [csv], output: [{contains: Feb}, {contains: ok}]}
${more}`
const suite = (cases: string, top = '') => `name: t\nskills: [../skills]\n${top}cases:\n${cases}`
const skills = {
  'skills/csv/SKILL.md': skill('csv', 'Summarise CSV files.'),
  'skills/pdf/SKILL.md': skill('pdf', 'Fill PDF forms.'),
}
const files = (cases: string, more: Readonly<Record<string, string>> = {}) => ({
  '.agent/config.json': '{}',
  ...skills,
  'evals/t.eval.yaml': suite(cases),
  ...more,
})

const lastRun = (p: Project): RunResult =>
  JSON.parse(readFileSync(join(p.dir, 'reports', runs(p).at(-1) ?? '', 'run.json'), 'utf8'))
const runs = (p: Project): string[] =>
  readdirSync(join(p.dir, 'reports'))
    .filter((name) => /^\d/.test(name))
    .sort()
const sectionOf = (p: Project): NonNullable<RunResult['baseline']> => {
  const { baseline } = lastRun(p)
  if (!baseline) throw new Error('run.json has no baseline')
  return baseline
}
const caseOf = (p: Project, id: string): CaseResult => {
  const found = lastRun(p).suites.flatMap(({ cases }) => cases.find((one) => one.id === id) ?? [])[0]
  if (!found) throw new Error(`there is no case ${id}`)
  return found
}
const six = Array.from({ length: 6 }, (_, i) => helped(`c${i}`)).join('')

describe('run --baseline', () => {
  test('tells the lift overall, by skill and by case, and the checks that hold in both arms', () => {
    using p = project(
      files(`${six}  - {id: same, input: Hi, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}}\n`),
    )
    const result = p.cli(['run', '--baseline', 'without_skills'])
    expect(result.code, result.err).toBe(0)
    const junit = readFileSync(join(p.dir, 'reports', lastRun(p).id, 'junit.xml'), 'utf8')
    expect(junit).toMatch(/<property name="baseline" value="baseline without skills: pass rate .*: better"\/>/)
    expect(junit).toContain('<property name="lift" value="1"/>')
    const run = lastRun(p)
    const section = sectionOf(p)
    expect(section).toMatchObject({
      arm: { kind: 'without_skills' },
      reused: false,
      run: { id: run.id },
      results: 'baseline/run.json',
      lift: { cases: 7, base: 1 / 7, head: 1, verdict: 'better', p: 0.03125 },
      skills: [{ skill: 'csv', cases: 6, base: 0, head: 1, difference: 1, verdict: 'better' }],
      summary: { cases: 7, passed: 1, failed: 6, errors: 0 },
      no_signal: { checks: 7 },
    })
    expect(caseOf(p, 'c0').baseline).toEqual({
      status: 'failed',
      reason: 'contains "Feb": missing "Feb"; the text is "ok"',
      pass_rate: 0,
      head_pass_rate: 1,
      lift: 1,
      verdict: 'inconclusive',
      pairs: 1,
      p: null,
      not_compared: ['the skills selected are csv'],
      hold_in_both: ['contains "ok"'],
    })
    expect(caseOf(p, 'same').baseline).toMatchObject({ lift: 0, hold_in_both: ['equals "ok"'] })
    expect(run.suites[0]?.summary.failed).toBe(0)
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
    addFormats.default(ajv)
    const validate = ajv.compile(JSON.parse(readFileSync(join(root, 'schemas/run.schema.json'), 'utf8')))
    expect(validate(run), JSON.stringify(validate.errors)).toBe(true)
    const arm = JSON.parse(readFileSync(join(p.dir, 'reports', run.id, 'baseline/run.json'), 'utf8'))
    expect(validate(arm), JSON.stringify(validate.errors)).toBe(true)
    expect(arm).toMatchObject({ id: `${run.id}-baseline`, arm: { kind: 'without_skills' }, summary: { failed: 6 } })

    expect(result.out).toContain('baseline without skills: pass rate 14.3% → 100% (+85.7 points')
    expect(result.out).toMatch(/t\/same +equals "ok"\n/)
    expect(result.out).toMatch(/csv +6 +0% +100% +\+100 points +0\.031 +better\n/)
    expect(result.out).toMatch(/t\/same +100% +100% +±0 points/)
    const markdown = readFileSync(join(p.dir, 'reports', run.id, 'summary.md'), 'utf8')
    for (const title of ['## Baseline', '## Lift by skill', '## Checks that show nothing', '## Lift by case'])
      expect(markdown).toContain(title)
    const shown = p.cli(['runs', 'show'])
    expect(shown.out).toContain('baseline without skills: pass rate 14.3% → 100%')
  })

  test('leaves out what can tell nothing there, and compares over the checks of both arms', () => {
    const cases = `  - id: marked
    input: x
    ${able()}    expected: {output: [{contains: Feb, arm: with_skills}, {contains: ok}]}
  - {id: both, input: x, arms: both, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}}
  - {id: only, input: x, arms: with_skills, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}}
  - {id: labels, input: x, mock: [{final_answer: ok}], expected: {skills: []}, constraints: {max_turns: 4}}
  - {id: bare, input: /csv, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}}
  - {id: known, input: x, xfail: true, mock: [{final_answer: no}], expected: {output: [{equals: ok}]}}
  - {id: later, input: x, skip: true, mock: [], expected: {output: [{equals: ok}]}}
`
    using p = project(files(cases))
    const result = p.cli(['run', '--baseline', 'without_skills'])
    expect(result.code, result.err).toBe(0)
    expect(sectionOf(p)).toMatchObject({
      left_out: { skipped: 1, xfail: 1, with_skills: 1, no_checks: 1, no_input: 1, same_skills: 0 },
      lift: { cases: 2, difference: 0 },
    })
    // With `Feb` among the checks it would be a lift.
    expect(caseOf(p, 'marked').baseline).toMatchObject({ lift: 0, not_compared: ['contains "Feb"'] })
    expect(caseOf(p, 'only').baseline).toBeUndefined()
    expect(result.out).toContain('not in the baseline: 1 without a check that could hold there, 1 marked with_skills')
    expect(p.cli(['run', '--baseline', 'skills']).code).toBe(0)
    // The same skills lie in it: nothing is lacking, and what is marked is judged.
    expect(sectionOf(p)).toMatchObject({ left_out: { with_skills: 0, no_checks: 0, no_input: 0 } })
    expect(caseOf(p, 'marked').baseline).toMatchObject({ not_compared: [] })
  })

  test('tells two checks of one name apart, though the baseline has only one of them', () => {
    const cases = `  - id: twice
    input: x
    ${able('ok, but other', 'ok')}    files: {a.txt: {text: ok}}
    expected:
      output: [{name: says, contains: Feb, arm: with_skills}, {name: says, contains: ok}]
      files: [{path: a.txt, checks: [{name: has, contains: no, arm: with_skills}, {name: has, contains: ok}]}]
`
    using p = project(files(cases))
    expect(p.cli(['run', '--baseline', 'without_skills']).code).toBe(1)
    // What the skills' arm alone is judged by fails there: held for one with its namesake, it would be a loss.
    expect(caseOf(p, 'twice').baseline).toMatchObject({
      pass_rate: 1,
      head_pass_rate: 1,
      lift: 0,
      not_compared: ['says', 'a.txt: has'],
      hold_in_both: ['says', 'a.txt: has'],
    })
    expect(caseOf(p, 'twice').trials[0]?.checks.map(({ name, place }) => [name, place])).toEqual([
      ['says', 'output[0]'],
      ['says', 'output[1]'],
      ['a.txt: has', 'files[0].checks[0]'],
      ['a.txt: has', 'files[0].checks[1]'],
    ])
  })

  test('does without one skill alone, and says which there are where there is none of that name', () => {
    const labels = `${helped('c')}  - {id: pdf, input: x, mock: [{select_skills: pdf}, {final_answer: ok}], expected: {skills: [pdf]}}\n`
    using p = project(files(labels))
    expect(p.cli(['run', '--baseline', 'without:csv']).code).toBe(0)
    expect(sectionOf(p)).toMatchObject({ arm: { kind: 'without', skill: 'csv' }, left_out: { no_checks: 0 } })
    expect(caseOf(p, 'c').baseline).toMatchObject({ lift: 1 })
    expect(caseOf(p, 'pdf').baseline).toMatchObject({ status: 'passed', not_compared: [] })
    const wrong = p.cli(['run', '--baseline', 'without:csw'])
    expect(wrong.code).toBe(2)
    expect(wrong.err).toMatch(/no suite has a skill csw\n.*Did you mean csv\?/)
    const nowhere = p.cli(['run', '--baseline', 'nowhere'])
    expect(nowhere.code).toBe(2)
    expect(nowhere.err).toMatch(/--baseline nowhere is no folder of skills\n.*without_skills, without:NAME/)
    expect(runs(p)).toHaveLength(1)
  })

  test('takes another version of the skills: a folder for the roots of the same names, one skill for itself', () => {
    const versioned = `  - id: v
    input: x
    mock: {rules: [{when: {skill_loaded: csv, observation: two}, do: [{final_answer: two}]}, {when: {skill_loaded: csv}, do: [{final_answer: one}]}], otherwise: [{select_skills: csv}]}
    expected: {skills: [csv], output: [{equals: two}]}
  - id: pdf
    input: x
    mock: {rules: [{when: {skill_available: pdf}, do: [{final_answer: there}]}], otherwise: [{final_answer: gone}]}
    expected: {output: [{equals: there}]}
`
    using p = project(
      files(versioned, {
        'skills/csv/SKILL.md': skill('csv', 'Summarise CSV files.', '# two\n'),
        'old/csv/SKILL.md': skill('csv', 'Summarise CSV files.', '# one\n'),
        'other/xyz/SKILL.md': skill('xyz', 'Another.'),
      }),
    )
    const whole = p.cli(['run', '--baseline', 'old'])
    expect(whole.code, whole.err).toBe(0)
    expect(sectionOf(p)).toMatchObject({ arm: { kind: 'version', path: 'old' } })
    expect([caseOf(p, 'v').baseline?.lift, caseOf(p, 'pdf').baseline?.lift]).toEqual([1, 1])
    p.cli(['run', '--baseline', 'old/csv'])
    expect([caseOf(p, 'v').baseline?.lift, caseOf(p, 'pdf').baseline?.lift]).toEqual([1, 0])
    const other = p.cli(['run', '--baseline', 'other'])
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('no skill in other has the name of one')])
  })

  test('asks plainly where the skill that a request invokes is not there', () => {
    const told = `  - id: told
    input: /csv Which month?
    mock: {rules: [{when: {input: "/^Which month/"}, do: [{final_answer: plain}]}], otherwise: [{final_answer: invoked}]}
    expected: {output: [{equals: invoked}]}
`
    using p = project(files(told))
    expect(p.cli(['run', '--baseline', 'without_skills']).code).toBe(0)
    expect(caseOf(p, 'told').baseline).toMatchObject({ status: 'failed', reason: expect.stringContaining('"plain"') })
  })

  test('fails nothing by its errors, which stand apart and move no rate', () => {
    const cases = `${helped('c')}  - {id: e, input: x, mock: {rules: [{when: {skill_available: csv}, do: [{final_answer: ok}]}]}, expected: {output: [{equals: ok}]}}\n`
    using p = project(files(cases))
    const result = p.cli(['run', '--baseline', 'without_skills'])
    expect(result.code, result.err).toBe(0)
    expect(sectionOf(p)).toMatchObject({ summary: { errors: 1, failed: 1 }, lift: { cases: 1, base: 0, head: 1 } })
    expect(lastRun(p).summary).toMatchObject({ errors: 0, passed: 2 })
    expect(caseOf(p, 'e').baseline).toMatchObject({ status: 'error', lift: null, verdict: 'unjudged', pass_rate: null })
    expect(result.out).toContain('in the baseline: 1 error\n')
    // What was not judged may be judged next time.
    expect(existsSync(join(p.dir, 'reports/baselines'))).toBe(false)
  })

  test('with several trials a case has a verdict of its own', () => {
    using p = project(files(helped('c', '    trials: 8\n')))
    p.cli(['run', '--baseline', 'without_skills'])
    expect(caseOf(p, 'c').baseline).toMatchObject({ verdict: 'better', pairs: 8, p: 0.0078125 })
  })

  test('prints run.json with its section alone on stdout', () => {
    using p = project(files(helped('c')))
    const { json, err } = p.cli(['run', '--baseline', 'without_skills', '--json', '-q'])
    expect(json, err).toMatchObject({ baseline: { lift: { cases: 1, difference: 1 } } })
    expect(err).toBe('')
  })
})

describe('--min-lift', () => {
  test('is met by a lift that is no chance, missed by a smaller one, else inconclusive', () => {
    using p = project(files(six))
    const code = (...args: readonly string[]) => p.cli(['run', '-q', ...args]).code
    expect(code('--baseline', 'without_skills', '--min-lift', '90%')).toBe(0)
    p.write({ 'evals/t.eval.yaml': suite(helped('c')) })
    expect(code('--baseline', 'without_skills', '--min-lift', '90%')).toBe(6)
    expect(sectionOf(p).gate).toEqual({ limit: 0.9, actual: 1, result: 'inconclusive' })
    p.write({
      'evals/t.eval.yaml': suite(
        '  - {id: s, input: x, mock: [{final_answer: ok}], expected: {output: [{equals: ok}]}}\n',
      ),
    })
    expect(code('--baseline', 'without_skills', '--min-lift', '1%')).toBe(1)
    expect(code('--baseline', 'without_skills')).toBe(0)
    expect(code('--min-lift', '1%')).toBe(2)
    expect(code('--fresh-baseline')).toBe(2)
  })
})

describe('a saved baseline', () => {
  test('is used again while its inputs are the same, whatever becomes of the skills', () => {
    using p = project(
      files(helped('c', '    files: {data.csv: ../fixtures/data.csv}\n'), { 'fixtures/data.csv': 'a,b\n' }),
    )
    const again = (...args: readonly string[]) => {
      const { code, err, out } = p.cli(['run', '--baseline', 'without_skills', ...args])
      expect(code, err).toBe(0)
      expect(out.includes('the baseline is that of run')).toBe(sectionOf(p).reused)
      return sectionOf(p).reused
    }
    expect(again()).toBe(false)
    const [first] = runs(p)
    expect(again()).toBe(true)
    expect(sectionOf(p).run?.id).toBe(first)
    expect(existsSync(join(p.dir, 'reports', runs(p).at(-1) ?? '', 'baseline/results.jsonl'))).toBe(true)
    p.write({ 'skills/csv/SKILL.md': skill('csv', 'Now quite another.') })
    expect(again()).toBe(true)
    expect(again('--fresh-baseline')).toBe(false)
    expect(again('--trials', '2')).toBe(false)
    expect(again('--seed', '7')).toBe(false)
    p.write({ 'fixtures/data.csv': 'a,c\n' })
    expect(again()).toBe(false)
    p.write({ 'evals/t.eval.yaml': suite(helped('c').replace('Which?', 'What?')) })
    expect(again()).toBe(false)
    expect(again()).toBe(true)
    const digest = sectionOf(p).digest ?? ''
    const saved = join(p.dir, 'reports/baselines', digest, 'run.json')
    writeFileSync(saved, readFileSync(saved, 'utf8').slice(0, -20))
    expect(again(), 'a torn one is made anew').toBe(false)
  })

  test('depends on the skills of its own arm', () => {
    using p = project(files(helped('c')))
    const again = () => {
      p.cli(['run', '-q', '--baseline', 'without:csv'])
      return sectionOf(p).reused
    }
    expect([again(), again()]).toEqual([false, true])
    p.write({ 'skills/csv/notes.md': 'new' })
    expect(again()).toBe(true)
    p.write({ 'skills/pdf/notes.md': 'new' })
    expect(again()).toBe(false)
  })

  test('is pruned with the last run that used it', () => {
    using p = project(files(helped('c')))
    const baselines = () => readdirSync(join(p.dir, 'reports/baselines'))
    p.cli(['run', '-q', '--baseline', 'without_skills'])
    p.cli(['run', '-q', '--baseline', 'without:csv'])
    p.cli(['run', '-q', '--baseline', 'without:csv'])
    expect(baselines()).toHaveLength(2)
    const kept = sectionOf(p).digest
    const pruned = p.cli(['runs', 'prune', '--keep', '1', '--yes', '--json'])
    expect(pruned.json).toMatchObject({
      deleted: [expect.any(String), expect.any(String)],
      baselines: [expect.any(String)],
    })
    expect(baselines()).toEqual([kept])
    expect(p.cli(['runs', 'list', '--json']).json).toMatchObject({ total: 1 })
  })

  test('and run that go on are left alone by prune', () => {
    using p = project(files(helped('c')))
    for (let i = 0; i < 2; i += 1) p.cli(['run', '-q', '--baseline', 'without_skills'])
    p.cli(['run', '-q'])
    const [old = ''] = runs(p)
    const lock = join(p.dir, 'reports', old, '.lock')
    writeFileSync(lock, `${process.pid} ${hostname()}\n`)
    const prune = () => p.cli(['runs', 'prune', '--keep', '1', '--yes', '--json']).json
    const before = runs(p)
    expect(prune()).toEqual({ deleted: [before[1]], baselines: [] })
    writeFileSync(lock, `0 another\n`)
    expect(prune()).toMatchObject({ deleted: [] })
    rmSync(lock)
    expect(prune()).toMatchObject({ deleted: [old], baselines: [expect.any(String)] })
  })

  test('that can not be kept is no matter to the run', () => {
    using p = project(files(helped('c'), { 'reports/baselines': 'in the way' }))
    const { code, err } = p.cli(['run', '--baseline', 'without_skills'])
    expect(code, err).toBe(0)
    expect(sectionOf(p)).toMatchObject({ lift: { cases: 1, difference: 1 } })
  })

  test('is not kept of a run that was interrupted, which still reports its own cases', async () => {
    const slow = `  - id: s
    input: x
    mock: {rules: [{when: {skill_available: csv}, do: [{final_answer: ok}]}], otherwise: [{list_dir: .}]}
    expected: {output: [{equals: ok}]}
`
    using p = project(
      files(slow, {
        '.agent/config.json': '{"model": "m", "models": {"m": {"provider": "mock", "params": {"latency_ms": 700}}}}',
      }),
    )
    const { said, ended, kill } = p.start(['run', '--baseline', 'without_skills'])
    while (!said.err.includes('baseline without skills: 1 case')) await new Promise((done) => setTimeout(done, 20))
    kill('SIGINT')
    expect(await ended).toBe(130)
    expect(sectionOf(p)).toMatchObject({ problem: 'it was interrupted', lift: { cases: 0 } })
    expect(lastRun(p).summary).toMatchObject({ passed: 1 })
    expect(existsSync(join(p.dir, 'reports/baselines'))).toBe(false)
  })
})

describe('recordings of a baseline', () => {
  const recorded = { '.agent/config.json': '{"model": "m", "models": {"m": {"provider": "mock"}}}' }
  const own = 'recordings/t/c/m.json'
  const others = 'recordings/t/c/m@without_skills.json'

  test('lie beside those of the run, are replayed, and are verified in their own arm', () => {
    using p = project(files(helped('c'), recorded))
    expect(p.cli(['record', '--baseline', 'without_skills', '-q']).code).toBe(0)
    const read = (path: string) => JSON.parse(readFileSync(join(p.dir, path), 'utf8'))
    expect([read(own).arm, read(others).arm]).toEqual([undefined, 'without_skills'])
    expect(Object.keys(read(others).trials[0].turns[0].request)).not.toContain('body:csv')
    // What is recorded anew is asked for, whatever is known.
    expect(sectionOf(p)).toMatchObject({ reused: false, digest: null })
    p.cli(['run', '-q', '--record', 'replay', '--baseline', 'without_skills'])
    const arm = JSON.parse(readFileSync(join(p.dir, 'reports', runs(p).at(-1) ?? '', 'baseline/run.json'), 'utf8'))
    expect(arm.suites[0].cases[0].trials[0].cassette).toEqual({ path: others, mode: 'replay', stale_parts: [] })
    expect(p.cli(['cassettes', 'verify']).code).toBe(0)
    const { json } = p.cli(['cassettes', 'list', '--json'])
    expect(json).toMatchObject({
      recordings: [
        { profile: 'm', state: 'ok' },
        { arm: 'without_skills', state: 'ok' },
      ],
    })

    // A description is no part of what the bare arm is asked.
    p.write({ 'skills/csv/SKILL.md': skill('csv', 'Changed.') })
    const changed = p.cli(['cassettes', 'verify', '--json'])
    expect(changed.code).toBe(4)
    expect(changed.json).toMatchObject({ recordings: [{ state: 'stale' }, { path: others, state: 'ok' }] })
    p.write({ 'evals/t.eval.yaml': suite(helped('c').replace('Which?', 'What?')) })
    expect(p.cli(['cassettes', 'verify', '--json']).json).toMatchObject({
      recordings: [{ state: 'stale' }, { state: 'stale' }],
    })
    p.write({ 'evals/t.eval.yaml': suite(helped('d')) })
    const pruned = p.cli(['cassettes', 'prune', '--yes', '--json'])
    expect(pruned.json).toEqual({ deleted: [own, others] })
  })

  test('that are missing name the command that records them', () => {
    using p = project(
      files(helped('c'), {
        '.agent/config.json': JSON.stringify({
          model: 'live',
          models: { live: { provider: 'openai', model: 'x', base_url: 'http://127.0.0.1:9/v1' } },
        }),
      }),
    )
    const result = p.cli(['run', '--baseline', 'without_skills'])
    expect(result.code).toBe(4)
    expect(result.out).toContain('recordings/t/c/live@without_skills.json')
    expect(result.out).toContain(
      "Record: skills-eval run evals/t.eval.yaml --filter '=c' --baseline without_skills --record missing\n",
    )
  })

  test('are an input of a saved baseline that replays them', () => {
    using p = project(files(helped('c'), recorded))
    p.cli(['record', '--baseline', 'without_skills', '-q'])
    const again = () => {
      p.cli(['run', '-q', '--record', 'replay', '--baseline', 'without_skills'])
      return sectionOf(p).reused
    }
    expect([again(), again()]).toEqual([false, true])
    rmSync(join(p.dir, others))
    expect(again()).toBe(false)
  })
})

describe('--dry-run', () => {
  test('counts both arms and runs neither', () => {
    using p = project(files(six))
    const { json } = p.cli(['run', '--baseline', 'without_skills', '--dry-run', '--json'])
    expect(json).toMatchObject({ cases: 6, baseline: { arm: 'without_skills', cases: 6, trials: 6, reused: false } })
    expect(existsSync(join(p.dir, 'reports'))).toBe(false)
    p.cli(['run', '-q', '--baseline', 'without_skills'])
    const known = p.cli(['run', '--baseline', 'without_skills', '--dry-run'])
    expect(known.out).toContain('baseline without_skills: as an earlier run has it\n')
  })
})

test('the guide shows what its suite really prints', () => {
  const guide = readFileSync(join(root, 'docs/baseline.md'), 'utf8')
  const block = (language: string) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide)?.[1] ?? ''
  using p = project()
  expect(p.cli(['init']).code).toBe(0)
  p.write({ 'evals/lift.eval.yaml': block('yaml') })
  const [command = '', ...output] = block('console').trimEnd().split('\n')
  const { out, err } = p.cli(command.replace('$ skills-eval ', '').split(' '))
  const shown = out.split('\n').map((line) => line.trim())
  for (const line of output) expect(shown, err).toContain(line.trim())
})
