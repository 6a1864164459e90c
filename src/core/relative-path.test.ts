import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostilePaths } from './ports.contract.test-support.ts'
import { relativePath } from './relative-path.ts'

describe('a path that a stranger wrote', () => {
  test.each([
    ['a/b.txt', 'a/b.txt'],
    ['./a//b/', 'a/b'],
    ['.', ''],
    ['./', ''],
    ['a/./b', 'a/b'],
    ['..a/b..', '..a/b..'],
    ['...', '...'],
    ['größe/日本.txt', 'größe/日本.txt'],
    ['a b/~x', 'a b/~x'],
    ['~$draft.docx', '~$draft.docx'],
    ['a'.repeat(1024), 'a'.repeat(1024)],
    // Nothing is decoded, and no look-alike is a dot or a slash.
    ['%2e%2e/a', '%2e%2e/a'],
    ['..%2fa', '..%2fa'],
    ['..%5ca', '..%5ca'],
    ['\u2024\u2024/a', '\u2024\u2024/a'],
    ['\uff0e\uff0e/a', '\uff0e\uff0e/a'],
    ['..\u2215a', '..\u2215a'],
    ['..\uff0fa', '..\uff0fa'],
    ['..\u2044a', '..\u2044a'],
    ['a. /b .', 'a. /b .'],
  ])('is brought to one spelling: %s', (written, path) => {
    expect(relativePath(written)).toEqual({ path })
  })

  test.each(hostilePaths)('is refused with %s', (_, written) => {
    expect(relativePath(written)).toEqual({ problem: expect.stringMatching(/^the path /) })
  })

  test.each(['./~/x', './/C:x', './..', 'a/.. ', 'a/.. /b', '. ', 'a/...  /b'])(
    'is refused also behind a dot: %s',
    (written) => {
      expect(relativePath(written)).toHaveProperty('problem')
    },
  )

  test('is refused in words', () => {
    const problems = ['', '..', '/a', '~', 'a\\b', 'C:x', 'a\tb', 'a\x85b', 'a\ud800', '.. /a', 'a'.repeat(1025)].map(
      (written) => relativePath(written),
    )
    expect(problems.map((result) => 'problem' in result && result.problem)).toEqual([
      'the path is empty',
      'the path has "..", which would leave the folder',
      'the path is absolute: give a relative one',
      'the path is absolute: give a relative one',
      'the path has a backslash: use forward slashes',
      'the path names a drive: give a relative one',
      'the path has a control character',
      'the path has a control character',
      'the path has half a character (a lone surrogate)',
      'the path has dots and spaces for a name',
      'the path is longer than 1,024 characters',
    ])
  })

  test('stays inside, and the same once it has been brought to one spelling', () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'b.txt', '~', 'C:', '...', '.. ', '\\', '\0')
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const result = relativePath(parts.join('/'))
        if ('problem' in result) return
        expect(result.path.split('/')).not.toContain('..')
        expect(result.path.startsWith('/')).toBe(false)
        if (result.path !== '') expect(relativePath(result.path)).toEqual(result)
      }),
    )
  })
})
