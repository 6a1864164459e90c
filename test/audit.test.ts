import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project, skill } from './support/cli.ts'

const files = {
  '.agent/config.json': '{"permissions": {"allow": ["run_script"], "deny": ["delete_file"], "env": ["SHOWN_TOKEN"]}}',
  '.agent/skills/one/SKILL.md': skill('one', 'Does one thing. Use it for one.'),
  '.agent/skills/one/note.md': 'The note of one.\n',
  '.agent/skills/one/scripts/env.sh': '#!/bin/sh\nenv\nexit 3\n',
  'data.txt': 'some data\n',
  'work.yaml': `- select_skills: one
- [{load_resource: {skill: one, path: note.md}}, {run_script: {skill: one, path: scripts/env.sh, args: [a b]}}]
- [{read_file: data.txt}, {delete_file: data.txt}]
- final_answer: all is done
`,
}

type Project = ReturnType<typeof project>
const runFolders = ({ dir }: Project) => readdirSync(join(dir, '.agent/runs')).filter((name) => !name.startsWith('.'))
const recordsOf = (p: Project) =>
  runFolders(p).map((id) => readFileSync(join(p.dir, '.agent/runs', id, 'run.json'), 'utf8'))

test('a run leaves a record of what was asked, loaded, done and decided, and the command that repeats it', () => {
  using p = project(files)
  expect(p.cli(['agent', 'run', "it's", 'time', '--mock', 'work.yaml', '-q']).code).toBe(0)
  const [text = ''] = recordsOf(p)
  const record = JSON.parse(text)
  expect(record).toMatchObject({
    format: 'skills-eval/agent-run@1',
    id: runFolders(p)[0],
    folder: '.',
    command: ['run', "it's", 'time', '--mock', 'work.yaml', '-q'],
    repeat: "skills-agent run 'it'\\''s' time --mock work.yaml -q",
    request: { head: "it's time", characters: 9 },
    model: { profile: 'mock', provider: 'mock', answered: ['mock'] },
    skills: [{ name: 'one', by: 'model', digest: expect.stringMatching(/^sha256:[\da-f]{64}$/) }],
    resources: [{ turn: 2, skill: 'one', path: 'note.md', bytes: 17 }],
    approvals: [],
    stop: { kind: 'answered' },
    answer: { head: 'all is done' },
  })
  expect(record.isolation).toMatch(/^(bubblewrap \d|none: )/)
  expect(
    record.actions.map(({ action, status, verdict, rule, exit_code }: Record<string, unknown>) => [
      action,
      status,
      verdict,
      rule,
      exit_code,
    ]),
  ).toEqual([
    ['select_skills', 'ok', 'allow', 'default: allow select_skills', undefined],
    ['load_resource', 'ok', 'allow', 'default: allow load_resource', undefined],
    ['run_script', 'error', 'allow', 'configuration: allow run_script', 3],
    ['read_file', 'ok', 'allow', 'default: allow read_file', undefined],
    ['delete_file', 'denied', 'deny', 'configuration: deny delete_file', undefined],
    ['final_answer', 'ok', 'allow', 'default: allow final_answer', undefined],
  ])
  expect(record.actions[2].output.digest).toMatch(/^sha256:[\da-f]{64}$/)
  // For its owner alone, and not for version control.
  expect(statSync(join(p.dir, '.agent/runs', record.id, 'run.json')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(p.dir, '.agent/runs/.gitignore'), 'utf8')).toBe('*\n')
})

describe('secrets', () => {
  const env = {
    OPENAI_API_KEY: 'not-of-a-known-shape-5c1f',
    DB_PASSWORD: 'correct horse/battery+staple',
    SHOWN_TOKEN: 'shown-to-scripts-77aa',
  }
  const shapes = [
    `sk-ant-api03-${'Ab3'.repeat(20)}`,
    `ghp_${'a1B2'.repeat(9)}`,
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    'https://user:hunter2secret@example.com/x',
  ]
  const forms = [...Object.values(env), 'hunter2secret', ...shapes.slice(0, 4)].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
    encodeURIComponent(secret),
  ])
  const leaks = (text: string) => forms.filter((form) => text.includes(form))

  test('none reaches the record, wherever it came from and however it is written', () => {
    using p = project({
      ...files,
      'data.txt': `${shapes.join('\n')}\n${Buffer.from(env.DB_PASSWORD).toString('base64')}\n${JSON.stringify({ authorization: 'Bearer abc.def-ghi_jkl' })}\n`,
      'work.yaml': `- select_skills: one
- run_script: {skill: one, path: scripts/env.sh, args: ["${env.OPENAI_API_KEY}"], stdin: "${encodeURIComponent(env.DB_PASSWORD)}"}
- read_file: data.txt
- write_file: {path: "${env.OPENAI_API_KEY}.txt", content: "${shapes[0]}"}
- final_answer: "the key is ${env.OPENAI_API_KEY} or ${Buffer.from(env.OPENAI_API_KEY).toString('hex')}"
`,
    })
    const { code } = p.cli(
      ['agent', 'run', `use ${env.OPENAI_API_KEY} and ${shapes[1]}`, '--mock', 'work.yaml', '-q'],
      env,
    )
    expect(code).toBe(0)
    const [text = ''] = recordsOf(p)
    expect(leaks(text)).toEqual([])
    expect(text).not.toContain('abc.def-ghi_jkl')
    expect(text).toMatch(/\[redacted:env:[\da-f]{6}\]/)
    expect(text).toMatch(/\[redacted:anthropic:[\da-f]{6}\]/)
    // The digest of a secret differs from project to project, or anyone could try a list of guesses on it.
    using other = project(files)
    other.cli(['agent', 'run', env.OPENAI_API_KEY, '--mock', 'work.yaml', '-q'], env)
    const digest = (json: string) => /\[redacted:value:([\da-f]{6})\]/.exec(JSON.parse(json).request.head)?.[1]
    expect(digest(text)).toMatch(/^[\da-f]{6}$/)
    expect(digest(recordsOf(other)[0] ?? '')).not.toBe(digest(text))
  })

  test('nor what is printed to show it again', () => {
    using p = project(files)
    p.cli(['agent', 'run', `use ${env.OPENAI_API_KEY}`, '--mock', 'work.yaml', '-q'], env)
    for (const args of [['list'], ['show'], ['show', '--json']]) {
      const { code, out } = p.cli(['agent', 'runs', ...args])
      expect([code, leaks(out)]).toEqual([0, []])
    }
  })
})

describe('runs list and show', () => {
  test('name the runs, newest first, and one of them by the start of its id', () => {
    using p = project(files)
    expect(p.cli(['agent', 'runs', 'list']).out).toBe('0 runs\n')
    p.cli(['agent', 'run', 'the first', '--mock', 'work.yaml', '-q'])
    p.cli(['agent', 'run', 'the second', '--mock', 'gone.yaml', '-q'])
    p.cli(['agent', 'run', 'the third', '--mock', 'work.yaml', '-q', '--model', 'mock'])
    const ids = runFolders(p).sort().reverse()
    // A mistake in the command is no run.
    expect(ids).toHaveLength(2)
    const { json } = p.cli(['agent', 'runs', 'list', '--json'])
    expect(json).toMatchObject({
      total: 2,
      runs: [{ request: { head: 'the third' } }, { request: { head: 'the first' } }],
    })
    const { out } = p.cli(['agent', 'runs', 'list', '-n', '1'])
    expect(out).toContain('the third')
    expect(out).toContain('1 run of 2')
    expect(p.cli(['agent', 'runs', 'show', '--json']).json).toMatchObject({ id: ids[0] })
    expect(p.cli(['agent', 'runs', 'show', ids[1] ?? '', '--json']).json).toMatchObject({ id: ids[1] })
    const shown = p.cli(['agent', 'runs', 'show', ids[1] ?? '']).out
    expect(shown).toContain("skills-agent run 'the first' --mock work.yaml -q")
    expect(shown).toContain('configuration: deny delete_file')
  })

  test('say what is wrong in words', () => {
    using p = project(files)
    expect(p.cli(['agent', 'runs', 'show'])).toMatchObject({ code: 2, err: expect.stringContaining('no records') })
    p.cli(['agent', 'run', 'x', '--mock', 'work.yaml', '-q'])
    expect(p.cli(['agent', 'runs', 'show', 'nowhere']).code).toBe(2)
    p.write({ '.agent/runs/99999999-broken/run.json': '{"format": ' })
    expect(p.cli(['agent', 'runs', 'list']).out).toContain('unreadable')
    expect(p.cli(['agent', 'runs', 'show', '99999999-broken'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('not JSON'),
    })
  })
})

describe('a record that can not be written', () => {
  test('is said, and changes nothing of the run', () => {
    using p = project({ ...files, '.agent/runs': 'a file is in the way' })
    const { code, out, err } = p.cli(['agent', 'run', 'x', '--mock', 'work.yaml'])
    expect({ code, out }).toEqual({ code: 0, out: 'all is done\n' })
    expect(err).toContain('warning: this run leaves no record: ')
  })

  test('because its folder is a link to outside: nothing is written there', () => {
    using outside = project({ 'there/x': '' })
    using p = project(files)
    symlinkSync(join(outside.dir, 'there'), join(p.dir, '.agent/runs'))
    const { code, err } = p.cli(['agent', 'run', 'x', '--mock', 'work.yaml'])
    expect(code).toBe(0)
    expect(err).toContain('leads outside the project')
    expect(readdirSync(join(outside.dir, 'there'))).toEqual(['x'])
  })
})

test('no script and no agent writes into the records', () => {
  using p = project({
    ...files,
    '.agent/config.json': '{"permissions": {"allow": ["run_script"]}}',
    '.agent/skills/one/scripts/plant.sh': '#!/bin/sh\nmkdir -p .agent/runs && echo x > .agent/runs/planted\n',
    'work.yaml':
      '- select_skills: one\n- write_file: {path: .agent/runs/x/run.json, content: x}\n- run_script: {skill: one, path: scripts/plant.sh}\n- final_answer: done\n',
  })
  const { json } = p.cli(['agent', 'run', 'x', '--mock', 'work.yaml', '--allow', 'write_file', '--json'])
  const statuses = (json as { actions: { status: string }[] }).actions.map(({ status }) => status)
  const { sandbox } = p.cli(['doctor', '--json']).json as { sandbox: { isolation: { kind: string } } }
  const isIsolated = sandbox.isolation.kind === 'bubblewrap'
  expect(statuses).toEqual(['ok', 'error', isIsolated ? 'error' : 'ok', 'ok'])
  expect(existsSync(join(p.dir, '.agent/runs/planted'))).toBe(!isIsolated)
})
