import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { project, skill } from './support/cli.ts'
import { filesBelow, read } from './support/recorded-project.ts'

type Project = ReturnType<typeof project>

const script = (text: string): string => `#!/usr/bin/env bash\n${text}\n`
const config = (more: object = {}): string => JSON.stringify({ permissions: { allow: ['run_script'] }, ...more })
const files = (scripts: Readonly<Record<string, string>>, turns: string) => ({
  '.agent/config.json': config(),
  '.agent/skills/gen/SKILL.md': skill('gen', 'Makes reports.'),
  ...Object.fromEntries(
    Object.entries(scripts).map(([name, text]) => [`.agent/skills/gen/scripts/${name}`, script(text)]),
  ),
  'turns.yaml': turns,
})
const suite = 'evals/s.eval.yaml'
const save = (p: Project, ...more: readonly string[]) =>
  p.cli(['agent', 'run', 'Do it.', '--mock', 'turns.yaml', '--save-case', suite, ...more])
const made = (p: Project) => parse(read(p, suite)).cases.at(-1)

describe('the files of a saved case', () => {
  test('are none that its own script made: where the script makes them no more, the case fails', () => {
    const turns = `- select_skills: gen
- run_script: {skill: gen, path: scripts/gen.sh}
- [{list_dir: .}, {read_file: report.md}, {list_dir: out}]
- final_answer: ok
`
    using p = project(files({ 'gen.sh': 'mkdir out && echo "total 7" | tee out/x.txt > report.md' }, turns))
    const saved = save(p)
    expect({ ...saved, json: '' }).toMatchObject({ code: 0, err: expect.stringContaining('6 actions, the same') })
    expect(Object.keys(made(p).files)).toEqual(['turns.yaml'])
    expect(p.cli(['run', suite]).code).toBe(0)
    p.write({ '.agent/skills/gen/scripts/gen.sh': script('echo "total 7"') })
    expect(p.cli(['run', suite])).toMatchObject({ code: 1, out: expect.stringContaining('read_file') })
  })

  test('are as they were before a script that changed or moved them, though nobody had read them', () => {
    const turns = `- select_skills: gen
- [{run_script: {skill: gen, path: scripts/sed.sh}}, {run_script: {skill: gen, path: scripts/mv.sh, args: [notes, moved]}}]
- [{read_file: data.txt}, {read_file: moved/a.md}]
- final_answer: ok
`
    using p = project({
      ...files({ 'sed.sh': 'grep -q one data.txt && echo two > data.txt', 'mv.sh': 'mv "$1" "$2"' }, turns),
      'data.txt': 'one\n',
      'notes/a.md': 'a\n',
      'notes/b.md': 'b\n',
    })
    const saved = save(p)
    expect(saved.code, saved.err).toBe(0)
    const laid = made(p).files
    expect(Object.keys(laid)).toEqual(['data.txt', 'notes/a.md', 'notes/b.md'])
    expect(read(p, `evals/${laid['data.txt']}`)).toBe('one\n')
  })

  test('are those in which a search found something, not all that lie about, and what is left out is summed', () => {
    const others = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`node_modules/m${i}/index.js`, i < 30 ? 'here\n' : 'x\n']),
    )
    const git = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`.git/objects/o${i}`, 'here\n']))
    using p = project({
      ...files({}, '- grep: {pattern: here, path: .}\n- final_answer: ok\n'),
      ...others,
      ...git,
      'src/a.ts': 'here\n',
      'src/b.ts': 'there is none\n',
    })
    const saved = save(p)
    expect(saved.code, saved.err).toBe(0)
    expect(saved.err.split('\n').length).toBeLessThan(15)
    expect(saved.err).toContain(
      'warning: 60 files of .git/ are not among its files: it belongs to the configuration or to version control',
    )
    expect(Object.keys(made(p).files)).toEqual(expect.arrayContaining(['src/a.ts', 'src/b.ts']))
  })
})

test('paths with characters of patterns are matched by what is expected of them', () => {
  const names = ['app/[id]/page.tsx', 'st*r.txt', '{{n}}.txt', 'a?.txt', '{a,b}.txt']
  const quoted = names.map((name) => JSON.stringify(name))
  const turns = `- [${quoted.map((name) => `{read_file: ${name}}`).join(', ')}]
- [${quoted.map((name) => `{write_file: {path: ${name}, content: new}}`).join(', ')}]
- delete_file: "st*r.txt"
- final_answer: ok
`
  using p = project({
    ...files({}, turns),
    ...Object.fromEntries(names.map((name) => [name, 'old\n'])),
    'star.txt': 's',
  })
  const saved = save(p, '--allow', 'write_file', '--allow', 'delete_file')
  expect({ ...saved, json: '' }).toMatchObject({ code: 0, err: expect.stringContaining('12 actions, the same') })
  expect(p.cli(['run', suite, '--trust-suites']).code).toBe(0)
})

test('a case is not the same where only a skill that ran on its own did otherwise', () => {
  using p = project({
    ...files({ 'check.sh': 'cat node_modules/x' }, ''),
    '.agent/skills/gen/SKILL.md': skill('gen', 'Makes reports.').replace('\n---\n\n', '\nrun-mode: subagent\n---\n\n'),
    'turns.yaml': `turns:
  - select_skills: {skills: [gen], task: Do it.}
  - final_answer: done
subagents:
  gen:
    - run_script: {skill: gen, path: scripts/check.sh}
    - final_answer: done
`,
    'node_modules/x': 'x\n',
  })
  const { code, err } = save(p)
  expect({ code, err }).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      'it does not do what the run did: action 1.1 was run_script ok in the run, and is run_script error',
    ),
  })
})

test('a case of few words is written in lines, its comments above what they are about', () => {
  using p = project(files({}, '- final_answer: ok\n'))
  expect(save(p).code).toBe(0)
  expect(read(p, suite).replace(/agent run \S+\./, 'agent run R.')).toBe(`model: mock
cases:
  # From the agent run R. What is expected is what happened: look at it, then delete \`unreviewed\`.
  - id: do-it
    input: Do it.
    permissions: {deny: [write_file]}
    mock: [{final_answer: ok}]
    unreviewed: [skills, output]
    expected:
      # seen in the run, not reviewed
      skills: []
      # seen in the run, not reviewed
      output: [{contains: ok}]
`)
})

test('a case of a run that was shortened is shortened without the configuration too', () => {
  const turns = `${'- read_file: long.txt\n'.repeat(6)}- final_answer: ok\n`
  using p = project({
    ...files({}, turns),
    'long.txt': 'many words of a file that is long\n'.repeat(400),
    '.agent/config.json': config({ limits: { context_tokens: 5000 } }),
  })
  const saved = save(p)
  expect(saved.code, saved.err).toBe(0)
  expect(made(p).agent).toEqual({ context_tokens: 5000 })
})

describe('where a case can not be saved, nothing of it is left', () => {
  const turns = '- read_file: data.txt\n- final_answer: ok\n'
  const recorded = () => {
    const p = project({ ...files({}, turns), 'data.txt': 'one\n', 'evals/other.md': 'x' })
    p.write({ '.agent/config.json': config({ models: { gone: { provider: 'mock' } } }) })
    p.cli(['agent', 'run', 'Do it.', '--model', 'gone', '--mock', 'turns.yaml', '--record'])
    return p
  }
  const promote = (p: Project) => p.cli(['agent', 'runs', 'promote', 'latest', '--to', suite])

  test('without the model profile of the run', () => {
    using p = recorded()
    p.write({ '.agent/config.json': config() })
    expect(promote(p)).toMatchObject({ code: 2, err: expect.stringContaining('no model profile "gone"') })
    expect(filesBelow(p, 'evals')).toEqual(['evals/other.md'])
    expect(readdirSync(join(p.dir, 'evals'))).toEqual(['other.md'])
  })

  test('where the folder of the fixtures is a link that leads outside', () => {
    using p = recorded()
    const outside = mkdtempSync(join(tmpdir(), 'skills-eval-outside-'))
    try {
      symlinkSync(outside, join(p.dir, 'evals/fixtures'))
      expect(promote(p)).toMatchObject({ code: 2, err: expect.stringContaining('is a link that leads to') })
      expect(readdirSync(outside)).toEqual([])
      expect(existsSync(join(p.dir, suite))).toBe(false)
    } finally {
      rmSync(outside, { recursive: true })
    }
  })

  test('where something of it can not be written', () => {
    using p = recorded()
    writeFileSync(join(p.dir, 'evals/fixtures'), 'a file')
    expect(promote(p).code).not.toBe(0)
    expect(filesBelow(p, 'evals')).toEqual(['evals/fixtures', 'evals/other.md'])
    rmSync(join(p.dir, 'evals/fixtures'))
    expect(promote(p).code).toBe(0)
    expect(made(p).id).toBe('do-it')
  })

  test('nor does a suite that is there change where the case can not be tried', () => {
    using p = recorded()
    const old = 'model: mock\ncases:\n  - {id: a, input: b, mock: [c], files: {x.txt: gone.txt}}\n'
    p.write({ [suite]: old })
    const { code, err } = p.cli(['agent', 'runs', 'promote', 'latest', '--to', suite])
    expect(code, err).toBe(2)
    expect(read(p, suite)).toBe(old)
    expect(readFileSync(join(p.dir, 'data.txt'), 'utf8')).toBe('one\n')
    expect(existsSync(join(p.dir, 'evals/fixtures'))).toBe(false)
  })
})
