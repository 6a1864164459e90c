import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileRegex, isValidRegex, RegexTimeout } from './regex.ts'
import { translateRegex } from './regex-translate.ts'

const compiled = async (source: string) => {
  const result = await compileRegex(source)
  if (!result.ok) throw new Error(result.message)
  return result.regex
}

describe('compileRegex', () => {
  test.each<[string, string[], string[]]>([
    ['Total: \\d+', ['Total: 42', 'x Total: 1 y'], ['Total: ', 'total: 1']],
    ['^ok$', ['ok'], ['ok\n', '\nok', 'okay']],
    ['/^ok$/m', ['a\nok\nb', 'a\r\nok\r\n', 'a\u2028ok'], ['a ok']],
    ['/total/i', ['TOTAL', 'Total'], ['totl']],
    ['/ÄRGER/i', ['Ärger', 'ärger'], ['arger']],
    ['a.c', ['abc', 'a c', 'a😀c'], ['a\nc', 'a\rc', 'a\u2028c', 'ac']],
    ['/a.c/s', ['a\nc', 'a\u2028c'], ['ac']],
    ['^\\s$', [' ', '\t', '\n', '\v', '\u00a0', '\ufeff', '\u3000', '\u2028'], ['a', '\u200b', '']],
    ['^\\S+$', ['a', 'é', '\u200b'], ['a b', 'a\u00a0b']],
    ['^\\d$', ['0', '9'], ['٣', 'a']],
    ['^\\w+$', ['a_Z9'], ['é', 'a-b']],
    ['\\bcat\\b', ['a cat.', 'cat'], ['concat', 'cats']],
    ['^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$', ['a.b@c-d.org'], ['a b@c.org', 'a@b']],
    ['[\\s\\S]', ['\u00a0', '\n', 'a'], ['']],
    ['^[^\\s]$', ['a'], ['\u00a0']],
    ['^[\\]\\\\^-]$', [']', '\\', '^', '-'], ['a']],
    ['[[:alpha:]]', ['a]', ':]'], ['a', 'b]']],
    ['\\A\\z\\Qa', ['AzQa'], ['a']],
    ['a{,2}', ['a{,2}'], ['aa']],
    ['^x{2,3}$', ['xx', 'xxx'], ['x', 'xxxx']],
    ['(?<year>\\d{4})-\\d\\d', ['2026-11'], ['26-11']],
    ['\\u0041\\x42\\t', ['AB\t'], ['AB']],
    ['/^\\u{1f600}$/u', ['😀'], ['😃']],
    ['/^\\p{Lu}\\p{L}*$/u', ['Élan'], ['élan']],
    ['/^\\p{Script=Greek}+$/u', ['αβγ'], ['abc']],
    ['^[^]$', ['\n', 'a'], ['', 'ab']],
    ['[]', [], ['', 'a']],
    ['a(?=b)', ['ab'], ['ac', 'a']],
    ['a(?!b)', ['ac', 'a'], ['ab']],
    ['(?<=\\$)\\d', ['$4'], ['€4']],
    ['(?<!\\$)\\b\\d', ['€4'], ['$4']],
    ['^(a|b)\\1$', ['aa', 'bb'], ['ab']],
    ['^(?:a{600}){2}$', ['a'.repeat(1200)], ['a'.repeat(1199)]],
    ['/a/g', ['a', 'ba'], ['b']],
    ['/path\\/to/', ['path/to'], ['/path\\/to/']],
    ['/tmp/out', ['in /tmp/out'], ['tmp']],
    ['', ['', 'a'], []],
    ['//', ['a//b'], ['a']],
  ])('%j', async (source, matching, others) => {
    const regex = await compiled(source)
    expect(matching.filter((text) => !regex.test(text))).toEqual([])
    expect(others.filter((text) => regex.test(text))).toEqual([])
  })

  test('gives the same answer when asked twice', async () => {
    const regex = await compiled('/a/g')
    expect([regex.test('aa'), regex.test('aa'), regex.test('aa')]).toEqual([true, true, true])
  })

  test('differs from JavaScript where the two engines must: characters are code points', async () => {
    expect([(await compiled('^.$')).test('😀'), /^.$/.test('😀')]).toEqual([true, false])
    expect([(await compiled('/k/i')).test('\u212a'), /k/i.test('\u212a')]).toEqual([true, false])
  })

  test('agrees with the native engine', async () => {
    const atom = fc.constantFrom(
      ...[
        'a',
        'k',
        'A',
        '1',
        '_',
        '-',
        ' ',
        'é',
        '\\d',
        '\\D',
        '\\w',
        '\\W',
        '\\s',
        '\\S',
        '.',
        '\\b',
        '\\B',
        '^',
        '$',
      ],
      ...[
        '\\n',
        '\\v',
        '\\0',
        '\\x41',
        '\\u0041',
        '\\cA',
        '\\/',
        '\\-',
        '\\a',
        '\\A',
        '\\z',
        '\\Q',
        '\\E',
        '\\C',
        '\\h',
      ],
      ...[
        '[ab]',
        '[^a-c\\d]',
        '[\\s\\S]',
        '[\\d-]',
        '[a-]',
        '[]',
        '[^]',
        '[\\b]',
        '[[:alpha:]]',
        '[\\W_]',
        '{',
        '}',
        ']',
      ],
      ...[
        '{,2}',
        '/',
        '#',
        '\\8',
        '\\pL',
        '\\p{L}',
        '\\P{Lu}',
        '\\x4',
        '\\u12',
        '\\01',
        '[a-\\d]',
        '[\\x7b-\\xff]',
        '\\k',
      ],
    )
    const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}', '{1,2}', '{0,}')
    const pattern = fc.letrec<{ alternatives: string; sequence: string; item: string }>((tie) => ({
      alternatives: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('|')),
      sequence: fc
        .array(fc.tuple(tie('item'), quantifier), { maxLength: 4 })
        .map((items) => items.map((item) => item.join('')).join('')),
      item: fc.oneof(
        { weight: 8, arbitrary: atom },
        fc
          .tuple(fc.constantFrom('(', '(?:', '(?<n>', '(?<=', '(?<!', '(?=', '(?!'), tie('alternatives'))
          .map(([opening, inside]) => `${opening}${inside})`),
      ),
    })).alternatives
    const flags = fc.subarray(['i', 'm', 's', 'u']).map((letters) => letters.join(''))
    const piece = fc.constantFrom(...'abAkK1_- éÉ\n\r\t\v\u2028\u00a0xdsw[]{\\/\0\bQzpL'.split(''), 'a]', ',2}')
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    let translated = 0

    await fc.assert(
      fc.asyncProperty(pattern, flags, fc.array(text, { minLength: 3, maxLength: 6 }), async (body, letters, texts) => {
        const source = `/${body}/${letters}`
        fc.pre(body !== '' && isValidRegex(source) === undefined)
        const has = (flag: string) => letters.includes(flag)
        if (translateRegex(body, { i: has('i'), m: has('m'), s: has('s'), u: has('u') }) !== undefined) translated += 1
        const regex = await compiled(source)
        const native = new RegExp(body, letters)
        for (const each of texts) expect([source, each, regex.test(each)]).toEqual([source, each, native.test(each)])
      }),
      { numRuns: 3_000 },
    )
    expect(translated).toBeGreaterThan(1_500)
  })

  test.each([
    ['(a+)+$', `${'a'.repeat(1_000_000)}b`],
    ['^(\\w+\\s?)*$', `${'word '.repeat(100_000)}!`],
    ['(.*)*x', 'a'.repeat(100_000)],
  ])('decides %j on a hostile text', async (source, text) => {
    const regex = await compiled(source)
    const started = performance.now()
    expect(regex.test(text)).toBe(false)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  test('stops a pattern that only the native engine knows, and says so', async () => {
    const regex = await compiled('(?=a)(a+)+$')
    const started = performance.now()
    expect(() => regex.test(`${'a'.repeat(60)}b`)).toThrow(RegexTimeout)
    expect(() => regex.test(`${'a'.repeat(60)}b`)).toThrow(
      expect.objectContaining({
        code: 'regex_timeout',
        message: 'whether /(?=a)(a+)+$/ matches takes longer than 250 ms to find out',
      }),
    )
    expect(performance.now() - started).toBeLessThan(3_000)
    expect(regex.test('aaa')).toBe(true)
  })

  test('says so, too, when the native engine runs out of room', async () => {
    const regex = await compiled('^(?=a)(?:a|b)*c')
    expect(() => regex.test('ab'.repeat(5_000_000))).toThrow(RegexTimeout)
  })

  test('keeps a compiled pattern', async () => {
    expect(await compiled('kept \\d')).toBe(await compiled('kept \\d'))
  })
})

describe('isValidRegex', () => {
  test.each([
    ['a+', undefined],
    ['/a+/ims', undefined],
    ['(', 'not a regular expression: Unterminated group'],
    ['/[z-a]/', 'not a regular expression: Range out of order in character class'],
    ['/a/gg', "not a regular expression: Invalid flags supplied to RegExp constructor 'gg'"],
    ['/a/y', 'the flag "y" has no use here: flags are i, m, s, g and u'],
    ['a'.repeat(10_001), 'the pattern is longer than 10000 characters'],
  ])('%j', async (source, message) => {
    expect(isValidRegex(source)).toBe(message)
    const result = await compileRegex(source)
    expect(result.ok ? undefined : result.message).toBe(message)
  })

  test('tells where flags go to who writes them inside', () => {
    expect(isValidRegex('(?ix)total')).toMatch(/^not a regular expression: .*; flags go after the pattern: \/…\/i$/)
  })
})
