import { describe, expect, test } from 'vitest'
import type { PermissionRequest } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import { parseSkill } from '../skills/parse-skill.ts'
import { evalDefaults, policyAuthorizer } from './policy-authorizer.ts'
import { skillWith, verdictOf } from './shell-lines.test-support.ts'

/** A skill as its file declares it. */
const declared = (more: string): Skill => {
  const head = `---\nname: csv\ndescription: Sum a CSV.\n${more}---\nBody\n`
  const { skill } = parseSkill({
    head,
    complete: true,
    dir: '/s',
    file: '/s/SKILL.md',
    source: 'project',
    folders: ['csv'],
  })
  if (!skill) throw new Error('no skill')
  return skill
}

const git = skillWith(['Bash(git:*)'], 'git')
const jq = skillWith(['Bash(jq:*)'], 'jq')
const unreadable = skillWith([], 'unreadable')
const open = skillWith(undefined, 'open')

const over = (command: string, more: { skill?: Skill; loaded?: readonly Skill[] }) =>
  verdictOf({ defaults: evalDefaults }, { input: { command }, ...more })

describe('the declarations of skills', () => {
  test.each<[string, { skill?: Skill; loaded?: readonly Skill[] }, 'allow' | 'deny']>([
    // The skill that an action names counts, and no other.
    ['git log', { skill: git }, 'allow'],
    ['jq .', { skill: git }, 'deny'],
    ['git log', { skill: unreadable }, 'deny'],
    ['id', { skill: open }, 'allow'],
    // Where none is named, all that are loaded and declare something do, together.
    ['git log', { loaded: [git, jq] }, 'allow'],
    ['git log | jq .', { loaded: [git, jq] }, 'allow'],
    ['git log | jq . | id', { loaded: [git, jq] }, 'deny'],
    // One without a declaration widens none, one that can't be read adds nothing.
    ['id', { loaded: [git, open] }, 'deny'],
    ['id', { loaded: [open, git] }, 'deny'],
    ['git log', { loaded: [open, git] }, 'allow'],
    ['id', { loaded: [unreadable, open] }, 'deny'],
    ['git log', { loaded: [unreadable, git] }, 'allow'],
    ['jq .', { loaded: [unreadable, git] }, 'deny'],
    ['git log', { loaded: [unreadable] }, 'deny'],
    ['id', { loaded: [open] }, 'allow'],
    ['id', { loaded: [] }, 'allow'],
  ])('%j with %j: %s', async (command, more, verdict) => {
    expect(await over(command, more)).toBe(verdict)
  })

  test('of the skill that is named counts beside others that are loaded', async () => {
    const authorizer = policyAuthorizer({ defaults: evalDefaults, configured: undefined, runtime: undefined })
    const run = (skill: Skill, loaded: readonly Skill[]): PermissionRequest => ({
      tool: 'run_script',
      target: 'scripts/x.py',
      params: {},
      skill,
      loaded,
    })
    const python = skillWith(['Bash(python3:*)'], 'python')
    const verdicts = [
      await authorizer.decide(run(python, [python, git])),
      await authorizer.decide(run(git, [python, git])),
      await authorizer.decide(run(unreadable, [python, unreadable])),
      await authorizer.decide(run(open, [open, git])),
    ]
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['allow', 'deny', 'deny', 'allow'])
    expect(verdicts[1]?.rule).toBe('skill git: allowed-tools (Bash(git:*)) does not cover it')
  })

  test.each([
    'allowed-tools: Bash(git:*)\n',
    'allowed-tools: Read, Bash(git:*)\n',
    'allowed-tools:\n  - Bash(git:*)\n',
    'allowed-tools: [Read, "Bash(git *)"]\n',
    'allowed_tools: Bash(git:*)\n',
    'allowedTools: [Bash(git:*)]\n',
    'Allowed-Tools: Bash(git:*)\n',
    'ALLOWED_TOOLS: Bash(git:*)\n',
    'allowed-tool: Bash(git:*)\n',
    'allowed-tools: Bash(git:*)\nallowedTools: Bash\n',
    'allowedTools: Bash\nallowed-tools: Bash(git:*)\n',
    'allowed-tools: bash(git:*) # Bash\n',
  ])('narrow to what they say: %j', async (more) => {
    expect([await over('git log', { skill: declared(more) }), await over('id', { skill: declared(more) })]).toEqual([
      'allow',
      'deny',
    ])
  })

  test.each([
    'allowed-tools:\n',
    'allowed-tools: ""\n',
    'allowed-tools: []\n',
    'allowed-tools: ~\n',
    'allowed-tools: true\n',
    'allowed-tools: Bash(git:*\n',
    'allowed-tools: Bash)(\n',
    'allowed-tools: Bash(git:*))\n',
    'allowed-tools: Bash()\n',
    'allowed-tools: Bash(git; id)\n',
    'allowed-tools: {Bash: yes}\n',
    'allowed-tools: [[Bash]]\n',
    'allowed-tools:\n  - Bash: yes\n',
    'allowed-tools:\n  - Bash\n  - Bash(x\n',
    'allowed-tools: Bash(x\nallowed_tools: Bash\n',
    'Allowed-Tools: Bash(x\n',
    'allowed-tools: "Bash[git]"\n',
    'allowed-tools: Ｂａｓｈ\n',
    'allowed-tools: Bash: x\n',
  ])('that can’t be read narrow to nothing: %j', async (more) => {
    expect([
      await over('git log', { skill: declared(more) }),
      await over('id', { loaded: [declared(more), open] }),
    ]).toEqual(['deny', 'deny'])
  })

  test('never widen', async () => {
    const call = { input: { command: 'git log' }, skill: git }
    expect(await verdictOf({}, call)).toBe('deny')
    expect(await verdictOf({ configured: { ask: ['Bash(git:*)'] } }, call)).toBe('ask')
    expect(await verdictOf({ configured: { deny: ['Bash(git:*)'] }, defaults: evalDefaults }, call)).toBe('deny')
    expect(await verdictOf({ runtime: { deny: ['Bash(git log:*)'] }, defaults: evalDefaults }, call)).toBe('deny')
    expect(await verdictOf({ runtime: { allow: ['Bash(jq:*)'] }, defaults: evalDefaults }, call)).toBe('deny')
  })
})
