import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { globFault, isGlob, matchesGlob } from './glob.ts'

describe('matchesGlob', () => {
  test.each<[string, string[], string[]]>([
    ['*.md', ['a.md', '.hidden.md', '.md'], ['a/b.md', 'a.txt', 'a.md.bak']],
    ['**/*.md', ['a.md', 'a/b/c.md', '.x/.y.md'], ['a.txt']],
    ['data/**', ['data/a', 'data/a/b.csv', 'data/.x', 'data'], ['database/a', 'x/data/a']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'ab']],
    ['a**b.md', ['ab.md', 'axxb.md'], ['a/b.md']],
    ['**', ['a', 'a/b', '.a/b'], ['..', 'a/../b']],
    ['*', ['a', '.a'], ['a/b', '..', '']],
    ['?.txt', ['a.txt', 'é.txt'], ['ab.txt', '/.txt']],
    ['[a-c]?', ['ax', 'cx'], ['dx', 'a']],
    ['[!a-c]x', ['dx', '!x'], ['ax']],
    ['[^a-c]x', ['dx'], ['ax']],
    ['{a,b/c}.txt', ['a.txt', 'b/c.txt'], ['b.txt', '{a,b/c}.txt']],
    ['{a,{b,c}}', ['a', 'b', 'c'], ['d']],
    ['page-{1..12}', ['page-1', 'page-12'], ['page-0', 'page-13', 'page-']],
    ['{a..c}1', ['a1', 'c1'], ['d1']],
    ['report (1).csv', ['report (1).csv'], ['report 1.csv']],
    ['c++.md', ['c++.md'], ['c.md', 'cc.md']],
    ['a|b', ['a|b'], ['a', 'b']],
    ['+(a)', ['+(a)'], ['a', 'aa']],
    ['!secret', ['!secret'], ['other', 'secret']],
    ['@(a|b)*', ['@(a|b)', '@(a|b)x'], ['a', 'b']],
    ['"q"', ['"q"'], ['q']],
    ['\\*', ['*'], ['a', '\\*']],
    ['\\[a]', ['[a]'], ['a']],
    ['$x^', ['$x^'], ['x']],
    ['a.b', ['a.b'], ['axb']],
    ['scripts/*.py', ['scripts/top.py'], ['scripts/sub/top.py', 'scripts/top.pyc']],
  ])('%j', (pattern, matching, others) => {
    expect(matching.filter((path) => !matchesGlob(pattern, path))).toEqual([])
    expect(others.filter((path) => matchesGlob(pattern, path))).toEqual([])
  })

  test('a pattern without wildcards matches itself and nothing else', () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab().+|$^!@-_ "\'é,:;=~#%&'), minLength: 1 })
    fc.assert(
      fc.property(name, name, (pattern, path) => {
        expect(matchesGlob(pattern, pattern)).toBe(true)
        expect(matchesGlob(pattern, path)).toBe(pattern === path)
      }),
    )
  })

  test('agrees with a plain matcher on stars and question marks', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', '.', '*', '?', '/', '**/'), { minLength: 1, maxLength: 8 })
    const path = fc.array(fc.constantFrom('a', 'b', '.a', '/'), { minLength: 1, maxLength: 8 })
    const isClean = (text: string) => !/^\/|\/\/|\/$|(^|\/)\.{1,2}(\/|$)/.test(text)
    fc.assert(
      fc.property(
        pattern.map((p) => p.join('').replaceAll(/\*{2,}(?!\/)|(?<=[^/])\*{2,}/g, '*')).filter(isClean),
        path.map((p) => p.join('')).filter(isClean),
        (glob, text) => {
          expect([glob, text, matchesGlob(glob, text)]).toEqual([glob, text, plainMatch(glob, text)])
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['**/a/**/a/**/a/**/a/**/b', 'a/'.repeat(2_000)],
    ['*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(5_000)],
    ['{a,a}'.repeat(10), `${'a'.repeat(10)}b`],
    [`${'{a,aa}'.repeat(10)}*b`, 'a'.repeat(50_000)],
  ])('does not hang on %j', (pattern, path) => {
    const started = performance.now()
    try {
      expect(matchesGlob(pattern, path)).toBe(false)
    } catch (error) {
      expect(error).toMatchObject({ code: 'glob_timeout' })
    }
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test.each(['', '{a,b', '[z-a]', '{1..1000000}', '{9..1}', '{a,b}'.repeat(40), '*/'.repeat(40), 'a'.repeat(1_001)])(
    'refuses %j',
    (pattern) => {
      expect(globFault(pattern)).toEqual(expect.any(String))
      expect(() => matchesGlob(pattern, 'a')).toThrow(expect.objectContaining({ code: 'invalid_glob' }))
    },
  )

  test('finds no fault in a good pattern', () => {
    expect(globFault('src/**/*.{ts,tsx}')).toBe(undefined)
  })

  test('decides or refuses any pattern and path', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'ab*?[]{}(),.\\/!|+^$-:'), maxLength: 30 })
    fc.assert(
      fc.property(hostile, hostile, (pattern, path) => {
        if (globFault(pattern) === undefined) expect(matchesGlob(pattern, path)).toEqual(expect.any(Boolean))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('isGlob', () => {
  test.each(['*', 'a/**', 'a?c', '[ab]', 'x{a,b}', '{1..3}'])('%j is one', (pattern) => {
    expect(isGlob(pattern)).toBe(true)
  })

  test.each(['', 'a.md', 'a/b', '\\*', 'x{a}', 'f(x)', 'a+b', '!a', '[]'])('%j is none', (pattern) => {
    expect(isGlob(pattern)).toBe(false)
  })
})

/** The definition, without any cleverness: parts one by one, characters one by one. */
const plainMatch = (pattern: string, path: string): boolean => {
  const parts = (globs: string[], names: string[]): boolean => {
    const [glob, ...rest] = globs
    if (glob === undefined) return names.length === 0
    if (glob === '**') return parts(rest, names) || (names.length > 0 && parts(globs, names.slice(1)))
    return names[0] !== undefined && part(glob, names[0]) && parts(rest, names.slice(1))
  }
  const part = (glob: string, name: string): boolean => {
    if (glob === '') return name === ''
    if (glob[0] === '*') return part(glob.slice(1), name) || (name !== '' && part(glob, name.slice(1)))
    return name !== '' && (glob[0] === '?' || glob[0] === name[0]) && part(glob.slice(1), name.slice(1))
  }
  return parts(pattern.split('/'), path.split('/'))
}
