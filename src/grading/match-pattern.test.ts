import { describe, expect, test } from 'vitest'
import type { ActionRecord } from '../core/trajectory.ts'
import type { ActionPattern } from '../schema/pattern.ts'
import { compilePattern } from './match-pattern.ts'

const record = (action: string, params: object = {}, more: Partial<ActionRecord> = {}): ActionRecord => ({
  turn: 1,
  action,
  params: params as Record<string, unknown>,
  status: 'ok',
  observation: '',
  duration_ms: 1,
  ...more,
})

const matches = async (pattern: unknown, given: ActionRecord, anyStatus = false): Promise<boolean> =>
  (await compilePattern(pattern as ActionPattern))(given, { anyStatus })

const script = record('run_script', {
  skill: { name: 'csv' },
  path: 'scripts/top.py',
  args: ['sales.csv', '--months', '3'],
})

describe('the short forms', () => {
  test.each([
    ['an action type', 'run_script', script, true],
    ['another action type', 'read_file', script, false],
    ['the path', { run_script: 'scripts/top.py' }, script, true],
    ['a path that is a glob', { run_script: 'scripts/*.py' }, script, true],
    ['a glob of another path', { run_script: 'lib/*.py' }, script, false],
    ['a resource', { load_resource: 'references/*.md' }, record('load_resource', { path: 'references/kpi.md' }), true],
    ['a file below', { read_file: 'data/**' }, record('read_file', { path: './data/2024/a.csv' }), true],
    ['a folder', { list_dir: '.' }, record('list_dir', { path: '.' }), true],
    ['a file to write', { write_file: 'out/*' }, record('write_file', { path: 'out/a.md', content: '' }), true],
    ['a file to delete', { delete_file: 'a' }, record('delete_file', { path: 'b' }), false],
    ['a tool’s name', { call_tool: 'web_search' }, record('call_tool', { tool: 'web_search', input: {} }), true],
    ['a tool’s name is exact', { call_tool: 'web_*' }, record('call_tool', { tool: 'web_search' }), false],
    [
      'a URL',
      { network_request: 'https://a.example/x?y=1' },
      record('network_request', { url: 'https://a.example/x?y=1' }),
      true,
    ],
    [
      'a URL that is a glob',
      { network_request: 'https://a.example/**' },
      record('network_request', { url: 'https://a.example/x/y' }),
      true,
    ],
    ['grep’s pattern, exactly', { grep: 'a.*' }, record('grep', { pattern: 'a.*', path: '.' }), true],
    ['grep’s pattern is no glob', { grep: '*' }, record('grep', { pattern: 'a', path: '.' }), false],
    ['a query', { search_skills: 'csv' }, record('search_skills', { query: 'csv' }), true],
    ['the answer’s text', { final_answer: 'done' }, record('final_answer', { text: 'done' }), true],
    ['the answer’s text is exact', { final_answer: 'done' }, record('final_answer', { text: 'done.' }), false],
    ['a check of the answer', { final_answer: { contains: 'on' } }, record('final_answer', { text: 'done' }), true],
    [
      'a check of an answer in JSON',
      { final_answer: { json_equals: { a: 1 } } },
      record('final_answer', { json: { a: 1 } }),
      true,
    ],
    ['a number for an answer', { final_answer: 4 }, record('final_answer', { text: '4' }), true],
    ['a check of the path', { run_script: { ends_with: '.py' } }, script, true],
    ['the parameters', { run_script: { path: 'scripts/*', args: ['sales.csv', '--months', 3] } }, script, true],
    ['nothing', { run_script: null }, script, true],
    [
      'the steps of a plan',
      { update_plan: [{ id: 'a' }] },
      record('update_plan', { steps: [{ id: 'a', title: 'A' }] }),
      true,
    ],
  ])('%s', async (_, pattern, given, expected) => {
    expect(await matches(pattern, given)).toBe(expected)
  })
})

describe('the full form', () => {
  const failed = record('run_script', script.params, {
    status: 'error',
    exit_code: 3,
    observation: 'exit code 3\nstdout:\nMarch 1200',
  })

  test.each([
    ['the action alone', { action: 'run_script' }, true],
    ['a path', { action: 'run_script', path: 'scripts/*.py' }, true],
    ['another path', { action: 'run_script', path: 'scripts/*.sh' }, false],
    ['arguments in part, joined with spaces', { action: 'run_script', args: { contains: '--months 3' } }, true],
    ['arguments one by one', { action: 'run_script', args: ['sales.csv', '--months', '3'] }, true],
    ['too few arguments', { action: 'run_script', args: ['sales.csv'] }, false],
    ['an argument that is checked', { action: 'run_script', args: [{ ends_with: '.csv' }, '--months', 3] }, true],
    ['the skill', { action: 'run_script', skill: 'csv' }, true],
    ['another skill', { action: 'run_script', skill: 'pdf' }, false],
    ['what is not given', { action: 'run_script', stdin: 'x' }, false],
    ['null for what is not given', { action: 'run_script', stdin: null }, true],
  ])('%s', async (_, pattern, expected) => {
    expect(await matches(pattern, script)).toBe(expected)
  })

  test.each([
    ['the status', { action: 'run_script', status: 'error' }, true],
    ['another status', { action: 'run_script', status: 'denied' }, false],
    ['the exit code', { action: 'run_script', status: 'error', exit_code: 3 }, true],
    ['the exit code of a failure, which implies its status', { action: 'run_script', exit_code: 3 }, true],
    ['another exit code', { action: 'run_script', status: 'error', exit_code: 0 }, false],
    ['the output', { action: 'run_script', status: 'error', output: { contains: 'March' } }, true],
    ['another output', { action: 'run_script', status: 'error', output: { contains: 'May' } }, false],
    ['the output, exactly', { action: 'run_script', status: 'error', output: 'March' }, false],
    [
      'the output by a regular expression',
      { action: 'run_script', status: 'error', output: { regex: '/march \\d+/i' } },
      true,
    ],
  ])('%s', async (_, pattern, expected) => {
    expect(await matches(pattern, failed)).toBe(expected)
  })

  test.each([
    ['a map, in part', { output: { rows: 3 } }, '{"rows": 3, "more": 1}', true],
    ['a map that is not there', { output: { rows: 4 } }, '{"rows": 3}', false],
    ['a map of what is no JSON', { output: { rows: 3 } }, 'rows: 3', false],
    ['a number', { output: 3 }, '3', true],
    [
      'json_path',
      { output: { json_path: { path: '$.rows[*].n', equals: [1, 2] } } },
      '{"rows": [{"n": 1}, {"n": 2}]}',
      true,
    ],
    ['json_path of something else', { output: { json_path: { path: '$.n', contains: 'a' } } }, '{"n": "b"}', false],
    ['json_path with not', { output: { json_path: { path: '$.n', equals: 2, not: true } } }, '{"n": 1}', true],
    [
      'json_path with not of nothing',
      { output: { json_path: { path: '$.m', equals: 2, not: true } } },
      '{"n": 1}',
      false,
    ],
    ['json_equals', { output: { json_equals: { n: 1 }, tolerance: 0.1 } }, '{"n": 1.05}', true],
    ['json_schema', { output: { json_schema: { type: 'object', required: ['n'] } } }, '{"n": 1}', true],
    [
      'json_schema that does not hold',
      { output: { json_schema: { type: 'object', required: ['m'] } } },
      '{"n": 1}',
      false,
    ],
  ])('output as JSON: %s', async (_, part, observation, expected) => {
    expect(await matches({ action: 'read_file', ...part }, record('read_file', {}, { observation }))).toBe(expected)
  })

  test('parameters of a tool are matched in part', async () => {
    const call = record('call_tool', { tool: 'price', input: { sku: 'A1', options: { tax: true, country: 'DE' } } })
    expect(await matches({ action: 'call_tool', tool: 'price', input: { options: { tax: true } } }, call)).toBe(true)
    expect(await matches({ action: 'call_tool', input: { options: { tax: false } } }, call)).toBe(false)
    expect(await matches({ action: 'call_tool', input: { sku: 'a1' } }, call)).toBe(false)
    expect(await matches({ action: 'call_tool', input: { sku: { regex: '^[A-Z]\\d$' } } }, call)).toBe(true)
  })
})

describe('the status', () => {
  test.each(['error', 'denied'] as const)('a pattern without one does not match what was %s', async (status) => {
    const given = record('read_file', { path: 'x' }, { status })
    expect(await matches('read_file', given)).toBe(false)
    expect(await matches({ read_file: 'x' }, given)).toBe(false)
    expect(await matches({ action: 'read_file', status }, given)).toBe(true)
  })

  test.each(['ok', 'error', 'denied'] as const)('where attempts count it matches what was %s', async (status) => {
    expect(await matches({ read_file: 'x' }, record('read_file', { path: 'x' }, { status }), true)).toBe(true)
  })

  test('one that is named counts even there', async () => {
    const pattern = { action: 'read_file', status: 'denied' }
    expect(await matches(pattern, record('read_file', { path: 'x' }), true)).toBe(false)
    expect(await matches(pattern, record('read_file', { path: 'x' }, { status: 'denied' }), true)).toBe(true)
  })
})

describe('skills', () => {
  const select = (names: string[], loaded: string[], failed: string[], status: ActionRecord['status'] = 'ok') =>
    record('select_skills', { skills: names.map((name) => ({ name })) }, { status, skills: { loaded, failed } })

  test.each([
    ['one that was loaded', { select_skills: 'csv' }, select(['csv'], ['csv'], []), true],
    ['another one', { select_skills: 'pdf' }, select(['csv'], ['csv'], []), false],
    ['one of several', { select_skills: 'pdf' }, select(['csv', 'pdf'], ['csv', 'pdf'], []), true],
    [
      'one that failed beside one that was loaded',
      { select_skills: 'pdf' },
      select(['csv', 'pdf'], ['csv'], ['pdf']),
      false,
    ],
    [
      'the one that was loaded, of an action that failed',
      { select_skills: 'csv' },
      select(['csv', 'pdf'], ['csv'], ['pdf'], 'error'),
      true,
    ],
    [
      'one that failed, asked for so',
      { action: 'select_skills', skill: 'pdf', status: 'error' },
      select(['csv', 'pdf'], ['csv'], ['pdf']),
      true,
    ],
    [
      'one that was loaded, asked for as failed',
      { action: 'select_skills', skill: 'csv', status: 'error' },
      select(['csv', 'pdf'], ['csv'], ['pdf']),
      false,
    ],
    ['all of a list', { select_skills: ['csv', 'pdf'] }, select(['csv', 'pdf'], ['csv', 'pdf'], []), true],
    ['a list in part', { select_skills: ['csv'] }, select(['csv', 'pdf'], ['csv', 'pdf'], []), false],
    ['a list of which one failed', { select_skills: ['csv', 'pdf'] }, select(['csv', 'pdf'], ['csv'], ['pdf']), false],
    ['a check of the name', { select_skills: { starts_with: 'cs' } }, select(['csv'], ['csv'], []), true],
    ['a reference', { select_skills: { name: 'csv' } }, select(['csv'], ['csv'], []), true],
    ['none by name', 'select_skills', select(['csv'], [], ['csv'], 'error'), false],
  ])('%s', async (_, pattern, given, expected) => {
    expect(await matches(pattern, given)).toBe(expected)
  })

  test('without word of what was loaded the status of the action decides', async () => {
    const given = (status: ActionRecord['status']) => record('select_skills', { skills: [{ name: 'csv' }] }, { status })
    expect(await matches({ select_skills: 'csv' }, given('ok'))).toBe(true)
    expect(await matches({ select_skills: 'csv' }, given('error'))).toBe(false)
    expect(await matches({ action: 'select_skills', skill: 'csv', status: 'error' }, given('error'))).toBe(true)
    expect(await matches({ action: 'select_skills', skill: 'csv', status: 'denied' }, given('denied'))).toBe(true)
  })

  test('an attempt counts where attempts do', async () => {
    expect(await matches({ select_skills: 'pdf' }, select(['pdf'], [], ['pdf'], 'error'), true)).toBe(true)
    expect(await matches({ select_skills: 'csv' }, select(['pdf'], [], ['pdf'], 'error'), true)).toBe(false)
  })

  test('a name may carry its source, which counts where both sides say theirs', async () => {
    const given = record(
      'select_skills',
      { skills: [{ name: 'csv', source: 'user' }] },
      { skills: { loaded: ['csv'], failed: [] } },
    )
    expect(await matches({ select_skills: 'csv' }, given)).toBe(true)
    expect(await matches({ select_skills: 'csv@user' }, given)).toBe(true)
    expect(await matches({ select_skills: 'csv@project' }, given)).toBe(false)
    const owned = record('run_script', { skill: { name: 'csv', source: 'user' }, path: 'x' })
    expect(await matches({ action: 'run_script', skill: 'csv@project' }, owned)).toBe(false)
  })
})

describe('a pattern that could never match is refused', () => {
  test.each([
    ['an unknown action', { action: 'run_scripts' }, 'there is no action "run_scripts"'],
    ['an unknown parameter', { action: 'run_script', pth: 'x' }, 'a pattern names pth, which run_script does not have'],
    ['a broken regular expression', { final_answer: { regex: '(' } }, '('],
    [
      'a check that needs a program',
      { final_answer: { script: { run: 'x.py' } } },
      "script can't be used in a pattern",
    ],
    ['a schema in a file', { final_answer: { json_schema: 'x.json' } }, 'must be inline'],
    ['a broken schema', { final_answer: { json_schema: { type: 'nothing' } } }, 'JSON Schema'],
    ['a broken JSONPath', { final_answer: { json_path: { path: '$[', equals: 1 } } }, '$['],
    ['a broken glob', { read_file: '[z-a]*' }, '[z-a]'],
  ])('%s', async (_, pattern, message) => {
    await expect(compilePattern(pattern as unknown as ActionPattern)).rejects.toThrow(message)
  })
})

test('parameters of any shape do no harm', async () => {
  const odd = [
    {},
    { path: 3 },
    { path: { toString: 1 } },
    { skill: null },
    { skills: 'x' },
    { skills: [null, 3] },
    { args: {} },
  ]
  for (const params of odd) {
    expect(await matches({ action: 'run_script', path: 'x', skill: 'csv' }, record('run_script', params))).toBe(false)
    expect(await matches({ select_skills: 'csv' }, record('select_skills', params))).toBe(false)
    expect(await matches({ action: 'run_script', args: { contains: 'x' } }, record('run_script', params))).toBe(false)
  }
})
