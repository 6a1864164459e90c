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
})
