import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countTokens } from '../../lib/tokens.ts'
import { fitBody } from './body-levels.ts'

const overview = `## Overview\n\n${'what it is for '.repeat(10)}`.trim()
const usage = `## Usage\n\n${'how to do it '.repeat(30)}\n\n### Details\n\nMore.`
const body = `# X\n\n${overview}\n\n## Examples\n\n${'an example '.repeat(300)}\n\n${usage}\n\n## Notes\n\nN\n`
const budget = (text: string) => countTokens(text)

describe('a budget for instructions', () => {
  test.each<[string, number, string, string]>([
    ['all fits', budget(body), 'full', body],
    ['one token too few', budget(body) - 1, 'overview and usage', `${overview}\n\n${usage}`],
    ['less', budget(`${overview}\n\n${usage}`) - 1, 'overview', overview],
    ['nearly nothing', budget(overview) - 1, 'tools', 'Tools: web_search, Read'],
    ['nothing', 1, 'tools', 'Tools: web_search, Read'],
  ])('%s', (_name, maxTokens, level, text) => {
    expect(fitBody(body, ['web_search', 'Read'], maxTokens)).toEqual({ level, text })
  })

  test.each<[string, string, string]>([
    ['no Overview: all', '# X\n\n## Usage\n\nU\n', 'full'],
    ['Overview in code is none', '# X\n```\n## Overview\n```\n', 'full'],
    ['Overview in another case', '# X\n## OVERVIEW ##\no\n', 'overview'],
  ])('%s', (_name, start, level) => {
    expect(fitBody(`${start}\n# Rest\n\n${'word '.repeat(500)}`, [], 20).level).toBe(level)
  })

  test('what is given is within the budget, or the least there is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 800 }), (maxTokens) => {
        const { level, text } = fitBody(body, ['a'], maxTokens)
        expect(level === 'tools' || countTokens(text) <= maxTokens).toBe(true)
      }),
    )
  })
})
