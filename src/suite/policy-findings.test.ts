import { describe, expect, test } from 'vitest'
import { casePolicyFindings, policyFindings } from './policy-findings.ts'

describe('policyFindings', () => {
  test.each([
    ['write_fil', 'write_file'],
    ['run_scripts(scripts/*.py)', 'run_script'],
    ['  delete_flie', 'delete_file'],
    ['netwrk_request(example.com)', 'network_request'],
  ])('finds a slip: %s', (written, meant) => {
    expect(policyFindings({ deny: ['read_file', written] })).toMatchObject([
      { path: ['deny', 1], code: 'unknown-tool', hint: expect.stringContaining(`Did you mean \`${meant}\`?`) },
    ])
  })

  test.each(['write_file', 'Bash(git:*)', 'Read', 'Write', 'WebFetch(domain:x)', 'Grep', 'crm_lookup', 'call_tool(x)'])(
    'lets %s be',
    (written) => {
      expect(policyFindings({ allow: [written], ask: [written], deny: [written] })).toEqual([])
    },
  )

  test.each([
    ['Bash()', /parentheses are empty/],
    ['Bash(git log*)', /at the end alone/],
    ['Bash(git && id)', /plain words/],
    ['write_file(../x)', /\.\./],
    ['network_request(ex*mple.com)', /neither a host/],
    ['crm_lookup(x)', /provided tool/],
    ['write_file(a', /parentheses do not match/],
  ])('says that %s means nothing', (written, problem) => {
    for (const list of ['allow', 'ask', 'deny'])
      expect(policyFindings({ [list]: [written] })).toMatchObject([
        { path: [list, 0], code: 'rule', message: expect.stringMatching(problem) },
      ])
  })

  test.each([null, 'x', [], { deny: 3 }, { deny: [1, null, {}] }])(
    'makes no assumption about the shape: %j',
    (value) => {
      expect(policyFindings(value)).toEqual([])
    },
  )
})

describe('casePolicyFindings', () => {
  test('looks at permissions and at forbidden tools, and knows the tools of the case', () => {
    const merged = {
      tools: { read_files: {} },
      permissions: { deny: ['read_files', 'write_fil'] },
      constraints: { forbidden_tools: ['read_files', 'run_scripts'] },
    }
    expect(casePolicyFindings(merged).map(({ path }) => path)).toEqual([
      ['permissions', 'deny', 1],
      ['constraints', 'forbidden_tools', 1],
    ])
  })

  test.each([
    ['never', { call_tool: 'crm_lokup' }, ['expected', 'actions', 'never', 0, 'call_tool']],
    ['never', { action: 'call_tool', tool: 'crm_lokup' }, ['expected', 'actions', 'never', 0, 'tool']],
    ['never', { call_tool: 'crm_lokup', status: 'ok' }, ['expected', 'actions', 'never', 0, 'call_tool']],
    // A call of a tool that there is not is an action too: it ends in an error, or is denied.
    ['any_order', { call_tool: 'crm_lokup', status: 'error' }, undefined],
    ['any_order', { action: 'call_tool', tool: 'crm_lokup', status: 'denied' }, undefined],
    ['never', { call_tool: 'crm_lookup' }, undefined],
    ['never', { call_tool: 'something_else' }, undefined],
  ])('says where a pattern misspells a tool, but for a call that fails: %s %j', (kind, pattern, path) => {
    const merged = { tools: { crm_lookup: {} }, expected: { actions: { [kind]: [pattern] } } }
    const found = casePolicyFindings(merged)
    expect(found.map((one) => one.path)).toEqual(path === undefined ? [] : [path])
    if (path !== undefined) expect(found).toMatchObject([{ code: 'unknown-tool', hint: 'Did you mean `crm_lookup`?' }])
  })
})
