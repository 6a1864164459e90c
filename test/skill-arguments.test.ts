import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project } from './support/cli.ts'
import { config, read, trialsOf } from './support/recorded-project.ts'

const port = `---
name: port
description: Ports a component. Use for porting.
arguments: component to
argument-hint: "[component] [to]"
---
Port $component to $to with \${CLAUDE_SKILL_DIR}/port.sh. All: $ARGUMENTS
`

const task = '"Search Bar" Vue $0'
const filled = 'Port Search Bar to Vue with'

const files = {
  '.agent/skills/port/SKILL.md': port,
  '.agent/config.json': config(),
  'turns.yaml': '- final_answer: Ported.\n',
}

const suite = `name: t
skills: [../.agent/skills]
model: m
cases:
  - id: named
    input: /port ${task}
    mock: [Ported.]
    expected: {output: [{contains: Ported}]}
`

describe('the arguments of a skill', () => {
  test('are filled in for a task, and in the case that is made of it', () => {
    using p = project(files)
    const options = ['--model', 'm', '--mock', 'turns.yaml', '--skill', 'port']
    const recorded = ['--record-to', 'r.json', '--save-case', 'evals/s.eval.yaml']
    const run = p.cli(['agent', 'run', task, ...options, ...recorded])
    expect(run.code, run.err).toBe(0)
    expect(run.err).toContain('the same')
    const cassette = read(p, 'r.json')
    expect(cassette).toContain(`${filled} [path:`)
    expect(cassette).toContain('port.sh. All: \\"Search Bar\\" Vue $0')
    expect(cassette).not.toContain(p.dir)
    expect(read(p, 'evals/s.eval.yaml')).toContain('/port "Search Bar" Vue $0')
    expect(p.cli(['agent', 'run', task, '--skill', 'port', '--replay', 'r.json']).code).toBe(0)
    expect(p.cli(['agent', 'run', 'a b', '--skill', 'port', '--replay', 'r.json']).code).not.toBe(0)
  })

  test('are recorded without the folder of this machine, and replayed in another', () => {
    using p = project({ ...files, 'evals/t.eval.yaml': suite })
    expect(p.cli(['run', '--record', 'all']).code).toBe(0)
    expect(readFileSync(join(p.dir, 'recordings/t/named/m.json'), 'utf8')).not.toContain(p.dir)
    using other = project({})
    cpSync(p.dir, other.dir, { recursive: true })
    expect(other.cli(['run', '--record', 'replay']).code).toBe(0)
    expect(trialsOf(other)[0]?.cassette?.mode).toBe('replay')
    other.write({ 'evals/t.eval.yaml': suite.replace('Vue', 'React') })
    other.cli(['run', '--record', 'replay'])
    expect(trialsOf(other)[0]?.status).toBe('stale')
  })

  test('are filled in for what is said in a chat, and in the case that is made of it', () => {
    using p = project({ ...files, 'turns.yaml': '- final_answer: Ported.\n- final_answer: Again.\n' })
    p.write({ lines: `/port ${task}\n/port Grid Svelte\n/save-case evals/c.eval.yaml\n` })
    const { status, stdout, stderr } = p.shell(['agent', 'chat', '--model', 'm', '--mock', 'turns.yaml'], '< lines')
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Again.') })
    expect(stderr).toContain('the same')
    const [session] = readdirSync(join(p.dir, '.agent/sessions')).filter((name) => name.endsWith('.json'))
    const { messages } = JSON.parse(read(p, `.agent/sessions/${session}`))
    const said = messages.flatMap(({ role, text }: { role: string; text: string }) => (role === 'user' ? [text] : []))
    expect(said[0]).toContain(`${filled} ${join(p.dir, '.agent/skills/port')}/port.sh. All: ${task}`)
    expect(said[1]).toMatch(/^\[port is already loaded; .* what the user says now is meant\.\]\n\nGrid Svelte$/)
    expect(p.cli(['run', 'evals/c.eval.yaml']).code).toBe(0)
  })

  test('are named by `skills inspect`', () => {
    using p = project(files)
    const { out } = p.cli(['skills', 'inspect', '.agent/skills/port'])
    expect(out).toContain(
      'filled in     $component $to $ARGUMENTS, where a person starts it by name; ${CLAUDE_SKILL_DIR}, always',
    )
    expect(out).toContain('Claude Code; acted on: names for the words that a person starts the skill with')
  })
})
