import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mapStrings, placeholders } from './placeholders.ts'

const { hide, show, showValue } = placeholders([
  { name: 'workspace', path: '/tmp/run/1-workspace' },
  { name: 'temporary', path: '/tmp/run/1' },
  { name: 'skill:csv', path: '/home/a/shop/skills/csv' },
  { name: 'project', path: '/home/a/shop' },
  { name: 'home', path: '/home/a' },
  { name: 'home', path: '/private/home/a' },
])

describe('paths of the machine', () => {
  test.each([
    ['/tmp/run/1-workspace/data.csv', '[path:workspace]/data.csv'],
    ['cd /tmp/run/1/x', 'cd [path:temporary]/x'],
    ['/tmp/run/10/x', '/tmp/run/10/x'],
    ['"/home/a/shop/skills/csv"', '"[path:skill:csv]"'],
    ['/home/a/shop/skills/csv-2', '[path:project]/skills/csv-2'],
    ['/home/a/shop.', '[path:project].'],
    ['/home/a/shop.bak', '[path:home]/shop.bak'],
    ['/home/ab and /mnt/home/a', '/home/ab and /mnt/home/a'],
    ['/home/a:/home/a', '[path:home]:[path:home]'],
    ['/private/home/a/x', '[path:home]/x'],
  ])('%s is %s', (text, hidden) => {
    expect(hide(text)).toBe(hidden)
  })

  test('names that mktemp makes are all the same, and only there', () => {
    expect(hide('/tmp/run/1/tmp.x8Kw2Q/a')).toBe('[path:temporary]/tmp/a')
    expect(hide('/tmp/run/1/tmpa8k_2q')).toBe('[path:temporary]/tmp')
    expect(hide('/tmp/tmp.x8Kw2Q')).toBe('/tmp/tmp.x8Kw2Q')
  })

  test('a path as an attribute has it is found too', () => {
    const { hide: hideOdd } = placeholders([{ name: 'project', path: '/home/a&b/"w"' }])
    expect(hideOdd('folder="/home/a&amp;b/&quot;w&quot;/skills" /home/a&b/"w"/x')).toBe(
      'folder="[path:project]/skills" [path:project]/x',
    )
  })

  test('a home that is the root or nothing hides nothing', () => {
    const { hide: hideRoot } = placeholders([
      { name: 'home', path: '/' },
      { name: 'home', path: '' },
    ])
    expect(hideRoot('/etc/passwd')).toBe('/etc/passwd')
    expect(placeholders([]).hide('/etc')).toBe('/etc')
  })

  test('a place that ends with a slash is the place without it', () => {
    expect(placeholders([{ name: 'home', path: '/home/a/' }]).hide('/home/a/x /home/a')).toBe(
      '[path:home]/x [path:home]',
    )
  })

  test('of two names for one place the first counts', () => {
    const same = placeholders([
      { name: 'project', path: '/w' },
      { name: 'home', path: '/w' },
    ])
    expect(same.hide('/w/x')).toBe('[path:project]/x')
    expect(same.show('[path:home]/x')).toBe('/w/x')
  })

  test('a name that is no place of this machine stays', () => {
    expect(show('[path:skill:other]/x [path:constructor]')).toBe('[path:skill:other]/x [path:constructor]')
  })

  test('values are changed in their strings and keys', () => {
    expect(showValue({ '[path:home]/k': [1, null, '[path:home]/v'] })).toEqual({ '/home/a/k': [1, null, '/home/a/v'] })
  })

  test('a value that a model nests without end is cut off', () => {
    let deep: unknown = 'x'
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(JSON.stringify(mapStrings(deep, (text) => text))).toContain('…')
  })

  const piece = fc.constantFrom(
    '/home/a',
    '/home/a/shop',
    '/tmp/run/1-workspace',
    '/home/a/shop/skills/csv',
    '[path:',
    '[path:workspace]',
    '[path:]',
    ']',
    '/',
    ' ',
    'x',
    '.',
    '$&',
    '\n',
  )
  test('what was hidden is shown again, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        expect(show(hide(text))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })
})
