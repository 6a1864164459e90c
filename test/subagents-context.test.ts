import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentEventSchema } from '../src/schema/agent-event.ts'
import { pack, project, skill } from './support/cli.ts'
import { config, filesBelow, read, runOf, trialsOf } from './support/recorded-project.ts'

type Project = ReturnType<typeof project>

const finder = (body = 'Look things up.') =>
  `---\nname: finder\ndescription: Looks things up in notes. Use for notes.\nrun-mode: subagent\nallowed-tools: Read\n---\n${body}\n`

const suite = (change: { readonly mock?: string; readonly note?: string; readonly more?: string } = {}) => `name: t
skills: [../skills]
model: m
cases:
  - id: why
    input: Why was March weak?
    files: {note.md: {text: "${change.note ?? 'March: the shop was down.'}"}}
    mock: ${
      change.mock ??
      `
      turns:
        - select_skills: {skills: [finder], task: "What of March?"}
        - final_answer: The shop was down.
      subagents:
        finder:
          - - read_file: note.md
            - write_file: {path: x.md, content: x}
          - final_answer: The shop was down.`
    }
    expected: {skills: [finder], actions: {exactly: [select_skills], subagents: {finder: {in_order: [read_file]}}}}
${change.more ?? ''}`

const files = {
  ...pack,
  'skills/finder/SKILL.md': finder(),
  'evals/t.eval.yaml': suite(),
  '.agent/config.json': config(),
}

const record = (p: Project) => p.cli(['run', '--record', 'all'])
const replay = (p: Project) => p.cli(['run', '--record', 'replay'])
const reasonOf = (p: Project) => runOf(p).suites[0]?.cases[0]?.trials[0]?.reason

describe('a skill that runs on its own', () => {
  test('has its actions in every report, and what it spent is the trial’s', () => {
    using p = project(files)
    expect(p.cli(['run']).code).toBe(0)
    const [trial] = trialsOf(p)
    expect(trial?.actions.map(({ action }) => action)).toEqual(['select_skills', 'final_answer'])
    expect(trial?.actions[0]).toMatchObject({
      observation: 'finder answered:\n\nThe shop was down.',
      subagents: [{ skill: 'finder', turns: 2, stop: 'answered' }],
      actions: [
        { agent: 'finder', turn: 1, action: 'read_file', status: 'ok' },
        { agent: 'finder', turn: 1, action: 'write_file', status: 'denied' },
        { agent: 'finder', turn: 2, action: 'final_answer' },
      ],
    })
    const spent = trial?.actions[0]?.subagents?.[0]?.usage.input_tokens ?? 0
    expect(spent).toBeGreaterThan(0)
    expect(trial?.usage.input_tokens).toBeGreaterThan(spent)
    expect(runOf(p).summary.actions).toEqual({ final_answer: 2, read_file: 1, select_skills: 1, write_file: 1 })
    expect(read(p, 'reports/latest/junit.xml')).toContain('finder: 1 read_file note.md')
  })

  test('is shown where the case fails, and what may never happen may not happen in it', () => {
    using p = project({
      ...files,
      'evals/t.eval.yaml': suite().replace('exactly: [select_skills]', 'never: [write_file], exactly: [select_skills]'),
    })
    const { code, out } = p.cli(['run'])
    expect(code).toBe(1)
    expect(out).toContain('never: write_file')
    expect(out).toContain('finder: write_file x.md')
  })

  test('is recorded and replayed with the rest, and needs no script then', () => {
    using p = project(files)
    expect(record(p).code).toBe(0)
    const cassette = JSON.parse(read(p, 'recordings/t/why/m.json'))
    expect(
      cassette.trials[0].turns.map((turn: { agent?: string; request: object }) => [
        turn.agent,
        Object.keys(turn.request).at(-1),
      ]),
    ).toEqual([
      [undefined, 'input'],
      ['finder', 'input:finder'],
      ['finder', 'observation:finder/2'],
      [undefined, 'observation:1'],
    ])
    expect(p.cli(['cassettes', 'show', 't/why']).out).toContain('answer 2 to finder of mock')
    p.write({ 'evals/t.eval.yaml': suite({ mock: '[]' }) })
    expect(replay(p).code).toBe(0)
    expect(trialsOf(p)[0]?.cassette).toMatchObject({ mode: 'replay', stale_parts: [] })
  })

  test.each([
    ['its instructions', { 'skills/finder/SKILL.md': finder('Look harder.') }, 'body:finder', 'body of finder'],
    [
      'what it saw',
      { 'evals/t.eval.yaml': suite({ note: 'March: the shop was shut.' }) },
      'observation:finder/1',
      'observation finder/1 (note.md)',
    ],
  ])('is stale by the name of what changed: %s', (_, change, part, told) => {
    using p = project(files)
    record(p)
    p.write(change)
    expect(replay(p).code).toBe(4)
    expect(trialsOf(p)[0]?.cassette?.stale_parts).toEqual([part])
    expect(reasonOf(p)).toContain(told)
  })

  test('can be switched off, and is held to its share, by the configuration', () => {
    using p = project({ ...files, '.agent/config.json': config({ limits: { subagent_depth: 0 } }) })
    expect(p.cli(['run']).code).toBe(1)
    expect(trialsOf(p)[0]?.actions[0]).toMatchObject({
      status: 'error',
      observation: expect.stringContaining('here no skill may'),
    })
    p.write({ '.agent/config.json': config({ limits: { subagent_share: 0.1, max_turns: 12 } }) })
    p.cli(['run'])
    expect(trialsOf(p)[0]?.actions[0]?.subagents).toMatchObject([{ turns: 1, stop: 'max_turns' }])
  })

  test('is told by an agent run as it ends, in lines and as events', () => {
    using p = project({
      '.agent/skills/finder/SKILL.md': finder(),
      'note.md': 'March: the shop was down.',
      'mock.yaml':
        'turns: [{select_skills: finder}, {final_answer: Done.}]\nsubagents: {finder: [{read_file: note.md}, {final_answer: Down.}]}\n',
    })
    const run = ['agent', 'run', 'why?', '--mock', 'mock.yaml']
    const { err } = p.cli(run)
    expect(err).toMatch(/^ {2}finder: 1\. runs on its own: why\?\n {2}finder: 1\. mock: /m)
    expect(err).toMatch(/^ {2}finder: 1\. read_file note\.md {2}allow \(.*\) {2}ok$/m)
    const events = p
      .cli([...run, '--events'])
      .out.trim()
      .split('\n')
      .map((line) => agentEventSchema.parse(JSON.parse(line)))
    expect(events).toContainEqual({ type: 'subagent', turn: 1, skill: 'finder', task: 'why?' })
    expect(events.flatMap((event) => (event.type === 'action' && event.parent ? [event.record.action] : []))).toEqual([
      'read_file',
      'final_answer',
    ])
  })

  test('is in the record of an agent run with the rules that decided', () => {
    using p = project({
      '.agent/skills/finder/SKILL.md': finder(),
      'note.md': 'March: the shop was down.',
      'mock.yaml':
        'turns: [{select_skills: finder}, {final_answer: Done.}]\nsubagents: {finder: [{read_file: note.md}, {final_answer: Down.}]}\n',
    })
    const told = p.cli(['agent', 'run', 'why?', '--mock', 'mock.yaml', '--json'])
    expect(told.json).toMatchObject({ actions: [{ action: 'select_skills', actions: [{ agent: 'finder' }, {}] }, {}] })
    expect(p.cli(['agent', 'runs', 'show', '--json']).json).toMatchObject({
      skills: [{ name: 'finder', by: 'model' }],
      actions: [
        {
          action: 'select_skills',
          subagents: [{ skill: 'finder', turns: 2, stop: 'answered' }],
          actions: [{ agent: 'finder', action: 'read_file', verdict: 'allow', rule: expect.any(String) }, {}],
        },
        { action: 'final_answer' },
      ],
    })
    expect(p.cli(['agent', 'runs', 'show']).out).toContain('    finder: 1 read_file note.md')
  })
})

const longSuite = (more = '') => `name: t
skills: [../skills]
model: m
cases:
  - id: long
    input: [Read it all, And again]
    files: {a.txt: {text: "${'some words in a row '.repeat(150)}"}}
    mock: [{select_skills: csv-analyzer}, ${'{read_file: a.txt}, '.repeat(8)} {run_script: {skill: csv-analyzer, path: scripts/where.sh}}, {final_answer: One.}, {final_answer: Two.}]
    expected: {output: [{equals: Two.}]}
${more}`

describe('a long conversation', () => {
  const longFiles = {
    ...pack,
    'skills/csv-analyzer/scripts/where.sh': '#!/usr/bin/env bash\npwd\necho "$SKILL_DIR"\n',
    'evals/t.eval.yaml': longSuite('    agent: {context_tokens: 5000}\n'),
    '.agent/config.json': config(),
  }

  test('is shortened in the same way when it is replayed, also in another folder', () => {
    using p = project(longFiles)
    expect(record(p).code).toBe(0)
    const cassette = JSON.parse(read(p, 'recordings/t/long/m.json'))
    const notes = cassette.trials[0].turns.flatMap(({ messages }: { messages: { part: string; text: string }[] }) =>
      messages.filter(({ part }) => part.startsWith('context:')),
    )
    expect(notes.length).toBeGreaterThan(0)
    expect(notes[0].text).toMatch(/earlier rounds? (was|were) left out[\s\S]*- read_file a\.txt/)
    p.write({ 'evals/t.eval.yaml': longSuite('    agent: {context_tokens: 5000}\n').replace(/mock: .*/, 'mock: []') })
    expect(replay(p).code).toBe(0)
    using q = project()
    const elsewhere = join(q.dir, 'a-much-longer-name-of-a-folder/'.repeat(6))
    cpSync(p.dir, elsewhere, { recursive: true })
    expect(p.cli(['run', '--record', 'replay', '-C', elsewhere]).code).toBe(0)
  })

  test('is not begun where one input alone is over what was set, in a case and in an agent run', () => {
    const input = 'Look at this. '.repeat(500)
    const text = (more: string) =>
      `name: t\nskills: [../skills]\nmodel: m\ncases:\n  - {id: a, input: ${input.trim()}, mock: [{final_answer: Done.}]${more}}\n`
    using p = project({ ...pack, '.agent/config.json': config(), 'evals/t.eval.yaml': text('') })
    expect(p.cli(['run']).code).toBe(0)
    p.write({ 'evals/t.eval.yaml': text(', agent: {context_tokens: 1000}') })
    expect(p.cli(['run']).code).toBe(3)
    expect(trialsOf(p)[0]).toMatchObject({
      status: 'error',
      error: { code: 'input_too_long', message: expect.stringContaining('context_tokens is 1,000') },
      actions: [],
    })
    p.write({ 'input.txt': input, 'mock.yaml': '[{final_answer: Done.}]' })
    const run = ['agent', 'run', '--prompt-file', 'input.txt', '--mock', 'mock.yaml']
    expect(p.cli(run)).toMatchObject({ code: 0, out: 'Done.\n' })
    p.write({ '.agent/config.json': config({ limits: { context_tokens: 1000 } }) })
    expect(p.cli(run)).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringMatching(
        /^error: the input has about [\d,]+ tokens, and context_tokens is 1,000: nothing was/m,
      ),
    })
  })

  test('is stale where the case says to leave out more, by that name alone', () => {
    using p = project(longFiles)
    record(p)
    p.write({ 'evals/t.eval.yaml': longSuite('    agent: {context_tokens: 4000}\n') })
    expect(replay(p).code).toBe(4)
    expect(trialsOf(p)[0]?.cassette?.stale_parts).toEqual(['context:1'])
    expect(reasonOf(p)).toContain('what is left out of the conversation')
  })

  test('is shortened where the configuration says so, and never by default', () => {
    using p = project({ ...longFiles, 'evals/t.eval.yaml': longSuite() })
    const tokens = () => {
      expect(p.cli(['run']).code).toBe(0)
      return runOf(p).summary.usage.input_tokens ?? 0
    }
    const whole = tokens()
    p.write({ '.agent/config.json': config({ limits: { context_tokens: 5000 } }) })
    expect(tokens()).toBeLessThan(whole * 0.9)
  })
})

describe('200 skills', () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [
      `skills/skill-${n}/SKILL.md`,
      skill(
        `skill-${n}`,
        `${'Does some kind of work with some kind of file. '.repeat(8)}Use for number ${n}.`,
        'x\n'.repeat(4000),
      ),
    ]),
  )
  const resources = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`skills/skill-${n}/references/a.md`, 'A.\n']),
  )
  /** Notes each file that is opened, and how many bytes of it are read. */
  const watcher = `const fs = require('node:fs')
const paths = new Map()
const read = {}
const add = (path, bytes) => { (read[path] ??= []).push(bytes) }
const { openSync, readSync, readFileSync, closeSync } = fs
fs.openSync = (path, ...rest) => { const file = openSync(path, ...rest); paths.set(file, String(path)); return file }
fs.readSync = (file, ...rest) => { const bytes = readSync(file, ...rest); if (paths.has(file)) add(paths.get(file), bytes); return bytes }
fs.readFileSync = (path, ...rest) => { const data = readFileSync(path, ...rest); add(paths.get(path) ?? String(path), data.length); return data }
fs.closeSync = (file) => { paths.delete(file); return closeSync(file) }
for (const name of ['readFile', 'open', 'createReadStream']) {
  const real = fs[name]
  fs[name] = (path, ...rest) => { add(String(path), -1); return real(path, ...rest) }
}
require('node:module').syncBuiltinESMExports()
process.on('exit', () => fs.writeFileSync(__dirname + '/read.json', JSON.stringify(read)))
`
  test('are read to their frontmatter and no further, but for the one that is selected', () => {
    using p = project({
      ...many,
      ...resources,
      'watch.cjs': watcher,
      '.agent/config.json': config({ skills: { roots: ['skills'] } }),
      'mock.yaml': '[{search_skills: number}, {select_skills: skill-8}, {list_dir: skills}, {final_answer: Done.}]',
    })
    const { code, err } = p.cli(['agent', 'run', 'x', '--mock', 'mock.yaml'], {
      NODE_OPTIONS: `--require ${join(p.dir, 'watch.cjs')}`,
    })
    expect(code).toBe(0)
    expect(err).toContain('the index of skills is longer than 8000 tokens, so descriptions are cut to')
    const seen = JSON.parse(readFileSync(join(p.dir, 'read.json'), 'utf8')) as Record<string, number[]>
    const skills = Object.entries(seen).filter(([path]) => path.startsWith(join(p.dir, 'skills')))
    const beyond = skills.filter(([, reads]) => reads.length > 1 || (reads[0] ?? 0) < 0 || (reads[0] ?? 0) > 4096)
    expect(skills).toHaveLength(200)
    expect(beyond.map(([path]) => path)).toEqual([join(p.dir, 'skills/skill-8/SKILL.md')])
  })

  test('have an index within its budget, which says what was cut, and so does the run', () => {
    using p = project({
      ...many,
      '.agent/config.json': config(),
      'evals/t.eval.yaml':
        'name: t\nskills: [../skills]\nmodel: m\ncases:\n  - {id: a, input: x, mock: [{final_answer: Done.}]}\n',
    })
    const inputTokens = (): number => {
      expect(p.cli(['run', '--json']).code).toBe(0)
      return runOf(p).summary.usage.input_tokens ?? 0
    }
    p.write({ '.agent/config.json': config({ limits: { index_tokens: 100_000 } }) })
    const whole = inputTokens()
    p.write({ '.agent/config.json': config() })
    const cut = inputTokens()
    expect(whole - cut).toBeGreaterThan(5_000)
    p.write({ '.agent/config.json': config({ limits: { index_tokens: 300 } }) })
    const least = inputTokens()
    expect(cut - least).toBeGreaterThan(7_000)
    expect(p.cli(['run']).err).toMatch(/warning\[skill\/index-cut\] [\s\S]*it has names alone, \d+ of 200/)
    p.write({ 'mock.yaml': '[{final_answer: Done.}]', '.agent/config.json': config({ skills: { roots: ['skills'] } }) })
    expect(p.cli(['agent', 'run', 'x', '--mock', 'mock.yaml']).err).toContain('longer than 8000 tokens')
  })
})

describe('AGENTS.md', () => {
  const rules = (text: string) => [{ final_answer: text }]
  const tokensOf = (p: Project, args: readonly string[] = []): number => {
    const { json } = p.cli(['agent', 'run', 'x', '--mock', 'mock.json', '--json', ...args])
    return (json as { usage: { input_tokens: number } }).usage.input_tokens
  }

  test('stands before the model in an agent run, unless the configuration says no', () => {
    using p = project({ 'mock.json': JSON.stringify(rules('Hi.')), '.agent/config.json': '{}' })
    const without = tokensOf(p)
    p.write({ 'AGENTS.md': 'Speak low and in plain words to whoever asks. '.repeat(50) })
    expect(tokensOf(p) - without).toBeGreaterThan(300)
    p.write({ '.agent/config.json': '{"agents_md": false}' })
    expect(tokensOf(p)).toBe(without)
  })

  test('is no part of an eval, but that of its own workspace where the case says so', () => {
    const text = (more: string) =>
      `name: t\nskills: [../skills]\nmodel: m\ncases:\n  - {id: a, input: x, mock: [{final_answer: Hi.}], files: {AGENTS.md: {text: "Whisper."}}${more}}\n`
    using p = project({ ...pack, '.agent/config.json': config(), 'evals/t.eval.yaml': text('') })
    const tokens = () => {
      expect(p.cli(['run']).code).toBe(0)
      return runOf(p).summary.usage.input_tokens ?? 0
    }
    const plain = tokens()
    p.write({ 'AGENTS.md': 'Of the project. '.repeat(100) })
    expect(tokens()).toBe(plain)
    p.write({ 'evals/t.eval.yaml': text(', agent: {agents_md: true}') })
    expect(tokens()).toBeGreaterThan(plain)
    expect(tokens()).toBeLessThan(plain + 120)
    expect(record(p).code).toBe(0)
    p.write({ 'evals/t.eval.yaml': text(', agent: {agents_md: true}').replace('Whisper.', 'Shout.') })
    expect(replay(p).code).toBe(4)
    expect(trialsOf(p)[0]?.cassette?.stale_parts).toEqual(['system'])
    expect(filesBelow(p, 'recordings')).toHaveLength(1)
  })
})
