import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project, root, skill } from './support/cli.ts'

const program = join(root, 'dist/skills-eval.cjs')

type Told = {
  readonly stop: { readonly kind: string; readonly code?: string }
  readonly output: string | null
  readonly actions: readonly { readonly action: string; readonly status: string; readonly observation: string }[]
}

const files = {
  '.agent/skills/one/SKILL.md': skill('one', 'Does one thing. Use it for one.', '# One\n\nThe body of one.\n'),
  '.agent/skills/one/note.md': 'The note of one.\n',
  '.agent/skills/one/scripts/say.sh': '#!/usr/bin/env bash\necho "said $1"\n',
  '.agent/skills/two/SKILL.md': skill('two', 'Does another. Use it for two.'),
  '.agent/skills/two/note.md': 'The note of two.\n',
  'data.txt': 'some data\n',
  'answers.yaml': '- read_file: data.txt\n- final_answer: "It says: \\e[31msome data"\n',
}
const run = (p: ReturnType<typeof project>, ...args: readonly string[]) =>
  p.cli(['agent', 'run', 'look', 'at', 'it', ...args])

describe('agent run', () => {
  test('prints the answer on stdout, made visible, and what was done on stderr', () => {
    using p = project(files)
    const { code, out, err } = run(p, '--mock', 'answers.yaml')
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'It says: \\x1b[31msome data\n',
      err: expect.any(String),
    })
    expect(err.replaceAll(/[\d,]+ (tokens in|out)/g, 'N $1').split('\n')).toEqual([
      '1. mock: N tokens in, N out, $0 so far',
      '1. read_file data.txt  allow (default: allow read_file)  ok',
      '2. mock: N tokens in, N out, $0 so far',
      '2. final_answer  ok',
      '',
    ])
    expect(run(p, '--mock', 'answers.yaml', '-q').err).toBe('')
  })

  test('says in a line why an action did not do what it should, here and in the record', () => {
    using p = project({
      ...files,
      '.agent/skills/reader/SKILL.md': '---\nname: reader\ndescription: Reads.\nallowed-tools: Read\n---\n\n# Read\n',
      'fails.yaml': `- select_skills: reader
- read_file: no-data.txt
- write_file: {path: out.txt, content: x}
- final_answer: done
`,
    })
    const { err } = run(p, '--mock', 'fails.yaml')
    const told = err.split('\n').filter((line) => !/tokens in/.test(line))
    expect(told).toEqual([
      '1. skill reader (project), chosen by the model',
      '1. select_skills reader  ok',
      expect.stringMatching(/^2\. read_file no-data\.txt {2}allow \(.*\) {2}error: .*no-data\.txt/),
      '3. write_file out.txt  deny (skill reader: allowed-tools (Read) does not cover it)  denied',
      '4. final_answer  ok',
      // No grant would open what the skill closes.
      '',
    ])
    const shown = p.cli(['agent', 'runs', 'show']).out
    expect(shown).toMatch(/ read_file no-data\.txt → error, .*\n {6}no-data\.txt does not exist\n/)
  })

  test('--json prints everything as data and nothing else', () => {
    using p = project(files)
    const { code, err, json } = run(p, '--mock', 'answers.yaml', '--json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(json).toMatchObject({
      stop: { kind: 'answered' },
      output: 'It says: \u001b[31msome data',
      actions: [
        { action: 'read_file', status: 'ok', observation: 'some data\n' },
        { action: 'final_answer', status: 'ok' },
      ],
      cost_usd: 0,
    })
  })

  test('only reads, unless the configuration allows more', () => {
    using p = project({
      ...files,
      'work.yaml': `- select_skills: one
- run_script: {skill: one, path: scripts/say.sh, args: [hello]}
- write_file: {path: out.txt, content: written}
- delete_file: data.txt
- final_answer: done
`,
    })
    const statuses = () => (run(p, '--mock', 'work.yaml', '--json').json as Told).actions.map(({ status }) => status)
    expect(statuses()).toEqual(['ok', 'denied', 'denied', 'denied', 'ok'])
    expect(existsSync(join(p.dir, 'out.txt'))).toBe(false)
    p.write({ '.agent/config.json': '{"permissions": {"allow": ["run_script", "write_file(out.txt)"]}}' })
    expect(statuses()).toEqual(['ok', 'ok', 'ok', 'denied', 'ok'])
    expect(readFileSync(join(p.dir, 'out.txt'), 'utf8')).toBe('written')
    expect(existsSync(join(p.dir, 'data.txt'))).toBe(true)
  })

  test('what is denied stays denied, whatever else is allowed', () => {
    using p = project({
      ...files,
      '.agent/config.json':
        '{"permissions": {"allow": ["write_file(**/*.txt)", "run_script"], "deny": ["write_file(secret/**)"]}}',
      'work.yaml': `- [{write_file: {path: secret/a.txt, content: a}}, {write_file: {path: b.txt, content: b}}]
- final_answer: done
`,
    })
    const { actions } = run(p, '--mock', 'work.yaml', '--json').json as Told
    expect(actions.map(({ status }) => status)).toEqual(['denied', 'ok', 'ok'])
    expect(actions[0]?.observation).toContain('deny write_file(secret/**)')
    expect(existsSync(join(p.dir, 'secret'))).toBe(false)
  })

  test('what would have to be asked ends it, without a terminal', () => {
    using p = project({
      ...files,
      '.agent/config.json': '{"permissions": {"ask": ["write_file"]}}',
      'work.yaml': '- write_file: {path: out.txt, content: a}\n- final_answer: done\n',
    })
    const { code, err } = run(p, '--mock', 'work.yaml')
    expect(code).toBe(3)
    expect(err).toContain('write_file(out.txt) needs approval')
    expect(existsSync(join(p.dir, 'out.txt'))).toBe(false)
  })

  test('what would have to be asked is told with the command that allows it, and that command works', () => {
    using p = project({
      ...files,
      '.agent/config.json': '{"permissions": {"ask": ["write_file"]}}',
      'work.yaml': '- write_file: {path: ./it is out.txt, content: a}\n- final_answer: done\n',
    })
    const { err } = run(p, '--mock', 'work.yaml')
    const told = /^to allow it, run:\n {2}skills-agent (.*)$/m.exec(err)?.[1] ?? ''
    expect(told).toBe("run look at it --mock work.yaml --allow 'write_file:./it is out.txt'")
    const defined = 'skills-agent() { "$node" "$program" agent "$@"; }'
    p.run('bash', ['-c', `node=$0 program=$1; ${defined}; skills-agent ${told}`, process.execPath, program])
    expect(readFileSync(join(p.dir, 'it is out.txt'), 'utf8')).toBe('a')
  })

  test('--allow opens what is closed by default, for its pattern alone', () => {
    using p = project({
      ...files,
      'work.yaml':
        '- write_file: {path: out/a.txt, content: a}\n- write_file: {path: b.txt, content: b}\n- final_answer: done\n',
    })
    const { json } = run(p, '--mock', 'work.yaml', '--allow', 'write_file:out/*', '--json')
    expect((json as Told).actions.map(({ status }) => status)).toEqual(['ok', 'denied', 'ok'])
    expect([existsSync(join(p.dir, 'out/a.txt')), existsSync(join(p.dir, 'b.txt'))]).toEqual([true, false])
  })

  test('--yes answers for scripts, and not for what is of high risk', () => {
    using p = project({
      ...files,
      '.agent/config.json': '{"permissions": {"ask": ["run_script", "write_file"]}}',
      'script.yaml': '- run_script: {skill: one, path: scripts/say.sh, args: [yes]}\n- final_answer: done\n',
      'write.yaml': '- write_file: {path: out.txt, content: a}\n- final_answer: done\n',
    })
    const { json } = run(p, '--skill', 'one', '--mock', 'script.yaml', '--yes', '--json')
    expect((json as Told).actions[0]).toMatchObject({ status: 'ok', observation: expect.stringContaining('said yes') })
    expect(run(p, '--skill', 'one', '--mock', 'script.yaml').code).toBe(3)
    expect(run(p, '--mock', 'write.yaml', '--yes').err).toContain('write_file(out.txt) needs approval')
    expect(existsSync(join(p.dir, 'out.txt'))).toBe(false)
  })

  test('a whole tool of high risk is asked for, also where it is allowed', () => {
    using p = project({
      ...files,
      '.agent/config.json': '{"permissions": {"allow": ["write_file"]}}',
      'work.yaml': '- write_file: {path: out.txt, content: a}\n- final_answer: done\n',
    })
    const { code, err } = run(p, '--mock', 'work.yaml')
    expect(code).toBe(3)
    expect(err).toContain('configuration: allow write_file (names no path, host or command, so each is asked)')
  })

  test.each([
    [
      '{"permissions": {"deny": ["write_fil"]}}',
      /there is no tool `write_fil`[\s\S]*config\.json:1:27[\s\S]*`write_file`/,
    ],
    ['{"permissions": {"deny": ["write_file(a"]}}', /tool\(pattern\)[\s\S]*config\.json:1:27/],
  ])('a fence that would stand before nothing is refused: %s', (config, told) => {
    using p = project({ ...files, '.agent/config.json': config })
    const { code, err } = run(p, '--mock', 'answers.yaml')
    expect(code).toBe(2)
    expect(err).toMatch(told)
  })

  test('--skill loads a skill at once', () => {
    using p = project({ ...files, 'one.yaml': '- load_resource: {skill: one, path: note.md}\n- final_answer: done\n' })
    const { json } = run(p, '--mock', 'one.yaml', '--skill', 'one', '--json')
    expect((json as Told).actions[0]).toMatchObject({ status: 'ok', observation: 'The note of one.\n' })
    expect((run(p, '--mock', 'one.yaml', '--json').json as Told).actions[0]).toMatchObject({ status: 'error' })
  })

  test('--skill is repeatable', () => {
    using p = project({
      ...files,
      'both.yaml':
        '- [{load_resource: {skill: one, path: note.md}}, {load_resource: {skill: two, path: note.md}}]\n- final_answer: done\n',
    })
    const { json } = run(p, '--mock', 'both.yaml', '--skill', 'one', '--skill', 'two', '--json')
    expect((json as Told).actions.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
  })

  test('what is missing or wrong is exit 2, in words', () => {
    using p = project({ ...files, 'broken.yaml': '- read_fil: data.txt\n' })
    const refused = (...args: readonly string[]) => {
      const { code, out, err } = run(p, ...args)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).not.toMatch(/\n\s+at /)
      return err
    }
    expect(refused()).toContain('--mock FILE')
    expect(refused('--mock', 'answers.yaml', '--allow', 'write_fil')).toMatch(
      /there is no tool write_fil[\s\S]*write_file/,
    )
    expect(refused('--mock', 'nowhere.yaml')).toContain('nowhere.yaml')
    expect(refused('--mock', 'broken.yaml')).toMatch(/broken\.yaml:1:3[\s\S]*Did you mean `read_file`/)
    expect(refused('--mock', 'answers.yaml', '--skill', 'ome')).toMatch(/ome[\s\S]*one/)
    expect(refused('--mock', 'answers.yaml', '--model', 'mok')).toContain('Did you mean mock?')
    expect(p.cli(['agent', 'run']).code).toBe(2)
  })

  test('what can not go on is exit 3', () => {
    using p = project({ ...files, 'short.yaml': '- read_file: data.txt\n' })
    const { code, out, err } = run(p, '--mock', 'short.yaml')
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toContain('the mock has 1 turn')
    expect((run(p, '--mock', 'short.yaml', '--json').json as Told).stop).toMatchObject({ code: 'mock_exhausted' })
  })

  test('leaves nothing behind', () => {
    using p = project(files)
    run(p, '--mock', 'answers.yaml')
    expect(existsSync(join(p.dir, 'reports'))).toBe(false)
  })
})
