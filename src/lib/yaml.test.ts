import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { parseYaml, type YamlOptions } from './yaml.ts'

const base: YamlOptions = { file: 'a.eval.yaml', maxBytes: 1_000_000, codePrefix: 'suite' }

const read = (text: string, options: Partial<YamlOptions> = {}): unknown => {
  const result = parseYaml(text, { ...base, ...options })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return result.value
}

const faultsOf = (text: string, options: Partial<YamlOptions> = {}): string[] => {
  const result = parseYaml(text, { ...base, ...options })
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(result.value)}`)
  return result.diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)
}

describe('parseYaml values', () => {
  test.each<[string, unknown]>([
    ['a: 1\nb: [x, y]\nc:\n  d: true\n', { a: 1, b: ['x', 'y'], c: { d: true } }],
    ['x: 1.10\ny: 1e3\nz: 0x10\n', { x: 1.1, y: 1000, z: 16 }],
    ['no: no\nyes: "yes"\nnothing:\ntilde: ~\n', { no: 'no', yes: 'yes', nothing: null, tilde: null }],
    ['1.10: a\ntrue: b\nnull: c\n', { '1.10': 'a', true: 'b', null: 'c' }],
    ['text: |\n  one\n  two\nfolded: >-\n  one\n  two\n', { text: 'one\ntwo\n', folded: 'one two' }],
    ['a: 1\r\nb:\r\n  - x\r\n', { a: 1, b: ['x'] }],
    ['a:\t1\nb: "x\ty"\n', { a: 1, b: 'x\ty' }],
    ['\ufeffa: 1\n', { a: 1 }],
    ['--- # a document\na: 1\n...\n', { a: 1 }],
    ['a: !!str 1.10\n', { a: '1.10' }],
    ['<<: {a: 1}\nb: 2\n', { '<<': { a: 1 }, b: 2 }],
    ['- 2026-01-01\n- 1_000\n- 12:30\n', ['2026-01-01', '1_000', '12:30']],
    ['just text', 'just text'],
    ['[]', []],
  ])('reads %j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each(['', '\ufeff', '\n\n', '# only a comment\n', '---\n', '---\n...\n'])(
    'reads the empty text %j as null',
    (text) => {
      expect(read(text)).toBe(null)
      expect(read(text, { scalars: 'strings' })).toBe(null)
    },
  )

  test('keeps every scalar as it was written when asked for strings', () => {
    const text = 'version: 1.0\nflag: true\nnothing:\ntilde: ~\nlist: [1, null, "q"]\n'
    expect(read(text, { scalars: 'strings' })).toEqual({
      version: '1.0',
      flag: 'true',
      nothing: '',
      tilde: '~',
      list: ['1', 'null', 'q'],
    })
  })

  test('holds __proto__ and its kin as keys of their own and changes no prototype', () => {
    const value = read('__proto__:\n  polluted: yes\nconstructor: 1\nprototype: 2\na: {__proto__: [1]}\n') as Record<
      string,
      Record<string, unknown>
    >
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'prototype', 'a'])
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toEqual({ polluted: 'yes' })
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>).polluted).toBe(undefined)
  })

  test('gives back what was written as YAML', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = stringify(value, { aliasDuplicateObjects: false })
        expect(read(text)).toEqual(parse(text))
      }),
    )
  })

  test('never throws, whatever the text', () => {
    const piece = fc.constantFrom(
      '- ',
      'a: ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '|\n',
      '&x ',
      '*x',
      '!t ',
      '#',
      '\t',
      '? ',
      ': ',
      'é',
      '---\n',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('core' as const, 'strings' as const),
        (pieces, scalars) => {
          const result = parseYaml(pieces.join(''), { ...base, scalars })
          if (result.ok) return
          expect(result.diagnostics.length).toBeGreaterThan(0)
          for (const diagnostic of result.diagnostics) {
            expect(diagnostic.line).toBeGreaterThan(0)
            expect(diagnostic.column).toBeGreaterThan(0)
            expect(diagnostic.message).not.toMatch(/\n/)
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('parseYaml refusals', () => {
  test('explains a fault whole', () => {
    expect(parseYaml('a: 1\nb: 2\na: 3\n', base)).toEqual({
      ok: false,
      diagnostics: [
        {
          severity: 'error',
          code: 'suite/yaml-duplicate-key',
          message: 'YAML: duplicate key "a"',
          file: 'a.eval.yaml',
          line: 3,
          column: 1,
          hint: 'Keep one of the two: a key may appear once in a map.',
        },
      ],
    })
  })

  test.each<[string, string[]]>([
    ['a: &x 1\nb: *x\n', ['suite/yaml-alias 1:7', 'suite/yaml-alias 2:4']],
    ['a: &x {k: 1}\n', ['suite/yaml-alias 1:7']],
    ['a: &x [1]\n', ['suite/yaml-alias 1:7']],
    ['&k a: 1\n', ['suite/yaml-alias 1:4']],
    ['a: !python/object x\n', ['suite/yaml-tag 1:4']],
    ['a: !!binary aGk=\n', ['suite/yaml-tag 1:4']],
    ['a: !!set {x}\n', ['suite/yaml-tag 1:4']],
    ['a: 1\n---\nb: 2\n---\nc: 3\n', ['suite/yaml-multiple-documents 2:1']],
    ['__proto__: 1\n__proto__: 2\n', ['suite/yaml-duplicate-key 2:1']],
    ['{a: {b: 1, b: 2}}', ['suite/yaml-duplicate-key 1:12']],
    [': 1\n', ['suite/yaml-key 1:1']],
    ['[a]: 1\n', ['suite/yaml-key 1:1']],
    ['? {a: 1}\n: 2\n', ['suite/yaml-key 1:3']],
    ['a:\n\t- b\n', ['suite/yaml-syntax 2:1']],
    ['a: b: c\n', ['suite/yaml-syntax 1:4']],
    ['a: "open\n', ['suite/yaml-syntax 2:1']],
    ['a: @b\n', ['suite/yaml-syntax 1:4']],
    ['a: 1\n  b: 2\n', ['suite/yaml-syntax 1:4']],
    ['a: 1\nb\n', ['suite/yaml-syntax 2:1']],
    ['%FOO bar\n---\na: 1\n', ['suite/yaml-syntax 1:1']],
  ])('refuses %j', (text, expected) => {
    expect(faultsOf(text)).toEqual(expect.arrayContaining(expected))
    expect(faultsOf(text)[0]).toBe(expected[0])
  })

  test('reports several faults in the order of the text, but no more than 20', () => {
    expect(faultsOf('a: &x 1\na: 2\nb: !t 3\n')).toEqual([
      'suite/yaml-alias 1:7',
      'suite/yaml-duplicate-key 2:1',
      'suite/yaml-tag 3:4',
    ])
    expect(faultsOf('- *a\n'.repeat(500))).toHaveLength(20)
    expect(faultsOf(']'.repeat(500))).toHaveLength(20)
  })

  test('counts bytes, not characters', () => {
    expect(read('é: é', { maxBytes: 6 })).toEqual({ é: 'é' })
    expect(faultsOf('é: é', { maxBytes: 5 })).toEqual(['suite/yaml-too-large 1:1'])
  })

  test.each([
    ['flow lists', (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`],
    ['flow maps', (depth: number) => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`],
    ['lists on one line', (depth: number) => `${'- '.repeat(depth)}a`],
    ['explicit keys', (depth: number) => `${'? '.repeat(depth)}a`],
    ['indented maps', (depth: number) => Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:\n`).join('')],
    ['unclosed flow lists', (depth: number) => `a: ${'['.repeat(depth)}`],
  ])('refuses %s nested too deep', (_, nested) => {
    expect(faultsOf(nested(65))[0]).toMatch(/^suite\/yaml-too-deep /)
    expect(faultsOf(nested(9), { maxDepth: 8 })[0]).toMatch(/^suite\/yaml-too-deep /)
  })

  test('accepts what is just deep enough', () => {
    expect(read(`${'['.repeat(64)}1${']'.repeat(64)}`)).toEqual(JSON.parse(`${'['.repeat(64)}1${']'.repeat(64)}`))
    expect(read('- - - a', { maxDepth: 3 })).toEqual([[['a']]])
  })

  test('bounds the number of keys in all maps together', () => {
    expect(read('a: {b: 1}\nc: 2\n', { maxKeys: 3 })).toEqual({ a: { b: 1 }, c: 2 })
    expect(faultsOf('a: {b: 1}\nc: 2\nd: 3\n', { maxKeys: 3 })).toEqual(['suite/yaml-too-many-keys 3:1'])
  })

  test.each([']', '[]', 'a: {\n', '- *a\n', '? []\n'])('refuses 300,000 characters of %j in time', (piece) => {
    const started = performance.now()
    expect(faultsOf(piece.repeat(300_000 / piece.length)).length).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('stops reading after 20 signs that can not stand there', () => {
    const started = performance.now()
    expect(faultsOf(']'.repeat(900_000))).toHaveLength(20)
    expect(performance.now() - started).toBeLessThan(500)
  })

  test('does not slow down quadratically on a map of 20,000 keys', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `key-${i}: 1\n`).join('')
    const started = performance.now()
    expect(Object.keys(read(text) as object)).toHaveLength(20_000)
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  test('survives many very deep documents in one process', () => {
    const script = `
      import { parseYaml } from ${JSON.stringify(fileURLToPath(new URL('yaml.ts', import.meta.url)))}
      const deep = ['['.repeat(3000), 'x: ' + '[{a: '.repeat(3000), '- '.repeat(3000) + 'a', '? '.repeat(3000) + 'a']
      const codes = new Set()
      for (let i = 0; i < 40; i++) {
        const result = parseYaml(deep[i % 4], { file: 'x', maxBytes: 1e6, codePrefix: 'skill' })
        codes.add(result.ok ? 'ok' : result.diagnostics[0].code)
      }
      console.log([...codes].join())`
    const built = buildSync({
      stdin: { contents: script, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
    })
    const output = execFileSync(process.execPath, ['-'], { input: built.outputFiles[0]!.text, encoding: 'utf8' })
    expect(output.trim()).toBe('skill/yaml-too-deep')
  })
})

describe('positions', () => {
  const text = '\ufeffname: csv\ncases:\n  - id: one\n    input: hello\n  - {id: two, tags: [a, b]}\nempty:\n'
  const result = parseYaml(text, base)
  const positions = result.ok ? result.positions : undefined

  test.each<[(string | number)[], string, string]>([
    [[], '1:1', '1:1'],
    [['name'], '1:7', '1:1'],
    [['cases'], '3:3', '2:1'],
    [['cases', 0], '3:5', '3:5'],
    [['cases', 0, 'id'], '3:9', '3:5'],
    [['cases', 1, 'tags', 1], '5:25', '5:25'],
    [['cases', 1, 'tags'], '5:21', '5:15'],
    [['cases', 0, 'missing'], '3:5', '3:5'],
    [['cases', 7, 'id'], '3:3', '3:3'],
    [['name', 'deeper', 0], '1:7', '1:7'],
    [['empty'], '6:7', '6:1'],
    [['constructor'], '1:1', '1:1'],
  ])('of %j are %s for the value and %s for the key', (path, at, key) => {
    const place = (position?: { line: number; column: number }) => `${position?.line}:${position?.column}`
    expect(place(positions?.at(path))).toBe(at)
    expect(place(positions?.key(path))).toBe(key)
  })

  test('of a key without a value are those of the key', () => {
    const bare = parseYaml('a: 1\n? bare\n', base)
    expect(bare.ok && [bare.positions.at(['bare']), bare.positions.key(['bare'])]).toEqual([
      { line: 2, column: 3 },
      { line: 2, column: 3 },
    ])
  })

  test('of an empty document are its start', () => {
    const empty = parseYaml('', base)
    expect(empty.ok && [empty.positions.at(['a']), empty.positions.key([])]).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 1 },
    ])
  })
})
