import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseToolRule } from '../src/core/tool-rule.ts'
import { project, root, skill } from './support/cli.ts'

const guide = readFileSync(join(root, 'docs/permissions.md'), 'utf8')
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide)?.[1] ?? ''

describe('the guide to permissions', () => {
  test('shows rules that mean something', () => {
    const rules = [...guide.matchAll(/`([A-Za-z_]+\([^)`…]+\))`/g)].map((match) => match[1] ?? '')
    expect(rules.length).toBeGreaterThan(12)
    expect(rules.filter((rule) => parseToolRule(rule)?.problem !== undefined)).toEqual([])
  })

  test('shows a configuration that is one, and the question that it leads to', () => {
    using here = project({
      '.agent/config.json': block('json'),
      'turns.yaml': '- delete_file: out/old.txt\n- final_answer: done\n',
      'out/old.txt': 'old\n',
    })
    const [command = '', ...shown] = block('console').trimEnd().split('\n')
    expect(command).toBe('$ skills-agent run "Tidy up" --mock turns.yaml')
    const { code, err } = here.cli(['agent', 'run', 'Tidy up', '--mock', 'turns.yaml'])
    // How long the prompt is depends on the skills that ship.
    const settled = (lines: readonly string[]) => lines.map((line) => line.replace(/[\d,]+ tokens in/, 'N tokens in'))
    expect({ code, err: settled(err.trimEnd().split('\n')) }).toEqual({ code: 3, err: settled(shown) })
    const granted = ['agent', 'run', 'Tidy up', '--mock', 'turns.yaml', '--allow', 'delete_file:out/old.txt']
    expect(here.cli(granted).code).toBe(0)
  })

  test('shows a suite that passes', () => {
    using here = project({ 'evals/guide.eval.yaml': block('yaml'), 'skills/one/SKILL.md': skill('one', 'One.') })
    expect(here.cli(['run']).out).toContain('1 case: 1 passed')
  })

  test('says of shell lines what is so', () => {
    const rows = [...guide.matchAll(/^\| (`.*`) \| (covered|not).*\|$/gm)]
    const lines = rows.flatMap(([, cell = '', verdict = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, line = '']) => ({ line: line.replaceAll('\\|', '|'), verdict })),
    )
    expect(lines.length).toBe(9)
    const cases = lines.map(({ line, verdict }, i) => ({
      id: `line-${i}`,
      input: line,
      tools: { bash: { returns: 'it ran' } },
      mock: [
        { select_skills: 'one' },
        { call_tool: { tool: 'bash', input: { command: line } } },
        { final_answer: 'x' },
      ],
      expected: {
        actions: {
          count: [{ of: { action: 'call_tool', status: verdict === 'covered' ? 'ok' : 'denied' }, equals: 1 }],
        },
      },
    }))
    using here = project({
      'skills/one/SKILL.md': '---\nname: one\ndescription: One.\nallowed-tools: Bash(git:*) Bash(jq:*)\n---\n\n# One\n',
      'evals/lines.eval.yaml': JSON.stringify({ name: 'lines', model: 'mock', skills: ['../skills'], cases }),
    })
    expect(here.cli(['run']).out).toContain('9 cases: 9 passed')
  })
})
