import { describe, expect, test } from 'vitest'
import type { ActionType } from '../core/actions.ts'
import { parseToolRule, type ToolRule } from '../core/tool-rule.ts'
import { allowingRules, fencingRule, namesExactly } from './match-rule.ts'
import { toolUse } from './tool-use.ts'

const ruleOf = (written: string): ToolRule => {
  const rule = parseToolRule(written)
  if (!rule) throw new Error(`no rule: ${written}`)
  return rule
}

/** `allows`, `forbids`, both or neither: what the rule does with the use where it stands in either list. */
const effect = async (written: string, tool: ActionType, target: string, args: readonly string[] = []) => {
  const use = await toolUse({ tool, target, params: { args, path: target }, skill: undefined, loaded: [] })
  const allows = allowingRules([ruleOf(written)], use) !== undefined
  const forbids = fencingRule([ruleOf(written)], use) !== undefined
  return `${allows ? 'allows' : ''}${allows && forbids ? ' and ' : ''}${forbids ? 'forbids' : ''}` || 'nothing'
}

const both = 'allows and forbids'

describe('a rule about hosts', () => {
  test.each([
    ['example.com', 'https://example.com/', both],
    ['example.com', 'http://EXAMPLE.com.:81/a?b#c', both],
    ['example.com', 'https://ex%61mple.com/', both],
    ['example.com', 'https://ｅxample.com/', both],
    ['example.com', 'https://www.example.com/', 'nothing'],
    ['example.com', 'https://evilexample.com/', 'nothing'],
    ['example.com', 'https://example.com.evil.com/', 'nothing'],
    ['example.com', 'https://example.co/', 'nothing'],
    ['example.com', 'https://evil.com/example.com', 'nothing'],
    ['example.com', 'https://evil.com?example.com', 'nothing'],
    ['example.com', 'https://evil.com#@example.com', 'nothing'],
    ['example.com', 'https://еxample.com/', 'nothing'],
    // What readers disagree about is allowed by none and forbidden by each.
    ['example.com', 'https://example.com@evil.com/', 'forbids'],
    ['example.com', 'https://evil.com@example.com/', 'forbids'],
    ['example.com', 'https://@example.com/', 'forbids'],
    ['example.com', 'https://example.com\\.evil.com/', 'forbids'],
    ['example.com', 'https://evil.com\\@example.com/', 'forbids'],
    ['example.com', 'https://example.com\0.evil.com/', 'forbids'],
    ['example.com', 'ftp://example.com/', 'forbids'],
    ['example.com', 'example.com', 'forbids'],
    ['example.com', 'https://exa\nmple.com/', 'forbids'],
    ['*.example.com', 'https://a.example.com/', both],
    ['*.example.com', 'https://a.b.EXAMPLE.com./', both],
    ['*.example.com', 'https://example.com/', 'nothing'],
    ['*.example.com', 'https://evilexample.com/', 'nothing'],
    ['*.example.com', 'https://a.example.com.evil.com/', 'nothing'],
    ['example.com:8443', 'https://example.com:8443/', both],
    ['example.com:8443', 'https://example.com/', 'nothing'],
    ['example.com:443', 'https://example.com/', both],
    ['example.com:443', 'http://example.com/', 'nothing'],
    ['bücher.example', 'https://xn--bcher-kva.example/', both],
    ['xn--bcher-kva.example', 'https://BÜCHER.example/', both],
    ['127.0.0.1', 'http://2130706433/', both],
    ['127.0.0.1', 'http://0x7f000001/', both],
    ['127.0.0.1', 'http://0177.0.0.1/', both],
    ['127.0.0.1', 'http://127.1/', both],
    ['93.184.216.34', 'http://[::ffff:93.184.216.34]/', 'forbids'],
    ['93.184.216.34', 'http://[::ffff:5db8:d823]/', 'nothing'],
    ['[::1]', 'http://[0:0:0:0:0:0:0:1]/', both],
    ['https://example.com/v1/*', 'https://example.com/v1/a', both],
    ['https://example.com/v1/*', 'https://example.com/v1/a?x=../y', both],
    ['https://example.com/v1/*', 'https://example.com/v1/a/b', 'forbids'],
    ['https://example.com/v1/*', 'https://example.com/v2/a', 'nothing'],
    ['https://example.com/v1/*', 'https://example.com/v1/../admin', 'nothing'],
    ['https://example.com/v1/*', 'https://example.com/v1/%2e%2e/admin', 'nothing'],
    ['https://example.com/v1/**', 'https://example.com/v1/..%2fadmin', 'forbids'],
    ['https://example.com/v1/**', 'https://example.com/v1/..%5cadmin', 'forbids'],
    ['https://example.com/v1/**', 'https://example.com/v1/%252e%252e/admin', 'forbids'],
    ['https://example.com/v1/**', 'https://example.com/v1/%c0%ae%c0%ae/admin', 'forbids'],
    ['https://example.com/v1/**', 'https://example.com/v1/..;/admin', 'forbids'],
    ['https://example.com/v1/**', 'https://example.com/v1//admin', 'forbids'],
    ['https://example.com/v1/**', 'http://example.com/v1/a', 'forbids'],
    ['https://example.com/v1/**', 'https://example.com:444/v1/a', 'forbids'],
    ['https://example.com/admin', 'https://example.com/ADMIN', 'forbids'],
    ['https://example.com/admin', 'https://example.com/admin/x', 'forbids'],
    ['https://example.com/admin', 'https://example.com//admin', 'forbids'],
    ['https://example.com/admin', 'https://example.com/%61dmin', 'forbids'],
    ['https://example.com/admin', 'https://example.com/;x/admin', 'forbids'],
    ['https://example.com/admin', 'https://example.com/administrator', 'nothing'],
  ])('%s and %s: %s', async (spec, target, expected) => {
    expect(await effect(`network_request(${spec})`, 'network_request', target)).toBe(expected)
    expect(await effect(`WebFetch(domain:${spec})`, 'network_request', target)).toBe(expected)
  })

  test('that can’t be read allows none and forbids all', async () => {
    expect(await effect('network_request(ex*mple.com)', 'network_request', 'https://a.b/')).toBe('forbids')
    expect(await effect('network_request()', 'network_request', 'https://a.b/')).toBe('forbids')
    expect(await effect('network_request(ex*mple.com)', 'read_file', 'a')).toBe('nothing')
  })
})

describe('a rule about paths', () => {
  test.each([
    ['a', 'a', both],
    ['a', './a', both],
    ['./a', 'a', both],
    ['a/b', 'a//b', both],
    ['a//b', './a/./b/', both],
    ['a', 'A', 'forbids'],
    ['A/b', 'a/B', 'forbids'],
    ['\u00e9', '\u00e9', both],
    ['\u00e9', 'e\u0301', 'forbids'],
    ['e\u0301', '\u00e9', 'forbids'],
    ['a', 'a/b', 'forbids'],
    ['a', 'ab', 'nothing'],
    ['a/', 'a/b/c', both],
    ['a/*', 'a/b', both],
    ['a/*', 'a/b/c', 'nothing'],
    ['a/**', 'a/b/c', both],
    ['a/**', 'a', both],
    ['*.md', 'x.md', both],
    ['*.md', 'x.MD', 'forbids'],
    ['*.md', 'a/x.md', 'nothing'],
    ['.env', '.env', both],
    ['**/.env', 'a/.ENV', 'forbids'],
    ['a', '../a', 'forbids'],
    ['**', '../a', 'forbids'],
    ['a/**', 'a/../b', 'forbids'],
    ['a/**', 'b/../a/c', 'forbids'],
    ['**', '/etc/passwd', 'forbids'],
    ['**', 'a\\b', 'forbids'],
    ['**', 'a\0b', 'forbids'],
    ['**', 'C:/a', 'forbids'],
    ['**', '~/a', 'forbids'],
    ['**', '', 'forbids'],
    ['b', '..%2fb', 'nothing'],
    ['a\\*', 'a*', both],
    ['a\\*', 'ab', 'nothing'],
  ])('%j and %j: %s', async (spec, target, expected) => {
    expect(await effect(`write_file(${spec})`, 'write_file', target)).toBe(expected)
  })

  test('forbids a search of what lies above what it forbids', async () => {
    expect(await effect('grep(a/secret/**)', 'grep', 'a')).toBe('forbids')
    expect(await effect('grep(a/secret/**)', 'grep', '.')).toBe('forbids')
    expect(await effect('grep(a/secret/**)', 'grep', 'b')).toBe('nothing')
  })
})

describe('a rule about commands, and a script of a skill', () => {
  test.each([
    ['Bash(python3:*)', 'scripts/x.py', [], both],
    ['Bash(python:*)', 'scripts/x.py', ['-a'], both],
    ['Bash(python3 scripts/x.py:*)', 'scripts/x.py', ['-a', 'b'], both],
    ['Bash(python3 scripts/x.py *)', './scripts//x.py', [], both],
    ['Bash(python3 scripts/x.py)', 'scripts/x.py', [], both],
    ['Bash(python3 scripts/x.py)', 'scripts/x.py', ['-a'], 'forbids'],
    ['Bash(python3 scripts/x.py -a)', 'scripts/x.py', ['-a'], both],
    ['Bash(python3 scripts/x.py -a:*)', 'scripts/x.py', ['-b'], 'nothing'],
    ['Bash(python3 scripts/x.py:*)', 'scripts/y.py', [], 'nothing'],
    ['Bash(python3 scripts/x.py:*)', 'scripts/x.pyc', [], 'forbids'],
    ['Bash(scripts/x.py *)', 'scripts/x.py', ['-a'], both],
    ['Bash(./scripts/x.py:*)', 'scripts/x.py', [], both],
    ['Bash(scripts/x.py:*)', 'scripts/x.pyx', [], 'nothing'],
    ['Bash(bash:*)', 'x.sh', [], both],
    ['Bash(sh:*)', 'x.sh', [], both],
    ['Bash(node:*)', 'x.mjs', [], both],
    ['Bash(git:*)', 'x.sh', [], 'nothing'],
    ['Bash(python3:*)', 'x.sh', [], 'nothing'],
    ['Bash(python3:*)', 'x', [], 'forbids'],
    ['Bash(git:*)', 'git', [], both],
    ['Bash(PYTHON3:*)', 'x.py', [], 'forbids'],
    ['Bash(:*)', 'x.py', [], 'forbids'],
    ['Bash()', 'x.py', [], 'forbids'],
    ['Bash', 'x.py', [], both],
    ['run_script(scripts/*.py)', 'scripts/x.py', [], both],
    ['run_script(scripts/*.py)', 'scripts/../x.py', [], 'forbids'],
  ] as const)('%s and %s %j: %s', async (rule, target, args, expected) => {
    expect(await effect(rule, 'run_script', target, args)).toBe(expected)
  })
})

describe('a rule about provided tools', () => {
  test.each([
    ['call_tool(crm_*)', 'crm_lookup', both],
    ['crm_lookup', 'crm_lookup', both],
    ['crm_lookup', 'CRM_lookup', 'forbids'],
    ['crm_lookup', 'crm_lookup2', 'nothing'],
    ['crm_lookup(x)', 'crm_lookup', 'forbids'],
    ['crm_lookup(x)', 'other', 'nothing'],
    ['call_tool()', 'crm_lookup', 'forbids'],
    ['Bash', 'crm_lookup', 'nothing'],
    ['read_file', 'crm_lookup', 'nothing'],
  ])('%s and %s: %s', async (rule, target, expected) => {
    expect(await effect(rule, 'call_tool', target)).toBe(expected)
  })
})

describe('tools of MCP servers', () => {
  const use = (target: string) => ({ tool: 'call_tool', target, args: [], line: undefined, read: () => never }) as const
  const never = { commands: [], assigned: [], besides: [], fault: 'none' }
  const rules = (...written: readonly string[]) =>
    written.flatMap((text) => {
      const rule = parseToolRule(text)
      return rule ? [rule] : []
    })

  test('a rule that names the server alone speaks of all its tools, and of no other server', () => {
    for (const written of ['mcp__files', 'call_tool(mcp__files)', 'mcp__files__*']) {
      const [rule] = rules(written)
      expect(rule && allowingRules([rule], use('mcp__files__read'))).toEqual([rule])
      expect(rule && fencingRule([rule], use('mcp__files__read'))).toEqual(rule)
      expect(rule && namesExactly(rule)).toBe(false)
      for (const other of ['mcp__files2__read', 'mcp__file__s__read', 'mcp__other__files', 'files__read']) {
        expect(rule && allowingRules([rule], use(other))).toBeUndefined()
      }
    }
    expect(fencingRule(rules('mcp__FILES'), use('mcp__files__read'))).toBeDefined()
  })

  test('a rule that names a tool speaks of that one', () => {
    expect(allowingRules(rules('mcp__files__read'), use('mcp__files__read'))).toHaveLength(1)
    expect(allowingRules(rules('mcp__files__read'), use('mcp__files__read_all'))).toBeUndefined()
    expect(allowingRules(rules('mcp__files__read'), use('mcp__files__read__all'))).toBeUndefined()
  })
})
