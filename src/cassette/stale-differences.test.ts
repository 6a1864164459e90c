import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differenceList, staleDifferences } from './stale-differences.ts'

describe('what differs from a recording', () => {
  test('is told whole where it is short, and by name where there are several texts', () => {
    expect(staleDifferences('input', 'Which two?', 'Which?')).toEqual([
      { part: 'input', recorded: 'Which two?', now: 'Which?' },
    ])
    expect(staleDifferences('body:csv', undefined, 'new')).toEqual([{ part: 'body:csv', recorded: null, now: 'new' }])
    expect(staleDifferences('index', { a: 'x', b: 'y', gone: '1' }, { a: 'x', b: 'z', come: '2' })).toEqual([
      { part: 'index', of: 'b', recorded: 'y', now: 'z' },
      { part: 'index', of: 'come', recorded: null, now: '2' },
      { part: 'index', of: 'gone', recorded: '1', now: null },
    ])
  })

  test('is cut around the place where the two part, with the lines before it', () => {
    const lines = Array.from({ length: 2_000 }, (_, i) => `line ${i}`)
    const changed = lines.with(1_500, 'LINE 1500')
    const [difference] = staleDifferences('system', lines.join('\n'), changed.join('\n'))
    expect(difference?.recorded).toMatch(/^…line 1498\nline 1499\nline 1500\n[\s\S]{3900,}…$/)
    expect(difference?.now).toMatch(/^…line 1498\nline 1499\nLINE 1500\n/)
  })

  test('of any two long texts shows a place where they differ, in little room', () => {
    const text = fc
      .array(fc.constantFrom('a'.repeat(900), 'b\n', 'c', '\n'), { maxLength: 40 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(text, text, text, (start, a, b) => {
        fc.pre(a !== b)
        const [one] = staleDifferences('system', start + a, start + b)
        expect(one?.recorded).not.toBe(one?.now)
        expect((one?.recorded ?? '').length + (one?.now ?? '').length).toBeLessThanOrEqual(8_004)
      }),
    )
  })

  test('is told once for each part, and of at most twenty', () => {
    const list = differenceList()
    expect(list.told()).toEqual({})
    list.add('input', 'a', 'b')
    list.add('input', 'a', 'c')
    expect(list.told()).toEqual({ differences: [{ part: 'input', recorded: 'a', now: 'b' }] })
    for (let i = 0; i < 30; i++) list.add(`observation:${i}`, 'a', 'b')
    expect(list.told().differences).toHaveLength(20)
  })
})
