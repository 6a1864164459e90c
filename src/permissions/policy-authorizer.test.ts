import { describe, expect, test } from 'vitest'
import type { PermissionRequest } from '../core/ports.ts'
import type { Skill } from '../core/skill.ts'
import type { Policy } from '../schema/policy.ts'
import { parseGrant } from './parse-grant.ts'
import { evalDefaults, policyAuthorizer, safeDefaults } from './policy-authorizer.ts'

const skill = (allowedTools?: readonly string[]): Skill => ({
  name: 's',
  description: 'd',
  source: 'suite',
  dir: '/s',
  file: '/s/SKILL.md',
  hiddenFromModel: false,
  hiddenFromUser: false,
  allowedTools,
  tags: [],
  metadata: {},
  extra: {},
})

const ask = (
  tool: PermissionRequest['tool'],
  target: string,
  more: Partial<PermissionRequest> = {},
): PermissionRequest => ({
  tool,
  target,
  params: {},
  skill: undefined,
  loaded: [],
  ...more,
})

type Row = [
  string,
  { configured?: Policy; runtime?: Policy; trust?: boolean; granted?: string[]; request: PermissionRequest },
  string,
  RegExp,
]

const rows: Row[] = [
  ['reads by default', { request: ask('read_file', 'a.txt') }, 'allow', /default/],
  ['denies a tool that no rule mentions', { request: ask('network_request', 'https://a.b/') }, 'deny', /default: deny/],
  ['denies deleting by default', { request: ask('delete_file', 'a') }, 'deny', /default/],
  [
    'lets deny beat allow',
    {
      configured: { allow: ['run_script'], deny: ['run_script(scripts/rm*)'] },
      request: ask('run_script', 'scripts/rm.sh'),
    },
    'deny',
    /deny run_script\(scripts\/rm\*\)/,
  ],
  [
    'lets deny beat ask',
    { configured: { ask: ['write_file'], deny: ['write_file'] }, request: ask('write_file', 'a') },
    'deny',
    /deny write_file/,
  ],
  [
    'lets ask beat allow',
    { configured: { allow: ['write_file'], ask: ['write_file(out/**)'] }, request: ask('write_file', 'out/x') },
    'ask',
    /ask write_file/,
  ],
  [
    'opens what the configuration names',
    { configured: { allow: ['delete_file(tmp/**)'] }, request: ask('delete_file', 'tmp/a') },
    'allow',
    /configuration/,
  ],
  [
    'opens no more than the pattern: a person is asked about the rest',
    { configured: { allow: ['delete_file(tmp/**)'] }, request: ask('delete_file', 'src/a') },
    'ask',
    /default: ask delete_file/,
  ],
  [
    'never lets a case widen the configuration',
    { runtime: { allow: ['network_request'] }, request: ask('network_request', 'https://a.b/') },
    'deny',
    /default/,
  ],
  [
    'lets a trusted case open what is only closed by default',
    { runtime: { allow: ['delete_file'] }, trust: true, request: ask('delete_file', 'a') },
    'allow',
    /trusted suite/,
  ],
  [
    'lets a trusted case open the network for hosts that it names',
    {
      runtime: { allow: ['network_request(a.example)'] },
      trust: true,
      request: ask('network_request', 'https://a.example/'),
    },
    'allow',
    /trusted suite/,
  ],
  [
    'asks for the network where a trusted case opens all of it',
    { runtime: { allow: ['network_request'] }, trust: true, request: ask('network_request', 'https://a.example/') },
    'ask',
    /trusted suite: allow network_request \(names no path, host or command/,
  ],
  [
    'lets no trusted case undo a configured deny',
    {
      configured: { deny: ['delete_file'] },
      runtime: { allow: ['delete_file'] },
      trust: true,
      request: ask('delete_file', 'a'),
    },
    'deny',
    /configuration/,
  ],
  [
    'narrows to what a case allows',
    { runtime: { allow: ['run_script(scripts/top.py)'] }, request: ask('write_file', 'a') },
    'deny',
    /run-time policy/,
  ],
  [
    'leaves the harmless tools when a case names what it allows',
    { runtime: { allow: ['run_script'] }, request: ask('read_file', 'a') },
    'allow',
    /default/,
  ],
  [
    'denies what a case denies',
    { runtime: { deny: ['write_file(out/**)'] }, request: ask('write_file', 'out/a') },
    'deny',
    /run-time policy/,
  ],
  [
    'asks where the whole of a high-risk tool is allowed',
    { configured: { allow: ['delete_file'] }, request: ask('delete_file', 'a') },
    'ask',
    /configuration: allow delete_file \(names no path, host or command/,
  ],
  [
    'asks where a pattern for everything is allowed',
    { configured: { allow: ['delete_file(**)'] }, request: ask('delete_file', 'a') },
    'ask',
    /names no path, host or command/,
  ],
  [
    'is no stricter for a configuration that allows what is allowed by default',
    { configured: { allow: ['write_file'] }, request: ask('write_file', 'a') },
    'allow',
    /configuration: allow write_file$/,
  ],
  [
    'lifts what is closed by default for what was granted by name',
    { granted: ['delete_file:./tmp/*'], request: ask('delete_file', 'tmp/a') },
    'allow',
    /--allow delete_file/,
  ],
  [
    'lifts no more than the grant',
    { granted: ['delete_file:tmp/*'], request: ask('delete_file', 'src/a') },
    'deny',
    /default/,
  ],
  [
    'lifts a question for what was granted by name',
    { configured: { ask: ['write_file'] }, granted: ['write_file:a.txt'], request: ask('write_file', 'a.txt') },
    'allow',
    /--allow write_file:a.txt/,
  ],
  [
    'lets no grant undo a configured deny',
    { configured: { deny: ['write_file'] }, granted: ['write_file'], request: ask('write_file', 'a') },
    'deny',
    /configuration: deny/,
  ],
  [
    'lets no grant open the fence of a skill',
    { granted: ['run_script'], request: ask('run_script', 'scripts/a.py', { skill: skill(['Read']) }) },
    'deny',
    /allowed-tools \(Read\)/,
  ],
  [
    'names the fence of a skill where the default denies too, since a grant would lift the default alone',
    { request: ask('delete_file', 'a', { loaded: [skill(['Read'])] }) },
    'deny',
    /allowed-tools \(Read\)/,
  ],
  [
    'names the run-time policy where the default denies too',
    { runtime: { deny: ['delete_file'] }, request: ask('delete_file', 'a') },
    'deny',
    /run-time policy: deny delete_file/,
  ],
  [
    'names the configured deny where a skill denies too',
    { configured: { deny: ['delete_file'] }, request: ask('delete_file', 'a', { loaded: [skill(['Read'])] }) },
    'deny',
    /configuration: deny delete_file/,
  ],
  [
    'lets no grant undo the run-time policy',
    { granted: ['write_file'], runtime: { deny: ['write_file'] }, request: ask('write_file', 'a') },
    'deny',
    /run-time policy/,
  ],
  [
    'fences an action that names no skill by all that are loaded',
    { request: ask('write_file', 'a', { loaded: [skill(['Read']), skill(['Bash(git:*)'])] }) },
    'deny',
    /allowed-tools \(Read Bash\(git:\*\)\) does not cover it/,
  ],
  [
    'lets such an action do what one of the loaded skills declares',
    { request: ask('write_file', 'a', { loaded: [skill(['Read']), skill(['Write'])] }) },
    'allow',
    /default/,
  ],
  [
    'widens no declaration by a loaded skill without one',
    { request: ask('write_file', 'a', { loaded: [skill(['Read']), skill()] }) },
    'deny',
    /allowed-tools \(Read\)/,
  ],
  [
    'counts the declaration of the skill that an action names and no other',
    {
      request: ask('run_script', 'scripts/a.py', {
        skill: skill(['Read']),
        loaded: [skill(['Bash']), skill(['Read'])],
      }),
    },
    'deny',
    /allowed-tools \(Read\)/,
  ],
  [
    'narrows nothing by a skill without a declaration',
    { request: ask('run_script', 'scripts/a.py', { skill: skill() }) },
    'allow',
    /default/,
  ],
  [
    'denies what a skill does not declare',
    { request: ask('run_script', 'scripts/a.py', { skill: skill(['Read']) }) },
    'deny',
    /allowed-tools \(Read\)/,
  ],
  [
    'denies all when a declaration could not be read',
    { request: ask('run_script', 'scripts/a.py', { skill: skill([]) }) },
    'deny',
    /nothing/,
  ],
  [
    'maps Bash onto scripts',
    { request: ask('run_script', 'scripts/a.py', { skill: skill(['Bash']) }) },
    'allow',
    /default/,
  ],
  [
    'matches an interpreter in Bash(…)',
    { request: ask('run_script', 'scripts/a.py', { skill: skill(['Bash(python3:*)']) }) },
    'allow',
    /./,
  ],
  [
    'does not let git cover a script of python',
    { request: ask('run_script', 'scripts/a.py', { skill: skill(['Bash(git:*)']) }) },
    'deny',
    /does not cover/,
  ],
  [
    'does not let a prefix of a word match',
    { request: ask('run_script', 'scripts/a.pyx', { skill: skill(['Bash(scripts/a.py:*)']) }) },
    'deny',
    /./,
  ],
  [
    'compares arguments word by word',
    {
      request: ask('run_script', 'scripts/a.sh', {
        skill: skill(['Bash(scripts/a.sh --safe)']),
        params: { args: ['--safe', '--more'] },
      }),
    },
    'deny',
    /./,
  ],
  [
    'never lets a skill widen',
    { request: ask('network_request', 'https://a.b/', { skill: skill(['WebFetch']) }) },
    'deny',
    /default/,
  ],
  ...['./out/a', 'out//a', './/out/./a', 'out/a/'].map(
    (target): Row => [
      `compares a path in any of its spellings: ${target}`,
      { configured: { deny: ['write_file(out/a)'] }, request: ask('write_file', target) },
      'deny',
      /deny write_file\(out\/a\)/,
    ],
  ),
  ...['scripts/a.constructor', 'scripts/a.__proto__', 'scripts/noext', 'py'].map(
    (target): Row => [
      `finds no interpreter by what every object has: ${target}`,
      { request: ask('run_script', target, { skill: skill(['Bash(python3:*)']) }) },
      'deny',
      /does not cover/,
    ],
  ),
  [
    'denies what can’t be compared with a rule in time',
    {
      configured: { allow: [`write_file(${'*a'.repeat(30)}/x)`], deny: ['delete_file'] },
      request: ask('write_file', `${'a'.repeat(1000)}/y`),
    },
    'deny',
    /no rule can be compared/,
  ],
  [
    'lets nothing through a deny that can’t be read',
    { configured: { deny: ['delete_file(a'] }, request: ask('write_file', 'b') },
    'deny',
    /deny delete_file\(a \(can't be read\)/,
  ],
  [
    'lets nothing through an ask that can’t be read',
    { configured: { ask: ['delete_file(a'] }, request: ask('read_file', 'b') },
    'ask',
    /ask delete_file\(a \(can't be read\)/,
  ],
  [
    'covers nothing by an unreadable rule',
    { configured: { allow: ['delete_file(a'] }, request: ask('delete_file', 'a') },
    'deny',
    /default/,
  ],
]

describe('policyAuthorizer', () => {
  test.each(rows)('%s', async (_title, { configured, runtime, trust, granted = [], request }, verdict, rule) => {
    const authorizer = policyAuthorizer({
      defaults: evalDefaults,
      configured,
      runtime,
      trustRuntime: trust ?? false,
      granted: granted.map(parseGrant),
    })
    const decision = await authorizer.decide(request)
    expect(decision.verdict).toBe(verdict)
    expect(decision.rule).toMatch(rule)
  })

  test('allows only the harmless tools outside evals', async () => {
    const authorizer = policyAuthorizer({ defaults: safeDefaults, configured: undefined, runtime: undefined })
    const verdicts = await Promise.all(
      (
        [
          'read_file',
          'list_dir',
          'grep',
          'select_skills',
          'run_script',
          'call_tool',
          'write_file',
          'delete_file',
          'network_request',
        ] as const
      ).map(async (tool) => [tool, (await authorizer.decide(ask(tool, 'x'))).verdict]),
    )
    expect(Object.fromEntries(verdicts)).toEqual({
      read_file: 'allow',
      list_dir: 'allow',
      grep: 'allow',
      select_skills: 'allow',
      run_script: 'deny',
      call_tool: 'deny',
      write_file: 'deny',
      delete_file: 'deny',
      network_request: 'deny',
    })
  })

  test('offers a tool exactly when some use of it could be allowed', () => {
    const offered = (configured?: Policy, runtime?: Policy, trustRuntime = false) => {
      const authorizer = policyAuthorizer({ defaults: evalDefaults, configured, runtime, trustRuntime })
      return (['run_script', 'write_file', 'delete_file'] as const).filter((tool) => authorizer.mayAllow(tool))
    }
    expect(offered()).toEqual(['run_script', 'write_file'])
    expect(offered({ deny: ['run_script'] })).toEqual(['write_file'])
    expect(offered({ deny: ['run_script(x)'], allow: ['delete_file(tmp/*)'] })).toEqual([
      'run_script',
      'write_file',
      'delete_file',
    ])
    expect(offered(undefined, { allow: ['write_file'] })).toEqual(['write_file'])
    for (const list of ['allow', 'ask'] as const) {
      expect(offered(undefined, { [list]: ['delete_file'] })).not.toContain('delete_file')
      expect(offered(undefined, { [list]: ['delete_file'] }, true)).toContain('delete_file')
    }
  })
})

describe('parseGrant', () => {
  const tools = [
    ['read_file', 'a/*.md'],
    ['run_script', 'a/*.py'],
    ['write_file', 'out/**'],
    ['delete_file', 'a'],
    ['call_tool', 'crm_*'],
    ['network_request', 'example.com:8443'],
  ]
  test.each(tools)('reads %s with and without a pattern', (tool, pattern) => {
    expect(parseGrant(tool)).toMatchObject({ tools: [tool], spec: undefined, written: tool })
    const written = `${tool}:${pattern}`
    expect(parseGrant(written)).toMatchObject({ tools: [tool], spec: pattern, written })
  })

  test.each([
    ['', /must look like TOOL or TOOL:PATTERN/],
    [':x', /must look like/],
    ['write_file:', /must look like/],
    ['write_file(x', /must look like/],
    ['a b', /must look like/],
    ['write_fiel', /there is no tool write_fiel/],
    ['Write-File:x', /there is no tool Write-File/],
    ['update_plan', /needs no permission/],
    ['write_file:../x', /leads out|outside|\.\./],
    ['network_request:http://u@x/', /neither a host/],
  ])('refuses %j', (written, problem) => {
    expect(() => parseGrant(written)).toThrow(problem)
  })
})
