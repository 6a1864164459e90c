import { describe, expect, test } from 'vitest'
import { addressRule, commandRule, hostOf, isFree, parseAddress, parseToolRule, unreadableRule } from './tool-rule.ts'

describe('parseToolRule', () => {
  test.each([
    ['read_file', ['read_file'], 'path', undefined],
    ['read_file(docs/**)', ['read_file'], 'path', 'docs/**'],
    ['  write_file ( ./out//a/ ) ', ['write_file'], 'path', 'out/a/**'],
    ['delete_file(*)', ['delete_file'], 'path', undefined],
    ['list_dir(.)', ['list_dir'], 'path', ''],
    ['grep(src)', ['grep'], 'path', 'src'],
    ['run_script(scripts/*.py)', ['run_script'], 'path', 'scripts/*.py'],
    ['run_script(a (copy).py)', ['run_script'], 'path', 'a (copy).py'],
    ['write_file(a\\*b)', ['write_file'], 'path', 'a\\*b'],
    ['call_tool(crm_*)', ['call_tool'], 'name', 'crm_*'],
    ['crm_lookup', ['call_tool'], 'name', 'crm_lookup'],
    ['mcp__box__run', ['call_tool'], 'name', 'mcp__box__run'],
    ['mcp__box__*', ['call_tool'], 'name', 'mcp__box__*'],
    ['select_skills', ['select_skills'], 'path', undefined],
    ['use_skill', ['select_skills'], 'path', undefined],
    ['Read', ['read_file'], 'path', undefined],
    ['READ(a)', ['read_file'], 'path', 'a'],
    ['Write(a)', ['write_file'], 'path', 'a'],
    ['Edit', ['write_file'], 'path', undefined],
    ['MultiEdit', ['write_file'], 'path', undefined],
    ['Glob', ['list_dir'], 'path', undefined],
    ['LS', ['list_dir'], 'path', undefined],
    ['Grep', ['grep'], 'path', undefined],
    ['Bash', ['run_script', 'call_tool'], 'command', undefined],
    ['bash', ['run_script', 'call_tool'], 'command', undefined],
    ['Bash(*)', ['run_script', 'call_tool'], 'command', undefined],
    ['Bash(git:*)', ['run_script', 'call_tool'], 'command', 'git:*'],
    ['Bash( git log * )', ['run_script', 'call_tool'], 'command', 'git log *'],
    ['WebFetch', ['network_request'], 'address', undefined],
    ['WebFetch(domain:example.com)', ['network_request'], 'address', 'domain:example.com'],
    ['network(example.com)', ['network_request'], 'address', 'example.com'],
    ['network_request(example.com:8443)', ['network_request'], 'address', 'example.com:8443'],
    ['network_request(*.example.com)', ['network_request'], 'address', '*.example.com'],
    ['network_request(https://example.com/v1/**)', ['network_request'], 'address', 'https://example.com/v1/**'],
  ])('reads %j', (written, tools, kind, spec) => {
    expect(parseToolRule(written)).toEqual({ written, tools, kind, spec })
  })

  test.each([
    '',
    ' ',
    '()',
    '(a)',
    'a b',
    'a(b',
    'a)b',
    'a(b))',
    'a((b)',
    'a(b)c',
    'a(b)(c)',
    'a)b(',
    'Bash(git:*) Read',
  ])('has no meaning for %j', (written) => {
    expect(parseToolRule(written)).toBeUndefined()
  })

  test.each([
    ['Bash()', /parentheses are empty/],
    ['write_file( )', /parentheses are empty/],
    ['network_request()', /parentheses are empty/],
    ['call_tool()', /parentheses are empty/],
    ['crm()', /provided tool/],
    ['crm_lookup(x)', /no rule can look into what a provided tool is given/],
    ['write_file(/etc/x)', /absolute/],
    ['write_file(~/x)', /absolute/],
    ['write_file(../x)', /\.\./],
    ['write_file(a/../x)', /\.\./],
    ['write_file(a\\/..\\/x)', /backslash|\.\./],
    ['write_file(C:/x)', /drive/],
    ['write_file(a\0)', /control/],
    ['Bash(:*)', /names no command/],
    ['Bash( * )x', undefined],
    ['Bash(**)', /at the end alone/],
    ['Bash(g*)', /at the end alone/],
    ['Bash(git log*)', /at the end alone/],
    ['Bash(* install)', /at the end alone/],
    ['Bash(git:* npm:*)', /at the end alone/],
    ['Bash(git; id)', /plain words/],
    ['Bash(git && id)', /plain words/],
    ['Bash(git $(id))', /plain words/],
    ['Bash("git":*)', /plain words/],
    ['Bash(git > x)', /plain words/],
    ['Bash(a\\b)', /plain words/],
    ['network_request(http://u@example.com/)', /neither a host/],
    ['network_request(u:p@example.com)', /neither a host/],
    ['network_request(@example.com)', /neither a host/],
    ['network_request(example.com/x)', /neither a host/],
    ['network_request(https://example.com/?a)', /neither a host/],
    ['network_request(https://example.com/#a)', /neither a host/],
    ['network_request(ftp://example.com/)', /neither a host/],
    ['network_request(*)x', undefined],
    ['network_request(*.*)', /neither a host/],
    ['network_request(ex*mple.com)', /neither a host/],
    ['network_request(*example.com)', /neither a host/],
    ['network_request(**.example.com)', /neither a host/],
    ['network_request(*.10.0.0.1)', /neither a host/],
    ['network_request(example.com:99999)', /neither a host/],
    ['network_request(a b)', /neither a host/],
    ['network_request(a\\b)', /neither a host/],
  ])('says what is wrong with %j', (written, problem) => {
    const rule = parseToolRule(written)
    if (problem === undefined) expect(rule).toBeUndefined()
    else expect(rule?.problem).toMatch(problem)
  })

  test('stands for every tool where it can’t be read', () => {
    expect(unreadableRule('x(')).toMatchObject({ written: "x( (can't be read)", spec: undefined })
    expect(unreadableRule('x(').tools).toContain('read_file')
    expect(unreadableRule('x(').tools.some(isFree)).toBe(false)
  })
})

describe('commandRule', () => {
  test.each([
    ['git:*', ['git'], true],
    ['git *', ['git'], true],
    ['git', ['git'], false],
    [' git  log :*', ['git', 'log'], true],
    ['npm run test:*', ['npm', 'run', 'test'], true],
    ['npm run test:unit', ['npm', 'run', 'test:unit'], false],
    ['git*', ['git*'], false],
    [':*', [], true],
  ])('takes %j apart', (spec, words, isOpen) => {
    expect(commandRule(spec)).toEqual({ words, isOpen })
  })
})

describe('addressRule', () => {
  const any = { isBelow: false, port: undefined, protocol: undefined, path: undefined }
  test.each([
    ['example.com', { ...any, host: 'example.com' }],
    ['EXAMPLE.com.', { ...any, host: 'example.com' }],
    ['domain:example.com', { ...any, host: 'example.com' }],
    ['example.com:0443', { ...any, host: 'example.com', port: '443' }],
    ['example.com:80', { ...any, host: 'example.com', port: '80' }],
    ['*.example.com', { ...any, host: 'example.com', isBelow: true }],
    ['*.example.com:8443', { ...any, host: 'example.com', isBelow: true, port: '8443' }],
    ['bücher.example', { ...any, host: 'xn--bcher-kva.example' }],
    ['2130706433', { ...any, host: '127.0.0.1' }],
    ['0x7f.1', { ...any, host: '127.0.0.1' }],
    ['[::1]:80', { ...any, host: '[::1]', port: '80' }],
    ['https://example.com', { ...any, host: 'example.com', protocol: 'https:', port: '443' }],
    ['HTTPS://example.com/v1/*', { ...any, host: 'example.com', protocol: 'https:', port: '443', path: '/v1/*' }],
    ['http://example.com:81/', { ...any, host: 'example.com', protocol: 'http:', port: '81', path: '/' }],
  ])('reads %j', (spec, rule) => {
    expect(addressRule(spec)).toEqual(rule)
  })
})

describe('parseAddress', () => {
  test.each([
    ['http://EXAMPLE.com./a', 'example.com'],
    ['https://例え.jp/', 'xn--r8jz45g.jp'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://ex%61mple.com/', 'example.com'],
    ['http://ＥＸＡＭＰＬＥ.com/', 'example.com'],
    ['http://[::1]:81/', '[::1]'],
  ])('finds the host of %s', (written, host) => {
    const url = parseAddress(written)
    expect(url && hostOf(url)).toBe(host)
  })

  test.each([
    ...[
      'http://u@example.com/',
      'http://u:p@example.com/',
      'http://@example.com/',
      'http://:@example.com/',
      'http:///example.com',
    ],
    ...[
      'http:example.com',
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:1',
      '//example.com/',
      'example.com',
      '',
    ],
    ...[
      'http://a\\@b/',
      'http://a b/',
      ' http://a/',
      'http://a/\n',
      'http://a\0.b/',
      'http://a\t.b/',
      'http://./',
      'http://a%00/',
    ],
  ])('refuses %j', (written) => {
    expect(parseAddress(written)).toBeUndefined()
  })
})
