import { describe, expect, test } from 'vitest'
import { readFrontmatter } from './read-frontmatter.ts'
import type { SkillMode } from './rules.ts'

const read = (text: string, mode: SkillMode = 'strict', complete = true) => {
  const { frontmatter, log } = readFrontmatter(text, { file: 'SKILL.md', mode, complete })
  return { frontmatter, fields: frontmatter?.fields, diagnostics: log.diagnostics }
}
const fenced = (frontmatter: string) => `---\n${frontmatter}---\nBody\n`

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

describe('readFrontmatter', () => {
  test('keeps every scalar as it is written', () => {
    const text = 'a: 1.0\nb: true\nc: null\nd: 2026-01-01\ne: 0x1F\nf: ~\ng: {h: [1, no]}\n'
    expect(read(fenced(text)).fields).toEqual({
      a: '1.0',
      b: 'true',
      c: 'null',
      d: '2026-01-01',
      e: '0x1F',
      f: '~',
      g: { h: ['1', 'no'] },
    })
  })

  test.each(['name: csv\nmetadata:\n  author: me\n', 'name: csv\nmetadata: {author: me}\n'])(
    'gives places in the file: %j',
    (text) => {
      const { frontmatter } = read(fenced(text))
      expect(frontmatter?.positions.key(['metadata'])).toEqual({ line: 3, column: 1 })
      expect(frontmatter?.positions.at(['name'])).toEqual({ line: 2, column: 7 })
      expect(frontmatter?.positions.key(['metadata', 'author']).line).toBe(text.includes('{') ? 3 : 4)
    },
  )

  test.each<[string, string, string, number, number]>([
    ['no fence', 'name: x\n', 'skill/frontmatter-missing', 1, 1],
    ['a blank line above', '\n---\nname: x\n---\n', 'skill/leading-blank-line', 1, 1],
    ['no closing fence', '---\nname: x\n', 'skill/frontmatter-unclosed', 1, 1],
    ['an empty frontmatter', '---\n---\n', 'skill/frontmatter-map', 2, 1],
    ['a list', fenced('- a\n- b\n'), 'skill/frontmatter-map', 2, 1],
    ['a text', fenced('just text\n'), 'skill/frontmatter-map', 2, 1],
    ['broken YAML', fenced('name: x\nlist: [a\n'), 'skill/yaml-syntax', 4, 1],
    ['an anchor', fenced('a: &x b\n'), 'skill/yaml-alias', 2, 7],
    ['an alias', fenced('a: *x\n'), 'skill/yaml-alias', 2, 4],
    ['a tag', fenced('a: !!js/function "x"\n'), 'skill/yaml-tag', 2, 4],
    ['a field twice', fenced('a: b\na: c\n'), 'skill/yaml-duplicate-key', 3, 1],
    ['a NUL byte', fenced('a: b\nc: d\0\n'), 'skill/nul-byte', 3, 5],
    ['too much', fenced(`a: ${'x'.repeat(64 * 1024)}\n`), 'skill/frontmatter-too-large', 2, 1],
    ['nested too deep', fenced(`a: ${'['.repeat(3000)}\n`), 'skill/yaml-too-deep', 2, 68],
    [
      'too many keys',
      fenced(Array.from({ length: 1001 }, (_, i) => `k${i}: v\n`).join('')),
      'skill/yaml-too-many-keys',
      1002,
      1,
    ],
    ['too many values', fenced(`a: [${'x, '.repeat(1001)}x]\n`), 'skill/yaml-too-many-keys', 2, 1],
  ])('refuses %s with a place', (_, text, code, line, column) => {
    const { fields, diagnostics } = read(text)
    expect(fields).toBeUndefined()
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]).toMatchObject({ severity: 'error', code, file: 'SKILL.md', line, column })
    expect(diagnostics[0]?.hint).toMatch(/\S/)
  })

  test('says of a head that has no end what was looked at', () => {
    expect(read('---\nname: x\n', 'lenient', false).diagnostics).toMatchObject([
      { code: 'skill/frontmatter-too-large' },
    ])
  })

  test('takes __proto__ and its kin for keys', () => {
    for (const text of ['__proto__: x\nconstructor: y\n', '__proto__: {polluted: yes}\nconstructor: {a: b}\n']) {
      const { fields } = read(fenced(text))
      expect(Object.keys(fields ?? {})).toEqual(['__proto__', 'constructor'])
      expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
      expect('polluted' in {}).toBe(false)
    }
  })

  test('notes a byte order mark and reads on', () => {
    const { fields, diagnostics } = read(`\ufeff${fenced('name: x\n')}`)
    expect(fields).toEqual({ name: 'x' })
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'skill/bom', line: 1, column: 1 }])
  })

  test('reads on below blank lines when loading', () => {
    const { fields, diagnostics } = read(`\n\n${fenced('a: b: c\n')}`, 'lenient')
    expect(fields).toEqual({ a: 'b: c' })
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'skill/leading-blank-line' },
      { severity: 'warning', code: 'skill/unquoted-colon', line: 4 },
    ])
  })

  test('bears hundreds of deep documents', () => {
    for (let i = 0; i < 60; i += 1) {
      expect(read(fenced(`x: ${'['.repeat(6000)}`)).fields).toBeUndefined()
      expect(read(fenced(`x: ${'- '.repeat(3000)}a\n`)).fields).toBeUndefined()
    }
  })

  test('bears 20,000 keys quickly', () => {
    const text = fenced(Array.from({ length: 5400 }, (_, i) => `key${i}: v\n`).join(''))
    const start = process.cpuUsage()
    expect(read(text).fields).toBeUndefined()
    expect(read(fenced(Array.from({ length: 20_000 }, (_, i) => `k${i}: v\n`).join(''))).fields).toBeUndefined()
    expect(cpuMs(start)).toBeLessThan(2000)
  })
})

describe('the repair of unquoted colons', () => {
  test('quotes the value and says how to write it', () => {
    const { fields, diagnostics } = read(fenced('name: x\ndescription: Use this: when "a" b\\c\n'), 'lenient')
    expect(fields).toEqual({ name: 'x', description: 'Use this: when "a" b\\c' })
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'skill/unquoted-colon',
        message: 'the value of description holds a colon and is not in quotes',
        file: 'SKILL.md',
        line: 3,
        column: 1,
        hint: 'Write description: "Use this: when \\"a\\" b\\\\c"',
      },
    ])
  })

  test('is an error in strict validation', () => {
    expect(read(fenced('description: Use this: when\n')).diagnostics).toMatchObject([{ severity: 'error' }])
  })

  test.each([
    ['a: b: c\n  d\ne: f\n', { a: 'b: c d', e: 'f' }],
    ['a: b: c\r\nd: e:\r\n', { a: 'b: c', d: 'e:' }],
    ['a: |\n  x: y: z\n  w\nb: c: d\n', { a: 'x: y: z\nw\n', b: 'c: d' }],
    ['m:\n  a: b: c\n  d: e\n', { m: { a: 'b: c', d: 'e' } }],
    ['a: "x: y"\nb: c: d\n', { a: 'x: y', b: 'c: d' }],
    ['a: see http://x.y/z: there\n', { a: 'see http://x.y/z: there' }],
  ])('reads %j', (text, expected) => {
    expect(read(fenced(text), 'lenient').fields).toEqual(expected)
  })

  test('gives the parser’s errors where it does not help', () => {
    const { fields, diagnostics } = read(fenced('a: b: c\nd: [e\n'), 'lenient')
    expect(fields).toBeUndefined()
    expect(diagnostics.map(({ code }) => code)).not.toContain('skill/unquoted-colon')
    expect(diagnostics[0]).toMatchObject({ severity: 'error', code: 'skill/yaml-syntax', line: 2 })
  })
})
