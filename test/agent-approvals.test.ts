import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project } from './support/cli.ts'
import { atTerminal, type PtyStep } from './support/pty.ts'

type Record = {
  readonly stop: { readonly kind: string; readonly code?: string; readonly message?: string }
  readonly approvals: readonly { readonly answer: string; readonly by?: string; readonly reason?: string }[]
  readonly actions: readonly { readonly status: string; readonly output: { readonly head: string } }[]
}

const files = {
  '.agent/config.json': '{"permissions": {"ask": ["write_file", "run_script"]}}',
  '.agent/skills/one/SKILL.md': '---\nname: one\ndescription: Does one thing. Use it for one.\n---\n\n# One\n',
  '.agent/skills/one/scripts/say.sh': '#!/usr/bin/env bash\necho "said $1" > said.txt\n',
  'write.yaml':
    '- write_file: {path: out.txt, content: "a\\e[2J\\u202eb"}\n- write_file: {path: out.txt, content: again}\n- final_answer: done\n',
  'script.yaml':
    '- select_skills: one\n- run_script: {skill: one, path: scripts/say.sh, args: [hello]}\n- final_answer: done\n',
}
const up = '\u001b[A'
const down = '\u001b[B'
const asked = 'Allow it?'

const recordOf = (dir: string): Record => {
  const [id, ...others] = readdirSync(join(dir, '.agent/runs')).filter((name) => !name.startsWith('.'))
  expect(others).toEqual([])
  return JSON.parse(readFileSync(join(dir, '.agent/runs', id ?? '', 'run.json'), 'utf8'))
}
/** Each answer waits for a question of its own: an answered one is drawn once more. */
const run = (dir: string, steps: readonly PtyStep[], ...more: readonly string[]) =>
  atTerminal(
    dir,
    ['run', 'do', 'it', '--mock', 'write.yaml', ...more],
    steps.flatMap((step) => (step.until === asked ? [{ until: 'The agent wants to', type: '' }, step] : [step])),
  )

describe('the question at a terminal', () => {
  test('shows what is wanted with nothing in it obeyed, and a yes holds once', () => {
    using p = project(files)
    const { code, screen } = run(p.dir, [
      { until: asked, type: `${up}${up}\r` },
      { until: asked, type: `${up}${up}\r` },
    ])
    expect(screen).toContain('The agent wants to write_file:')
    expect(screen).toMatch(/path +out\.txt/)
    expect(screen).toContain('\\u001b[2J\\u202eb')
    expect(screen).toMatch(/rule +configuration: ask write_file/)
    expect(screen).toMatch(/risk +high/)
    expect(screen).not.toContain('\u001b[2J')
    expect(code).toBe(0)
    expect(readFileSync(join(p.dir, 'out.txt'), 'utf8')).toBe('again')
    expect(recordOf(p.dir).approvals).toMatchObject([
      { answer: 'once', by: 'terminal' },
      { answer: 'once', by: 'terminal' },
    ])
  })

  test('a yes for the run is not asked again for the same, and is for another content', () => {
    const write = (content: string) => `- write_file: {path: out.txt, content: ${content}}\n`
    using p = project({ ...files, 'write.yaml': `${write('a')}${write('b')}${write('a')}- final_answer: done\n` })
    const { code, screen } = run(p.dir, [
      { until: asked, type: `${up}\r` },
      { until: asked, type: `${up}\r` },
    ])
    expect({ code, questions: screen.split('The agent wants to').length - 1 }).toEqual({ code: 0, questions: 2 })
    expect(readFileSync(join(p.dir, 'out.txt'), 'utf8')).toBe('a')
  })

  test('return alone is a no, which the model is told', () => {
    using p = project(files)
    const { code } = run(p.dir, [
      { until: asked, type: '\r' },
      { until: asked, type: '\r' },
    ])
    expect(code).toBe(0)
    expect(existsSync(join(p.dir, 'out.txt'))).toBe(false)
    const { actions, approvals } = recordOf(p.dir)
    expect(actions.map(({ status }) => status)).toEqual(['denied', 'denied', 'ok'])
    expect(actions[0]?.output.head).toBe('write_file was refused by the person who was asked.')
    expect(approvals).toMatchObject([{ answer: 'no' }, { answer: 'no' }])
  })

  test('a no with a reason tells the model the reason', () => {
    using p = project(files)
    const { code } = run(p.dir, [
      { until: asked, type: `${down}\r` },
      { until: 'What shall the agent be told?', type: 'not there\r' },
      { until: asked, type: '\r' },
    ])
    expect(code).toBe(0)
    const { actions, approvals } = recordOf(p.dir)
    expect(approvals[0]).toMatchObject({ answer: 'no', reason: 'not there' })
    expect(actions[0]?.output.head).toContain('They said: not there')
  })

  test.each([
    ['the question', [{ until: asked, type: '\u0003' }]],
    [
      'the reason',
      [
        { until: asked, type: `${down}\r` },
        { until: 'What shall the agent be told?', type: '\u0003' },
      ],
    ],
  ])('Ctrl-C at %s ends the run as SIGINT does, and leaves a record', (_, steps) => {
    using p = project(files)
    expect(run(p.dir, steps).code).toBe(130)
    expect(existsSync(join(p.dir, 'out.txt'))).toBe(false)
    expect(recordOf(p.dir).stop).toMatchObject({ kind: 'interrupted', message: 'SIGINT' })
  })

  test('is not asked in CI, nor for a medium risk with --yes; a high risk still is', () => {
    using inCi = project(files)
    const ci = atTerminal(inCi.dir, ['run', 'x', '--mock', 'write.yaml'], [], { CI: 'true' })
    expect({ code: ci.code, isAsked: ci.screen.includes(asked) }).toEqual({ code: 3, isAsked: false })
    using medium = project(files)
    const yes = atTerminal(medium.dir, ['run', 'x', '--mock', 'script.yaml', '--yes'], [])
    expect({ code: yes.code, isAsked: yes.screen.includes(asked) }).toEqual({ code: 0, isAsked: false })
    expect(recordOf(medium.dir).approvals).toMatchObject([{ answer: 'once', by: '--yes' }])
    using high = project(files)
    const still = run(high.dir, [{ until: asked, type: '\u0003' }], '--yes')
    expect({ code: still.code, isAsked: still.screen.includes(asked) }).toEqual({ code: 130, isAsked: true })
  })
})

describe('without a terminal', () => {
  test('a question ends the run and says which command answers it', () => {
    using p = project(files)
    const { code, out, err } = p.cli(['agent', 'run', "it's", 'one', '--mock', 'write.yaml'])
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toContain('error: approval_required: write_file(out.txt) needs approval')
    expect(err).toContain(
      "to allow it, run:\n  skills-agent run 'it'\\''s' one --mock write.yaml --allow write_file:out.txt\n",
    )
    expect(recordOf(p.dir).approvals).toMatchObject([{ answer: 'nobody' }])
  })

  test('a medium risk is no exception, but --yes answers it, and a high risk it does not', () => {
    using p = project(files)
    const medium = p.cli(['agent', 'run', 'x', '--mock', 'script.yaml'])
    expect(medium.code).toBe(3)
    expect(medium.err).toContain('--allow run_script:scripts/say.sh')
    expect(p.cli(['agent', 'run', 'x', '--mock', 'script.yaml', '--yes']).code).toBe(0)
    expect(readFileSync(join(p.dir, 'said.txt'), 'utf8')).toBe('said hello\n')
    expect(p.cli(['agent', 'run', 'x', '--mock', 'write.yaml', '--yes']).code).toBe(3)
  })

  test('--json keeps stdout pure and has the questions and the command', () => {
    using p = project(files)
    const { json, code } = p.cli(['agent', 'run', 'x', '--mock', 'write.yaml', '--json'])
    expect(code).toBe(3)
    expect(json).toMatchObject({
      stop: { code: 'approval_required' },
      approvals: [{ action: 'write_file', target: 'out.txt', rule: 'configuration: ask write_file', answer: 'nobody' }],
      allow_command: 'skills-agent run x --mock write.yaml --json --allow write_file:out.txt',
    })
  })

  test('what a default denied is said after the run, what a rule denied is not', () => {
    using p = project({
      '.agent/config.json': '{"permissions": {"deny": ["delete_file"]}}',
      'a.yaml': '- [{write_file: {path: "o[1]*.txt", content: a}}, {delete_file: b.txt}]\n- final_answer: done\n',
    })
    const { code, err } = p.cli(['agent', 'run', 'x', '--mock', 'a.yaml'])
    expect(code).toBe(0)
    expect(err).toContain("skills-agent run x --mock a.yaml --allow 'write_file:o\\[1\\]\\*.txt'\n")
    expect(err).not.toContain('delete_file:')
    expect(p.cli(['agent', 'run', 'x', '--mock', 'a.yaml', '-q']).err).toBe('')
  })

  test('the command is one line, whatever the model asked for', () => {
    using p = project({
      'a.yaml': '- write_file: {path: "a\\n; rm -rf $HOME \\e[31m`id`", content: a}\n- final_answer: done\n',
    })
    const { err } = p.cli(['agent', 'run', 'x', '--mock', 'a.yaml'])
    const [line] = err.split('to allow it, run:\n')[1]?.split('\n') ?? []
    expect(line).toBe("  skills-agent run x --mock a.yaml --allow $'write_file:a\\012; rm -rf $HOME \\033\\\\[31m`id`'")
  })
})
