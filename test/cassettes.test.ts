import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { skill } from './support/cli.ts'
import {
  cassetteFile,
  cassetteOf,
  config,
  filesBelow,
  obey,
  read,
  recordedCase,
  recordedProject,
  runOf,
  trialsOf,
} from './support/recorded-project.ts'

type Project = ReturnType<typeof recordedProject>

const record = (p: Project, ...more: readonly string[]) => p.cli(['run', '--record', 'all', ...more])
const replay = (p: Project, ...more: readonly string[]) => p.cli(['run', '--record', 'replay', ...more])

/** The suite without what the model answers: only a recording can. */
const muted = (text = recordedCase()) => text.replace(/ {4}mock:\n(?: {6}.*\n)+/, '    mock: []\n')

describe('record and replay', () => {
  test('a replay needs no model, and runs the scripts for real', () => {
    using p = recordedProject()
    expect(record(p).code).toBe(0)
    expect(trialsOf(p)[0]?.cassette).toEqual({ path: cassetteFile, mode: 'record', stale_parts: [] })
    p.write({ 'evals/t.eval.yaml': muted() })
    expect(replay(p).code).toBe(0)
    const [trial] = trialsOf(p)
    expect(trial?.cassette).toEqual({ path: cassetteFile, mode: 'replay', stale_parts: [] })
    expect(trial?.actions.map(({ action, observation }) => [action, observation.trim()])[1]).toEqual([
      'run_script',
      expect.stringContaining('Feb,Mar'),
    ])
  })

  test('the file says what was new in each turn, and nothing of this machine', () => {
    using p = recordedProject()
    record(p)
    const text = read(p, cassetteFile)
    expect(text).not.toContain(p.dir)
    const { trials, parts, ...head } = cassetteOf(p)
    expect(head).toEqual({
      format: 'skills-eval/cassette@1',
      suite: 't',
      case: 'top',
      profile: 'm',
      recorded: new Date().toISOString().slice(0, 10),
    })
    expect(trials[0]?.turns.map(({ request }) => Object.keys(request))).toEqual([
      ['system', 'index', 'tools', 'params', 'input'],
      ['body:csv-analyzer', 'observation:1'],
      ['observation:2'],
      ['observation:3'],
    ])
    expect(Object.values(parts.body)[0]).toContain('folder="[path:skill:csv-analyzer]"')
  })

  test('record is run --record all', () => {
    using p = recordedProject()
    expect(p.cli(['record']).code).toBe(0)
    expect(existsSync(join(p.dir, cassetteFile))).toBe(true)
  })

  test('in CI a profile records nothing unless the command line asks for it; elsewhere it does', () => {
    using p = recordedProject({ '.agent/config.json': config({}, { record: 'all' }) })
    expect(p.cli(['run']).code).toBe(0)
    expect(filesBelow(p, 'recordings')).toEqual([])
    expect(p.cli(['run', '--record', 'off']).code).toBe(0)
    expect(filesBelow(p, 'recordings')).toEqual([])
    expect(p.cli(['run'], { CI: '' }).code).toBe(0)
    expect(filesBelow(p, 'recordings')).toEqual([cassetteFile])
  })

  test('missing records what is not there and plays what is', () => {
    using p = recordedProject()
    record(p)
    const before = read(p, cassetteFile)
    p.write({
      'evals/t.eval.yaml': `${muted()}  - {id: new, input: x, mock: [{final_answer: ok}]}\n`,
    })
    expect(p.cli(['run', '--record', 'missing']).code).toBe(0)
    expect(read(p, cassetteFile)).toBe(before)
    expect(filesBelow(p, 'recordings')).toEqual(['recordings/t/new/m.json', cassetteFile])
  })

  test('stale records anew what is stale and nothing else', () => {
    using p = recordedProject()
    const other = '  - {id: other, input: x, mock: [{final_answer: ok}]}\n'
    p.write({ 'evals/t.eval.yaml': recordedCase({ more: other }) })
    record(p)
    const [before, beforeOther] = [read(p, cassetteFile), read(p, 'recordings/t/other/m.json')]
    p.write({ 'evals/t.eval.yaml': recordedCase({ input: 'Which two?', more: other }) })
    expect(replay(p).code).toBe(4)
    expect(p.cli(['run', '--record', 'stale']).code).toBe(0)
    expect(read(p, cassetteFile)).not.toBe(before)
    expect(read(p, 'recordings/t/other/m.json')).toBe(beforeOther)
    expect(replay(p).code).toBe(0)
  })

  test.each([
    ['mock: [{select_skills: csv-analyzer}]', 3],
    ['mock: [[{raw: {name: nothing, input: {}}}], [{raw: {name: nothing, input: {}}}], [{raw: {name: nothing}}]]', 3],
  ])('a recording that fails leaves the old file as it was: %s', (mock, code) => {
    using p = recordedProject()
    record(p)
    const before = read(p, cassetteFile)
    p.write({ 'evals/t.eval.yaml': muted().replace('mock: []', mock) })
    const failed = record(p)
    expect(failed.code).toBe(code)
    expect(failed.err).toContain(`warning: ${cassetteFile} was not written: a trial did not end in order`)
    expect(read(p, cassetteFile)).toBe(before)
  })

  test('a recording that is killed leaves the old file as it was', async () => {
    using p = recordedProject()
    record(p)
    const before = read(p, cassetteFile)
    p.write({ '.agent/config.json': config({}, { params: { latency_ms: 400 } }) })
    const { ended, kill } = p.start(['run', '--record', 'all'])
    await vi.waitFor(() => expect(filesBelow(p, 'reports').length).toBeGreaterThan(4), { timeout: 20_000 })
    kill('SIGKILL')
    await ended
    expect(read(p, cassetteFile)).toBe(before)
    expect(replay(p).code).toBe(0)
  })
})

describe('what is missing', () => {
  test('is an error that names the command that records it, and that command works', () => {
    using p = recordedProject()
    record(p)
    const { code, out } = replay(p, '--trials', '3')
    expect(code).toBe(4)
    expect(trialsOf(p).map(({ error }) => error?.code)).toEqual([undefined, 'missing_cassette', 'missing_cassette'])
    expect(out).toContain(`Trial 2 of t/top on m is not recorded: ${cassetteFile} has 1 trial.`)
    // One recording is one sample, however many trials are asked for.
    expect(runOf(p).suites[0]?.cases[0]).toMatchObject({ status: 'error', pass_rate: 1, pass_at_k: { '1': 1 } })
    expect(runOf(p).suites[0]?.cases[0]?.interval?.[0]).toBeCloseTo(0.2065, 4)
    const [, command = ''] = /Record: (.*)/.exec(out) ?? []
    expect(command).toBe("skills-eval run evals/t.eval.yaml --filter '=top' --trials 3 --record missing")
    expect(obey(p, command).code).toBe(0)
    p.write({ 'evals/t.eval.yaml': muted() })
    expect(replay(p, '--trials', '3').code).toBe(0)
    expect(trialsOf(p).map(({ cassette }) => cassette?.mode)).toEqual(['replay', 'replay', 'replay'])
  })

  test('a file that is no recording is told as such, and replaced only when that is asked', () => {
    using p = recordedProject()
    record(p)
    p.write({ [cassetteFile]: read(p, cassetteFile).slice(0, 300) })
    const { code, out } = replay(p)
    expect(code).toBe(4)
    expect(out).toContain("can't be used: it is not JSON")
    const [, command = ''] = /Record it anew: (.*)/.exec(out) ?? []
    expect(obey(p, command).code).toBe(0)
    expect(replay(p).code).toBe(0)
  })

  test('bytes that are no text are no crash', () => {
    using p = recordedProject()
    record(p)
    p.writeBytes(cassetteFile, Buffer.from([0xff, 0xfe, 0x00]))
    expect(replay(p).code).toBe(4)
    expect(trialsOf(p)[0]?.error?.code).toBe('missing_cassette')
    const verified = p.cli(['cassettes', 'verify'])
    expect(verified.code).toBe(1)
    expect(verified.out).toContain(`unreadable ${cassetteFile}`)
  })
})

const csvSkill = (description: string, body: string) => skill('csv-analyzer', description, body)
const description = 'Summarise CSV files of sales. Use when a CSV must be analysed.'
const body = '# CSV\n\nRun scripts/top.py. See references/kpi.md\n'
const script = (p: Project) => read(p, 'skills/csv-analyzer/scripts/top.py')

const changes: readonly (readonly [
  string,
  (p: Project) => Readonly<Record<string, string>>,
  readonly string[],
  string,
])[] = [
  [
    'the description of a skill',
    () => ({ 'skills/csv-analyzer/SKILL.md': csvSkill('Sums up CSV files.', body) }),
    ['index'],
    `description of csv-analyzer: "${description}" → "Sums up CSV files."`,
  ],
  [
    'its body',
    () => ({ 'skills/csv-analyzer/SKILL.md': csvSkill(description, '# CSV\n\nRun scripts/top.py twice.\n') }),
    ['body:csv-analyzer'],
    'body of csv-analyzer: "Run scripts/top.py. See references/kpi.md" → "Run scripts/top.py twice."',
  ],
  [
    'what its script prints',
    (p) => ({ 'skills/csv-analyzer/scripts/top.py': script(p).replace('",".join', '"+".join') }),
    ['observation:2'],
    'observation 2 (scripts/top.py): ',
  ],
  [
    'the schema of a tool',
    () => ({ 'evals/t.eval.yaml': recordedCase({ schema: '{type: object, properties: {of: {type: string}}}' }) }),
    ['tools'],
    'tool lookup takes other parameters or is described otherwise',
  ],
  [
    'the input',
    () => ({ 'evals/t.eval.yaml': recordedCase({ input: 'Which two?' }) }),
    ['input'],
    'input: "Which two months were best?" → "Which two?"',
  ],
  ['the model', () => ({ '.agent/config.json': config({}, { model: 'm-2' }) }), ['params'], 'parameter model is new'],
  [
    'the system prompt, where there are no skills any more',
    () => ({ 'evals/t.eval.yaml': recordedCase().replace('skills: [../skills]', 'skills: []') }),
    ['system', 'index', 'tools'],
    'system prompt: ',
  ],
  [
    'the description of a skill that was never selected',
    () => ({ 'skills/pdf-forms/SKILL.md': skill('pdf-forms', 'Fill forms.') }),
    ['index'],
    'description of pdf-forms: ',
  ],
  [
    'a skill that is new',
    () => ({ 'skills/new-one/SKILL.md': skill('new-one', 'New. Use it never.') }),
    ['index'],
    'skill new-one is new',
  ],
]

describe('a change', () => {
  test.each(changes)('of %s is stale by its own name', (_, change, parts, told) => {
    using p = recordedProject()
    record(p)
    p.write(change(p))
    const { code, out } = replay(p, '--reporter', 'junit=junit.xml', '--reporter', 'terminal')
    expect(code).toBe(4)
    expect(runOf(p).summary).toMatchObject({ stale: 1, failed: 0, errors: 0 })
    expect(trialsOf(p)[0]?.cassette).toMatchObject({ path: cassetteFile, mode: 'replay', stale_parts: parts })
    expect(new Set(trialsOf(p)[0]?.cassette?.differences?.map(({ part }) => part))).toEqual(new Set(parts))
    expect(trialsOf(p)[0]?.reason).toContain(told)
    expect(out.replaceAll(/\s+/g, ' ')).toContain(told.trim())
    const [, command = ''] = /Re-record: (.*)/.exec(out) ?? []
    expect(command).toBe("skills-eval run evals/t.eval.yaml --filter '=top' --record stale")
    expect(read(p, 'junit.xml')).toMatch(/<error [^>]*type="stale"/)
    const verified = p.cli(['cassettes', 'verify'])
    expect(verified.code).toBe(4)
    expect(verified.out).toContain(`stale ${cassetteFile}`)
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    [
      'the body of a skill that was not selected',
      {
        'skills/pdf-forms/SKILL.md': skill(
          'pdf-forms',
          'Fill PDF forms. Use when a PDF form must be filled.',
          '# Other\n',
        ),
      },
    ],
    ['a file that was not read', { 'skills/csv-analyzer/references/kpi.md': '# Other\n' }],
    [
      'a script that prints the same',
      { 'skills/csv-analyzer/scripts/top.py': '#!/usr/bin/env python3\nprint("Feb,Mar")\n' },
    ],
    ['a check', { 'evals/t.eval.yaml': recordedCase().replace('contains: Feb', 'contains: Mar') }],
    [
      'how long the model takes, and its price',
      { '.agent/config.json': config({}, { params: { latency_ms: 1 }, price: { input: 1, output: 1 } }) },
    ],
  ])('of %s is none', (_, files) => {
    using p = recordedProject()
    record(p)
    p.write(files)
    expect(replay(p).code).toBe(0)
    expect(trialsOf(p)[0]?.cassette?.stale_parts).toEqual([])
  })

  test('--allow-stale goes on by turn order, and says so', () => {
    using p = recordedProject()
    record(p)
    p.write({ 'evals/t.eval.yaml': muted(recordedCase({ input: 'Which two?' })) })
    const { code, out } = replay(p, '--allow-stale')
    expect(code).toBe(0)
    expect(trialsOf(p)[0]?.cassette).toEqual({
      path: cassetteFile,
      mode: 'positional',
      stale_parts: ['input'],
      differences: [{ part: 'input', recorded: 'Which two months were best?', now: 'Which two?' }],
    })
    expect(out).toContain('1 case was replayed by turn order, its request has changed: input\n')
    expect(read(p, 'reports/latest/summary.md')).toContain('1 case was replayed by turn order')
  })

  test('a policy goes by part; the suite has the last word', () => {
    using p = recordedProject()
    record(p)
    const input = 'Which two?'
    const tried = (inConfig: unknown, top: string) => {
      p.write({ '.agent/config.json': config({ stale: inConfig }), 'evals/t.eval.yaml': recordedCase({ input, top }) })
      const { code } = replay(p)
      return [code, trialsOf(p)[0]?.cassette?.mode, trialsOf(p)[0]?.cassette?.stale_parts]
    }
    expect(tried('warn', '')).toEqual([0, 'positional', ['input']])
    expect(tried('warn', 'stale: {input: fail}\n')).toEqual([4, 'replay', ['input']])
    expect(tried({ input: 'ignore' }, '')).toEqual([0, 'replay', []])
    expect(tried({ observation: 'ignore' }, '')).toEqual([4, 'replay', ['input']])
    expect(tried({ observation: 'ignore' }, 'stale: {input: warn}\n')).toEqual([0, 'positional', ['input']])
  })

  test('normalize covers what a script prints that changes', () => {
    const random = '#!/usr/bin/env python3\nimport uuid\nprint("id", uuid.uuid4(), "Feb,Mar")\n'
    using p = recordedProject({ 'skills/csv-analyzer/scripts/top.py': random })
    record(p)
    expect(replay(p).code).toBe(4)
    const normalize = [{ match: '[0-9a-f-]{36}', replace: '<id>' }]
    p.write({ '.agent/config.json': config({ normalize }) })
    record(p)
    expect(replay(p).code).toBe(0)
    expect(read(p, cassetteFile)).toContain('id <id> Feb,Mar')
    p.write({
      '.agent/config.json': config(),
      'evals/t.eval.yaml': recordedCase({ top: `normalize: ${JSON.stringify(normalize)}\n` }),
    })
    expect(replay(p).code).toBe(0)
  })
})

describe('another machine', () => {
  test('replays what was recorded under another path, user and home', () => {
    using p = recordedProject()
    using there = recordedProject()
    record(p)
    cpSync(join(p.dir, 'recordings'), join(there.dir, 'recordings'), { recursive: true })
    const env = { HOME: join(there.dir, 'home of another'), USER: 'other', TMPDIR: there.dir }
    const { code, out } = there.cli(['run', '--record', 'replay'], env)
    expect(out).toContain('1 passed')
    expect(code).toBe(0)
    expect(trialsOf(there)[0]?.cassette?.stale_parts).toEqual([])
    expect(there.cli(['cassettes', 'verify'], env).code).toBe(0)
  })

  test('records the same bytes, again and elsewhere', () => {
    using p = recordedProject()
    using there = recordedProject()
    record(p)
    const first = read(p, cassetteFile)
    record(p)
    expect(read(p, cassetteFile)).toBe(first)
    there.cli(['run', '--record', 'all'], { HOME: there.dir, USER: 'other', TMPDIR: there.dir })
    expect(read(there, cassetteFile)).toBe(first)
  })
})
