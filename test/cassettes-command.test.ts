import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  cassetteFile,
  config,
  read,
  recordedCase,
  recordedProject,
  runOf,
  trialsOf,
} from './support/recorded-project.ts'

const more = '  - {id: other, input: x, mock: [{final_answer: ok}]}\n'
const two = () => {
  const p = recordedProject({ 'evals/t.eval.yaml': recordedCase({ more }) })
  p.cli(['run', '--record', 'all'])
  return p
}

test('list names every recording, also as data', () => {
  using p = two()
  const { code, out } = p.cli(['cassettes', 'list'])
  expect(code).toBe(0)
  expect(out).toMatch(/t\/other +m .*\nt\/top +m .*\n+2 recordings\n$/)
  expect(p.cli(['cassettes', 'list', 'top', '--json']).json).toEqual({
    recordings: [
      expect.objectContaining({
        path: cassetteFile,
        suite: 't',
        case: 'top',
        profile: 'm',
        trials: 1,
        turns: 4,
        state: 'ok',
      }),
    ],
  })
})

test('show tells the conversation, and says what is none', () => {
  using p = two()
  expect(p.cli(['cassettes', 'show', 't/top']).out).toMatch(
    /^t\/top on m\n[\s\S]*Which two months were best\?\n[\s\S]*→ run_script[\s\S]*Feb,Mar/,
  )
  expect(p.cli(['cassettes', 'show', 't/top', '--json']).json).toEqual([JSON.parse(read(p, cassetteFile))])
  expect(p.cli(['cassettes', 'show', 'nothing']).code).toBe(2)
  p.write({ [cassetteFile]: '{}' })
  expect(p.cli(['cassettes', 'show', cassetteFile]).code).toBe(2)
})

test('diff says what has changed since, and how two files differ', () => {
  using p = two()
  expect(p.cli(['cassettes', 'diff']).code).toBe(0)
  const old = read(p, cassetteFile)
  p.write({ 'old.json': old, 'new.json': old.replaceAll('Feb and Mar', 'Mar and Feb') })
  expect(p.cli(['cassettes', 'diff', 'old.json', 'old.json']).out).toBe('the same conversation\n')
  const differ = p.cli(['cassettes', 'diff', 'old.json', 'new.json'])
  expect(differ.code).toBe(1)
  expect(differ.out).toContain('Mar and Feb')
  p.write({ 'evals/t.eval.yaml': recordedCase({ input: 'Which?', more }) })
  const stale = p.cli(['cassettes', 'diff', 'top'])
  expect(stale.code).toBe(4)
  expect(stale.out).toContain('input: "Which two months were best?" → "Which?"')
  const { code, json } = p.cli(['cassettes', 'diff', 'top', '--json'])
  expect(code).toBe(4)
  expect(json).toEqual({
    recordings: [
      expect.objectContaining({ path: cassetteFile, state: 'stale', reason: expect.stringContaining('input') }),
    ],
  })
  expect(p.cli(['cassettes', 'diff', 'old.json', 'old.json', '--json']).json).toEqual({ same: true, diff: '' })
  expect(p.cli(['cassettes', 'diff', 'old.json', 'new.json', '--json']).json).toEqual({
    same: false,
    diff: expect.stringMatching(/^--- old\.json\n\+\+\+ new\.json\n[\s\S]*^\+ +→ final_answer "Mar and Feb"$/m),
  })
})

test('verify tells orphans, misplaced files and trials that others outweigh; it writes nothing', () => {
  using p = two()
  const before = JSON.stringify([existsSync(join(p.dir, 'reports/latest')), read(p, 'reports/latest/run.json')])
  expect(p.cli(['cassettes', 'verify']).out).toBe('2 recordings: 2 ok\n')
  expect(JSON.stringify([existsSync(join(p.dir, 'reports/latest')), read(p, 'reports/latest/run.json')])).toBe(before)
  const cassette = JSON.parse(read(p, cassetteFile))
  const [trial] = cassette.trials
  const wrong = structuredClone(trial)
  wrong.turns[0].request.input = '0123456789abcdef'
  p.write({
    [cassetteFile]: JSON.stringify({ ...cassette, trials: [trial, wrong, trial] }),
    'evals/t.eval.yaml': recordedCase({ more }).replace('id: top\n', 'id: top\n    pass_threshold: 0.5\n'),
    'recordings/t/gone/m.json': JSON.stringify({ ...cassette, case: 'gone' }),
    'recordings/elsewhere.json': JSON.stringify(cassette),
  })
  const { code, json } = p.cli(['cassettes', 'verify', '--json'])
  expect(code).toBe(1)
  const { recordings } = json as { recordings: { path: string; state: string }[] }
  expect(Object.fromEntries(recordings.map(({ path, state }) => [path, state]))).toEqual({
    'recordings/elsewhere.json': 'orphan',
    'recordings/t/gone/m.json': 'orphan',
    'recordings/t/other/m.json': 'ok',
    [cassetteFile]: 'stale',
  })
})

test('a skill whose name sounds like a secret is no leak', () => {
  using p = recordedProject({
    'skills/token-counter/SKILL.md': '---\nname: token-counter\ndescription: Counts. Use to count.\n---\n\nCount.\n',
    'evals/t.eval.yaml': recordedCase().replaceAll(
      'select_skills: csv-analyzer',
      'select_skills: [csv-analyzer, token-counter]',
    ),
  })
  p.cli(['run', '--record', 'all'])
  expect(read(p, cassetteFile)).toMatch(/"body:token-counter": "/)
  expect(p.cli(['cassettes', 'verify']).out).toBe('1 recording: 1 ok\n')
})

test('prune deletes the recordings of cases that are no more, and asks first', () => {
  using p = two()
  p.write({ 'evals/t.eval.yaml': recordedCase() })
  expect(p.cli(['cassettes', 'prune']).code).toBe(2)
  expect(existsSync(join(p.dir, 'recordings/t/other/m.json'))).toBe(true)
  expect(p.cli(['cassettes', 'prune', '--yes', '--json']).json).toEqual({ deleted: ['recordings/t/other/m.json'] })
  expect(existsSync(join(p.dir, 'recordings/t/other/m.json'))).toBe(false)
  expect(existsSync(join(p.dir, cassetteFile))).toBe(true)
  expect(p.cli(['cassettes', 'prune']).out).toBe('0 deleted\n')
})

/** Writes the kinds of sockets and look-ups that the process opened to sockets.txt when it ends. */
const watcher = `const { appendFileSync } = require('node:fs')
const seen = new Set()
require('node:async_hooks').createHook({ init: (_, type) => {
  if (/^(TCP|UDP|GETADDRINFO|GETNAMEINFO|QUERY|TLS)/.test(type)) seen.add(type)
} }).enable()
process.on('exit', () => appendFileSync(__dirname + '/sockets.txt', [...seen].join(' ') + '\\n'))
`

test('a replay opens no socket, also where the recorded agent used the network', async () => {
  const server = createServer((_, response) => response.end('Mar 1200'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  using p = recordedProject({
    'watch.cjs': watcher,
    '.agent/config.json': config({ permissions: { allow: ['network_request(127.0.0.1)'] } }),
    'evals/t.eval.yaml': `name: t
skills: []
model: m
cases:
  - {id: net, input: x, mock: [{network_request: "${url}"}, {final_answer: ok}]}
`,
  })
  const watched = join(p.dir, 'watch.cjs')
  const run = async (mode: string) => {
    p.write({ 'sockets.txt': '' })
    const { ended, said } = p.start(['run', '--record', mode], { NODE_OPTIONS: `--require ${watched}` })
    return { code: await ended, sockets: read(p, 'sockets.txt').trim(), said }
  }
  expect(await run('all')).toMatchObject({ code: 0, sockets: expect.stringContaining('TCP') })
  await once(server.close(), 'close')
  expect(await run('replay')).toMatchObject({ code: 0, sockets: '' })
  expect(trialsOf(p)[0]?.actions[0]?.observation).toContain('Mar 1200')
  expect(runOf(p).summary.stale).toBe(0)
}, 60_000)
