import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { RunResult } from '../src/schema/run.ts'
import { project, skill } from './support/cli.ts'
import { atTerminal, type PtyStep } from './support/pty.ts'
import { hasScreen, onScreen } from './support/screen.ts'

const files = {
  '.agent/skills/one/SKILL.md': skill('one', 'Does one thing. Use it for one.', '# One\n\nThe body of one.\n'),
  '.agent/skills/two/SKILL.md': skill('two', 'Does another. Use it for two.'),
  'data.txt': 'some data\n',
  'daten-größe.txt': 'x\n',
  'chat.yaml': `- final_answer: First answer.
- [{select_skills: one}, {read_file: data.txt}, {update_plan: {goal: Look, steps: [{id: a, title: Read it, status: completed}]}}]
- final_answer: Second answer.
- final_answer: Third answer.
`,
}
const sessionsOf = (dir: string): string[] =>
  existsSync(join(dir, '.agent/sessions'))
    ? readdirSync(join(dir, '.agent/sessions')).filter((name) => name.endsWith('.json'))
    : []
const sessionOf = (dir: string) =>
  JSON.parse(readFileSync(join(dir, '.agent/sessions', sessionsOf(dir)[0] ?? ''), 'utf8'))
const runsOf = (dir: string) =>
  readdirSync(join(dir, '.agent/runs'))
    .filter((name) => !name.startsWith('.'))
    .map((id) => JSON.parse(readFileSync(join(dir, '.agent/runs', id, 'run.json'), 'utf8')))
const piped = (p: ReturnType<typeof project>, lines: string, ...args: readonly string[]) => {
  writeFileSync(join(p.dir, 'lines'), lines)
  const { status, stdout, stderr } = p.shell(['agent', 'chat', '--mock', 'chat.yaml', ...args], '< lines')
  return { code: status, out: stdout, err: stderr }
}

describe('on a pipe', () => {
  test('a line that alone is over context_tokens is said to nobody, and the chat goes on', () => {
    using p = project({ ...files, '.agent/config.json': '{"limits": {"context_tokens": 1000}}' })
    const { out, err } = piped(p, `Hello.\n${'Look at this. '.repeat(500)}\nRead the data.\n`, '--record')
    expect(out).toBe('First answer.\nSecond answer.\n')
    expect(err).toMatch(
      /^error: the input has about [2-9],\d{3} tokens, and context_tokens is 1,000: nothing was sent/m,
    )
    expect(err).toContain('Put it into a file and let the agent read it, or raise limits.context_tokens')
    expect(sessionOf(p.dir).inputs).toEqual(['Hello.', 'Read the data.'])
    // Nothing in it failed: a case can be made of it.
    expect(sessionOf(p.dir).recorded).not.toHaveProperty('problem')
  })

  test('a line is a request, and a \\ at its end goes on with the next', () => {
    using p = project(files)
    const { code, out } = piped(p, 'Hello.\n\nRead\\\nthe data.\n')
    expect({ code, out }).toEqual({ code: 0, out: 'First answer.\nSecond answer.\n' })
    const { inputs, messages, loaded, plan, turns } = sessionOf(p.dir)
    expect({ inputs, turns }).toEqual({ inputs: ['Hello.', 'Read\nthe data.'], turns: 3 })
    expect(messages.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ])
    expect(loaded).toEqual([{ name: 'one', source: 'project' }])
    expect(plan.goal).toBe('Look')
    // One conversation, one record.
    expect(runsOf(p.dir)).toMatchObject([{ request: { head: 'Hello.\nRead\nthe data.' }, stop: { kind: 'answered' } }])
    expect(statSync(join(p.dir, '.agent/sessions', sessionsOf(p.dir)[0] ?? '')).mode & 0o777).toBe(0o600)
  })

  test('commands are done here, and one that nobody knows ends nothing', () => {
    using p = project(files)
    const { code, out, err } = piped(
      p,
      '/skils\n/oen\n/etc/hosts is a path\n/plan\nRead.\n/plan\n/cost\n/skills\n/search another thing\n/help\n/quit\nnever said\n',
    )
    expect({ code, out }).toEqual({ code: 0, out: 'First answer.\nSecond answer.\n' })
    expect(err).toContain('there is no command or skill /skils: did you mean /skills')
    expect(err).toContain('there is no command or skill /oen: did you mean /one')
    expect(err).toContain('there is no plan\n')
    expect(err).toContain('Look\n[x] Read it\n')
    expect(err).toMatch(/3 answers of the model, [\d,]+ tokens in, \d+ out, \$0\n/)
    expect(err).toContain('one (project, loaded): Does one thing.')
    expect(err).toContain('two (project): Does another.')
    expect(err).toContain('/save-case SUITE')
    expect(sessionOf(p.dir).inputs).toEqual(['/etc/hosts is a path', 'Read.'])
  })

  test('/SKILL loads it, /disable takes it away, /enable gives it back, /reload finds new ones', () => {
    using p = project({
      ...files,
      'chat.yaml':
        '- final_answer: A.\n- select_skills: two\n- final_answer: B.\n- select_skills: two\n- final_answer: C.\n',
    })
    const { code, err } = piped(
      p,
      '/one Do it.\n/disable two\n/two x\n/disable tow\nDo the other.\n/enable two\nAgain.\n/reload\n',
    )
    expect(code).toBe(0)
    expect(err).toContain('skill one (project), chosen by the user')
    expect(err).toContain('two is disabled: /enable two')
    expect(err).toContain('there is no skill tow: did you mean two')
    expect(err).toMatch(/2\. select_skills two {2}error/)
    expect(err).toMatch(/4\. select_skills two {2}ok/)
    expect(err).toMatch(/^\d+ skills$/m)
  })

  test('a request without an answer is told, the chat goes on, and the exit code is 3', () => {
    using p = project({ ...files, 'chat.yaml': '{rules: [{when: {input: hello}, do: [{final_answer: Hi.}]}]}\n' })
    const { code, out, err } = piped(p, 'What?\nHello.\n')
    expect({ code, out }).toEqual({ code: 3, out: 'Hi.\n' })
    expect(err).toContain('error: no rule of the mock matches turn 1')
  })

  test('--max-cost is for the whole chat', () => {
    using p = project({
      ...files,
      '.agent/config.json': JSON.stringify({
        model: 'dear',
        models: { dear: { provider: 'mock', price: { input: 100, output: 100 } } },
      }),
    })
    const { code, out, err } = piped(p, 'One.\nTwo.\nThree.\n', '--max-cost', '0.5')
    expect({ code, out }).toEqual({ code: 3, out: 'First answer.\n' })
    expect(err).toContain('max_cost_usd: spent')
  })

  test('is gone on with, by the latest or by its id', () => {
    using p = project(files)
    piped(p, 'Hello.\nRead.\n')
    const [first = ''] = sessionsOf(p.dir)
    const { code, err } = piped(p, '/plan\n/cost\nMore.\n', '--continue')
    expect(code).toBe(0)
    expect(err).toContain(`chat ${first.slice(0, -5)}, after 2 requests`)
    expect(err).toContain('[x] Read it')
    expect(err).toContain('3 answers of the model')
    expect(sessionsOf(p.dir)).toEqual([first])
    expect(sessionOf(p.dir)).toMatchObject({ inputs: ['Hello.', 'Read.', 'More.'], turns: 4 })
    piped(p, 'Another chat.\n')
    expect(piped(p, 'Still more.\n', '--continue', first.slice(0, 19)).err).toContain('after 3 requests')
    const none = piped(p, 'x\n', '--continue', '1999')
    expect({ code: none.code, err: none.err }).toMatchObject({ code: 2, err: expect.stringContaining('no chat 1999') })
  })

  test('one that is going on elsewhere is not gone on with, and without an id it is the one that was used last', async () => {
    using p = project(files)
    const other = p.start(['agent', 'chat', '--mock', 'chat.yaml'])
    other.input.write('Hello.\n')
    await expect.poll(() => sessionsOf(p.dir), { timeout: 30_000 }).toHaveLength(1)
    const [first = ''] = sessionsOf(p.dir)
    const busy = piped(p, 'x\n', '--continue')
    expect({ code: busy.code, err: busy.err }).toMatchObject({
      code: 2,
      err: expect.stringContaining(`the chat ${first.slice(0, -5)} is going on elsewhere`),
    })
    piped(p, 'Another chat.\n')
    other.input.write('More.\n')
    other.input.end()
    expect(await other.ended).toBe(0)
    expect(piped(p, '/quit\n', '--continue').err).toContain(`chat ${first.slice(0, -5)}, after 2 requests`)
    expect(runsOf(p.dir)).toHaveLength(2)
  })

  test('what is stored holds no secret', () => {
    const secret = 'correct-horse-battery'
    using p = project({ ...files, 'data.txt': `${secret}\n` })
    writeFileSync(join(p.dir, 'lines'), `Hello ${secret}.\nRead.\n`)
    p.shell(['agent', 'chat', '--mock', 'chat.yaml'], `< lines`)
    expect(readFileSync(join(p.dir, '.agent/sessions', sessionsOf(p.dir)[0] ?? ''), 'utf8')).toContain(secret)
    using q = project({ ...files, 'data.txt': `${secret}\n` })
    writeFileSync(join(q.dir, 'lines'), `Hello ${secret}.\nRead.\n`)
    q.run('bash', [
      '-c',
      `MY_API_KEY=${secret} "$0" dist agent chat --mock chat.yaml < lines`.replace(
        'dist',
        join(import.meta.dirname, '../dist/skills-eval.cjs'),
      ),
      process.execPath,
    ])
    expect(readFileSync(join(q.dir, '.agent/sessions', sessionsOf(q.dir)[0] ?? ''), 'utf8')).not.toContain(secret)
  })

  test('becomes a case that does the same', () => {
    using p = project(files)
    const { err } = piped(p, 'Hello.\nRead.\n/save-case evals/chat.eval.yaml\n/save-case evals/none.txt\n')
    expect(err).toContain('it does what the run did: 5 actions, the same')
    const [made] = parse(readFileSync(join(p.dir, 'evals/chat.eval.yaml'), 'utf8')).cases
    expect(made).toMatchObject({ input: ['Hello.', 'Read.'], expected: { output: [{ contains: 'Second answer.' }] } })
    const run = p.cli(['run', 'evals/chat.eval.yaml', '--json'])
    expect(run.code, run.err).toBe(0)
    expect((run.json as RunResult).suites[0]?.cases[0]?.trials[0]?.actions.map(({ action }) => action)).toEqual([
      'final_answer',
      'select_skills',
      'read_file',
      'update_plan',
      'final_answer',
    ])
    expect(err).toContain('evals/none.txt is no name for a suite')
  })

  const says = '#!/usr/bin/env bash\necho said\n'
  const withScript = {
    ...files,
    '.agent/config.json': '{"sandbox": "off", "permissions": {"allow": ["run_script"]}}',
    '.agent/skills/one/scripts/say.sh': says,
  }
  const messagesOf = (dir: string): string[] =>
    sessionOf(dir).messages.flatMap(({ role, text }: { role: string; text: string }) => (role === 'user' ? [text] : []))

  test('a loaded skill that is disabled is used no more, the model is told so, and it becomes a case', () => {
    using p = project({
      ...withScript,
      'chat.yaml': `- select_skills: one
- final_answer: A.
- [{run_script: {skill: one, path: scripts/say.sh}}, {enable_skill: one}, {select_skills: one}]
- final_answer: B.
- [{run_script: {skill: one, path: scripts/say.sh}}, {disable_skill: two}]
- final_answer: C.
- final_answer: D.
`,
    })
    const { err } = piped(
      p,
      'Hello.\n/disable one\nUse it.\n/enable one\n/enable two\n/reload\nAnd now?\n/enable two\n/save-case evals/c.eval.yaml\nWell?\n/save-case evals/c.eval.yaml\n',
    )
    expect(err).toMatch(/3\. run_script .* error: one is disabled by the user/)
    expect(err).toMatch(/3\. enable_skill one {2}error: one was disabled by the user, who alone can enable it/)
    expect(err).toMatch(/3\. select_skills one {2}error: one is disabled by the user/)
    expect(err).toMatch(/5\. run_script scripts\/say\.sh \[one\].* ok, exit 0/)
    expect(messagesOf(p.dir).map((text) => text.split('\n').slice(0, -2))).toEqual([
      [],
      [
        '[The skills have changed since you were told of them.',
        'Disabled by the user: one.',
        expect.stringContaining('hold no more.]'),
      ],
      ['[The skills have changed since you were told of them.', 'Enabled again by the user: one.]'],
      ['[The skills have changed since you were told of them.', 'Enabled again by the user: two.]'],
    ])
    expect(err.match(/it does what the run did: (\d+) actions, the same/g)).toHaveLength(2)
    const [, made] = parse(readFileSync(join(p.dir, 'evals/c.eval.yaml'), 'utf8')).cases
    expect(made).toMatchObject({
      input: ['Hello.', '/disable one', 'Use it.', '/enable one', '/enable two', 'And now?', '/enable two', 'Well?'],
      agent: { skill_controls: true },
    })
    const run = p.cli(['run', 'evals/c.eval.yaml', '--json'])
    expect(run.code, run.err).toBe(0)
    const [, second] = (run.json as RunResult).suites[0]?.cases ?? []
    expect(second?.trials[0]?.actions.map(({ action, status }) => `${action} ${status}`)).toEqual([
      'select_skills ok',
      'final_answer ok',
      'run_script error',
      'enable_skill error',
      'select_skills error',
      'final_answer ok',
      'run_script ok',
      'disable_skill ok',
      'final_answer ok',
      'final_answer ok',
    ])
  })

  test('what changes on disk is told before the next request, with the bodies; a case can not tell it, and says where', () => {
    using p = project({
      ...withScript,
      '.agent/skills/one/scripts/say.sh': `#!/usr/bin/env bash
cd "$WORKSPACE/.agent/skills"
sed -i 's/The body of one/Another body/; s/^name: one/name: one\\nallowed-tools: Read/' one/SKILL.md
mkdir three; sed 's/two/three/' two/SKILL.md > three/SKILL.md
rm -r two
`,
      '.agent/config.json':
        '{"sandbox": "off", "permissions": {"allow": ["run_script"]}, "limits": {"index_tokens": 60}}',
      'chat.yaml': `- select_skills: one
- run_script: {skill: one, path: scripts/say.sh}
- final_answer: A.
- [{run_script: {skill: one, path: scripts/say.sh}}, {select_skills: [one, three]}]
- select_skills: one
- final_answer: B.
- final_answer: C.
`,
    })
    const { err } = piped(p, 'Hello.\n/reload\nUse it.\nWell?\n/save-case evals/c.eval.yaml\n')
    expect(err.match(/warning: the index of skills is longer/g)).toHaveLength(2)
    const [, told = '', last] = messagesOf(p.dir)
    expect(told).toMatch(/New:\n<skill>\n<name>\nthree[\s\S]*Gone: two\.\nChanged since you loaded them: one\./)
    expect(last).toBe('Well?')
    expect(err).toMatch(/4\. run_script .* denied/)
    const bodies = sessionOf(p.dir).messages.flatMap(({ results = [] }: { results: { text: string }[] }) =>
      results.flatMap(({ text }) => /The body of one|Another body|already loaded/.exec(text) ?? []),
    )
    expect(bodies).toEqual(['The body of one', 'Another body', 'already loaded'])
    expect(err).toContain('this run makes no case: skills changed on disk before its request 2 (one, three, two)')
    expect(existsSync(join(p.dir, 'evals'))).toBe(false)
  })

  test('one that was gone on with becomes a case of all of it, files as they were before; else it says from where not', () => {
    const turns = `- [{select_skills: one}, {read_file: data.txt}, {write_file: {path: data.txt, content: new}}]
- final_answer: A.
`
    using p = project({
      ...withScript,
      'chat.yaml': turns,
      'more.yaml':
        '- [{read_file: data.txt}, {run_script: {skill: one, path: scripts/say.sh}}, {delete_file: old.txt}]\n- final_answer: B.\n',
      'old.txt': 'old\n',
      'AGENTS.md': 'Be brief.\n',
    })
    const allow = ['--allow', 'write_file:data.txt', '--allow', 'delete_file:old.txt']
    piped(p, 'Hello.\n/disable two\n', ...allow)
    const goOn = ['--mock', 'more.yaml', '--continue', ...allow, '--record']
    const { err } = piped(p, 'More.\n/save-case evals/c.eval.yaml\n', ...goOn)
    expect(err).toContain('it does what the run did: 8 actions, the same')
    const [made] = parse(readFileSync(join(p.dir, 'evals/c.eval.yaml'), 'utf8')).cases
    expect(made).toMatchObject({ input: ['Hello.', '/disable two', 'More.'], expected: { skills: ['one'] } })
    expect(readFileSync(join(p.dir, 'evals', made.files['data.txt']), 'utf8')).toBe('some data\n')
    const run = p.cli(['run', 'evals/c.eval.yaml', '--json', '--trust-suites'])
    expect(run.code, run.err).toBe(0)
    expect(
      (run.json as RunResult).suites[0]?.cases[0]?.trials[0]?.actions.map(
        ({ action, status }) => `${action} ${status}`,
      ),
    ).toEqual([
      'select_skills ok',
      'read_file ok',
      'write_file ok',
      'final_answer ok',
      'read_file ok',
      'run_script ok',
      'delete_file ok',
      'final_answer ok',
    ])
    const promoted = p.cli(['agent', 'runs', 'promote', 'latest', '--to', 'evals/d.eval.yaml'])
    expect(promoted.code, promoted.err).toBe(0)

    writeFileSync(join(p.dir, 'AGENTS.md'), 'Be long.\n')
    const other = piped(p, 'Again.\n/save-case evals/e.eval.yaml\n', '--continue', ...allow)
    expect(other.err).toMatch(
      /this run makes no case: what the model is told at the start .* changed before its request 3/,
    )
    expect(existsSync(join(p.dir, 'evals/e.eval.yaml'))).toBe(false)
  })

  test('what was disabled stays so in a chat that is gone on with, and the system prompt is the same', () => {
    using p = project({ ...files, 'chat.yaml': '- final_answer: A.\n- final_answer: B.\n' })
    piped(p, 'Hello.\n/disable two\n')
    const before = sessionOf(p.dir)
    expect(before).toMatchObject({ inputs: ['Hello.', '/disable two'], disabled: [{ name: 'two', by: 'user' }] })
    const { err } = piped(p, '/skills\nAgain.\n', '--continue')
    expect(err).toContain('after 1 request\n')
    expect(err).toContain('two (project, disabled)')
    expect(messagesOf(p.dir)[1]).toContain('Disabled by the user: two.')
    expect(sessionOf(p.dir).told.index).toBe(before.told.index)
    expect(before.told.index).toContain('Use it for two.')
    piped(p, 'Once more.\n', '--continue')
    expect(messagesOf(p.dir)[2]).toBe('Once more.')
  })

  test('SIGTERM ends it with 143, and leaves a record', async () => {
    using p = project({
      ...files,
      '.agent/config.json': JSON.stringify({
        model: 'slow',
        models: { slow: { provider: 'mock', params: { latency_ms: 60_000 } } },
      }),
    })
    const { said, ended, kill } = p.start(['agent', 'chat', '--mock', 'chat.yaml', '--record'])
    // Standard input stays open; the project's folder for records is made when all is ready.
    await expect.poll(() => existsSync(join(p.dir, '.agent/runs/.key')), { timeout: 30_000 }).toBe(true)
    expect(said.err).toBe('')
    kill('SIGTERM')
    expect(await ended).toBe(143)
    expect(runsOf(p.dir)).toMatchObject([{ stop: { kind: 'interrupted', message: 'SIGTERM' } }])
  })
})

describe('at a terminal', () => {
  const slow = JSON.stringify({ model: 'slow', models: { slow: { provider: 'mock', params: { latency_ms: 20_000 } } } })
  const chat = (dir: string, steps: readonly PtyStep[], ...args: readonly string[]) =>
    atTerminal(dir, ['chat', '--mock', 'chat.yaml', ...args], steps)
  const ready = '> '
  const quit = { until: ready, type: '/quit\r' }

  test('answers, keeps its history for the owner alone, and finds it again', () => {
    using p = project(files)
    const { code, screen } = chat(p.dir, [
      { until: ready, type: 'Hello.\r' },
      { until: 'First answer.', type: '' },
      { until: ready, type: ' not to be kept\r' },
      { until: 'Second answer.', type: '' },
      quit,
    ])
    expect(code, screen).toBe(0)
    const history = join(p.dir, '.home/.agent/chat-history')
    expect(readFileSync(history, 'utf8')).toBe('Hello.\n/quit\n')
    expect(statSync(history).mode & 0o777).toBe(0o600)
    const up = '\u001b[A'
    chat(p.dir, [{ until: ready, type: `${up}${up}\r` }, { until: 'First answer.', type: '' }, quit], '--continue')
    expect(sessionOf(p.dir).inputs).toEqual(['Hello.', 'not to be kept', 'Hello.'])
  })

  test('completes commands, skills and files, also with letters of other scripts', () => {
    using p = project(files)
    const { screen } = chat(p.dir, [
      { until: ready, type: '/sea\t' },
      { until: '/search ', type: 'another\r' },
      { until: 'two (project)', type: '' },
      { until: ready, type: '/disable tw\t' },
      { until: '/disable two', type: '\r' },
      { until: 'two is disabled', type: '' },
      { until: ready, type: 'Look at daten-g\t' },
      { until: 'daten-größe.txt', type: '\r' },
      { until: 'First answer.', type: '' },
      quit,
    ])
    expect(sessionOf(p.dir).inputs, screen).toEqual(['/disable two', 'Look at daten-größe.txt'])
  })

  test('Ctrl-C ends the request and not the chat', () => {
    using p = project({ ...files, '.agent/config.json': slow })
    const { code, screen } = chat(p.dir, [
      { until: ready, type: 'Hello.\r' },
      { until: 'waiting for the model', type: '\u0003' },
      { until: 'the chat goes on', type: '' },
      { until: ready, type: '/cost\r' },
      { until: '1 answer of the model', type: '' },
      { until: ready, type: '/save-case evals/x.eval.yaml\r' },
      { until: 'this run makes no case', type: '' },
      quit,
    ])
    expect(code, screen).toBe(0)
    expect(runsOf(p.dir)).toMatchObject([{ request: { head: 'Hello.' } }])
  })

  test('Ctrl-C takes back what was begun; twice with nothing written it ends the chat', () => {
    using p = project(files)
    const { code, screen } = chat(p.dir, [
      { until: ready, type: 'never said\u0003' },
      { until: '^C', type: '' },
      { until: ready, type: '\u0003' },
      { until: 'Ctrl-C again', type: '' },
      { until: ready, type: '\u0003' },
    ])
    expect(code, screen).toBe(0)
    expect(existsSync(join(p.dir, '.agent/sessions'))).toBe(false)
    // Nothing was asked: there is nothing to put on record.
    expect(readdirSync(join(p.dir, '.agent/runs')).filter((name) => !name.startsWith('.'))).toEqual([])
  })

  test('Ctrl-D ends it', () => {
    using p = project(files)
    expect(chat(p.dir, [{ until: ready, type: '\u0004' }]).code).toBe(0)
  })

  test('a long paste of many lines is one request, whole', () => {
    using p = project(files)
    const text = Array.from({ length: 1000 }, (_, i) => `line ${i} — größe 漢字 👩‍👩‍👧`).join('\n')
    const { screen } = chat(p.dir, [
      { until: ready, type: `Sum up: \u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~` },
      { until: '[pasted 1: 1,000 lines]', type: ' please\r' },
      { until: 'First answer.', type: '' },
      quit,
    ])
    expect(screen).not.toContain('line 999')
    expect(sessionOf(p.dir).inputs).toEqual([`Sum up: ${text} please`])
  })

  test('a \\ at the end of a line goes on with the next', () => {
    using p = project(files)
    chat(p.dir, [
      { until: ready, type: 'one\\\r' },
      { until: '… ', type: 'two\r' },
      { until: 'First answer.', type: '' },
      quit,
    ])
    expect(sessionOf(p.dir).inputs).toEqual(['one\ntwo'])
  })

  test('asks before what must be asked, and goes on', () => {
    using p = project({
      ...files,
      '.agent/config.json': '{"permissions": {"ask": ["write_file"]}}',
      'chat.yaml': '- write_file: {path: out.txt, content: a}\n- final_answer: Written.\n- final_answer: Well.\n',
    })
    const { code, screen } = chat(p.dir, [
      { until: ready, type: 'Write.\r' },
      { until: 'The agent wants to write_file', type: '' },
      { until: 'Allow it?', type: '\u001b[A\u001b[A\r' },
      { until: 'Written.', type: '' },
      { until: ready, type: 'And?\r' },
      { until: 'Well.', type: '' },
      quit,
    ])
    expect(code, screen).toBe(0)
    expect(readFileSync(join(p.dir, 'out.txt'), 'utf8')).toBe('a')
  })
})

describe.skipIf(!hasScreen)('on a screen', () => {
  const seen = { timeout: 20_000, interval: 100 }

  test('wide letters, the cursor among them, another width of the window, and a paste', async () => {
    using p = project(files)
    using screen = onScreen(p.dir, ['chat', '--mock', 'chat.yaml'], [40, 20])
    const end = () => screen.lines().slice(-3)
    await expect.poll(end, seen).toContain('>')
    screen.type('漢字 größe é 👍 ende')
    await expect.poll(() => end().at(-1), seen).toBe('> 漢字 größe é 👍 ende')
    screen.key('Home', 'Right', 'Right')
    screen.type('X')
    await expect.poll(() => end().at(-1), seen).toBe('> 漢字X größe é 👍 ende')
    screen.key('End')
    screen.type(' und noch mehr漢字漢字漢字漢字')
    await expect.poll(() => end().join(''), seen).toContain('漢字漢字漢字漢字')
    screen.resize(24, 20)
    screen.key('End')
    screen.type('!')
    await expect
      .poll(() => screen.lines().slice(-4).join('').replaceAll(' ', ''), seen)
      .toContain('>漢字Xgrößeé👍endeundnochmehr漢字漢字漢字漢字!')
    screen.resize(80, 20)
    screen.key('C-c')
    await expect.poll(() => end().at(-1), seen).toBe('>')
    screen.paste('one\ntwo\nthree\n')
    await expect.poll(() => end().at(-1), seen).toBe('> [pasted 1: 3 lines]')
    screen.key('Enter')
    await expect.poll(() => screen.lines(), seen).toContain('First answer.')
    await expect.poll(() => sessionsOf(p.dir).length, seen).toBe(1)
    expect(sessionOf(p.dir).inputs).toEqual(['one\ntwo\nthree'])
  })
})
