import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadMarkdown } from './markdown.ts'

const { headings, section } = await loadMarkdown()

const report = `Intro

# Report

Summary
-------

All went well.

## Revenue

Up.

### By month

| a |

## Costs ##

Down.

# Appendix
`

describe('headings', () => {
  test('lists levels, texts and lines', () => {
    expect(headings(report)).toEqual([
      { level: 1, text: 'Report', line: 2 },
      { level: 2, text: 'Summary', line: 4 },
      { level: 2, text: 'Revenue', line: 9 },
      { level: 3, text: 'By month', line: 13 },
      { level: 2, text: 'Costs', line: 17 },
      { level: 1, text: 'Appendix', line: 21 },
    ])
  })

  test.each<[string, string[]]>([
    ['```md\n# Not one\n```\n# One\n', ['One']],
    ['~~~\n# Not one\n', []],
    ['    # Code\n', []],
    ['<!--\n# Comment\n-->\n# One\n', ['One']],
    ['> # Quoted\n\n- # Listed\n\n# One', ['One']],
    ['#No blank\n####### Seven\n', []],
    ['# **Bold** `code` [link](x) ![image](y) &amp; \\*star\\*\n', ['Bold code link image & *star*']],
    ['# [ref]\n\n[ref]: http://x\n', ['ref']],
    ['Two\nlines\n===\n', ['Two lines']],
    ['# A\r\n\r\n# B\r# C\n', ['A', 'B', 'C']],
    ['#\n', ['']],
    ['', []],
  ])('reads %j', (text, expected) => {
    expect(headings(text).map((heading) => heading.text)).toEqual(expected)
  })

  test.each(['[', '*a ', '> ', '- ', '`', '# ', '<!--', '[a](', '![', '[a]: b\n', '- a\n  ', '_a __', '<a '])(
    'reads a heading of 100,000 characters of %j in time',
    (unit) => {
      const started = performance.now()
      headings(`# ${unit.repeat(100_000 / unit.length)}`)
      headings(unit.repeat(100_000 / unit.length))
      expect(performance.now() - started).toBeLessThan(2_000)
    },
  )
})

describe('section', () => {
  const revenue = '## Revenue\n\nUp.\n\n### By month\n\n| a |\n\n'

  test.each<[string, string | undefined]>([
    ['Revenue', revenue],
    ['## Revenue', revenue],
    ['## Revenue ##', revenue],
    ['#revenue', revenue],
    ['revenue', revenue],
    ['REVENUE', revenue],
    [' Revenue ', revenue],
    ['# Revenue', undefined],
    ['#by-month', '### By month\n\n| a |\n\n'],
    ['Summary', 'Summary\n-------\n\nAll went well.\n\n'],
    ['Costs', '## Costs ##\n\nDown.\n\n'],
    ['Appendix', '# Appendix\n'],
    ['Profit', undefined],
    ['', undefined],
  ])('%j', (heading, expected) => {
    expect(section(report, heading)).toBe(expected)
  })

  test('takes the exact heading before one in another case', () => {
    const text = '# notes\na\n# Notes\nb\n# NOTES\nc'
    expect(section(text, 'Notes')).toBe('# Notes\nb\n')
    expect(section(text, 'nOtes')).toBe('# notes\na\n')
  })

  test('numbers the fragments of headings that are the same', () => {
    const text = '# Same?\n1\n# Same!\n2\n'
    expect([section(text, '#same'), section(text, '#same-1')]).toEqual(['# Same?\n1\n', '# Same!\n2\n'])
  })

  test('keeps the line ends of the text', () => {
    expect(section('# A\r\nx\r\n# B\r\n', 'A')).toBe('# A\r\nx\r\n')
  })

  test('gives a part of the text for each of its headings', () => {
    const piece = fc.constantFrom('# a\n', '## b\n', 'c\n===\n', '```\n', '\n', 'text\n', '\r\n', '> # q\n', '### a\r')
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        for (const heading of headings(text)) expect(text).toContain(section(text, heading.text) ?? 'nothing')
      }),
    )
  })
})
