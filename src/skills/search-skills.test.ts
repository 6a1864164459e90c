import { describe, expect, test } from 'vitest'
import type { Skill } from '../core/skill.ts'
import { skillSearch, wordCutter } from './search-skills.ts'

const skill = (name: string, description: string, tags: readonly string[] = []): Skill => ({
  name,
  description,
  source: 'project',
  dir: `/s/${name}`,
  file: `/s/${name}/SKILL.md`,
  hiddenFromModel: false,
  hiddenFromUser: false,
  allowedTools: undefined,
  tags,
  metadata: {},
  extra: {},
})

const skills = [
  skill('csv-analyzer', 'Summarise tables of sales. Use when numbers must be added up.'),
  skill('pdf-forms', 'Fill forms. Use when a csv is not enough.'),
  skill('report-writer', 'Write a report from numbers.', ['csv', 'prose']),
  skill('表格', '数据分析与表格处理。当用户需要分析数据时使用。'),
]
const names = async (query: string, limit = 10) => (await skillSearch(skills)(query, limit)).map(({ name }) => name)

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

describe('skillSearch', () => {
  test('a name counts more than tags, tags more than the description', async () => {
    expect(await names('csv')).toEqual(['csv-analyzer', 'report-writer', 'pdf-forms'])
  })

  test.each([
    ['csv-analyzer', 'csv-analyzer'],
    ['CSV Analyzer', 'csv-analyzer'],
    ['analyz', 'csv-analyzer'],
    ['anlyzer', 'csv-analyzer'],
    ['forms', 'pdf-forms'],
    ['分析', '表格'],
    ['ｐｄｆ', 'pdf-forms'],
  ])('%j finds %s first', async (query, name) => {
    expect((await names(query))[0]).toBe(name)
  })

  test('gives what a list needs, best first, at most `limit`', async () => {
    const hits = await skillSearch(skills)('numbers', 1)
    expect(hits).toEqual([
      {
        name: 'report-writer',
        description: 'Write a report from numbers.',
        source: 'project',
        score: expect.any(Number),
      },
    ])
    expect(await names('numbers', 0)).toEqual([])
  })

  test('ties are broken by name', async () => {
    const twins = ['b', 'c', 'a'].map((name) => skill(`x${name}`, 'the same text'))
    const hits = await skillSearch(twins)('same text', 10)
    expect(hits.map(({ name }) => name)).toEqual(['xa', 'xb', 'xc'])
  })

  test.each(['', '   ', '!?', 'zzzzqqqq'])('%j finds nothing', async (query) => {
    expect(await names(query)).toEqual([])
  })

  test('bears names of the language itself, long queries and no skills', async () => {
    const odd = ['constructor', '__proto__', 'toString'].map((name) => skill(name, name))
    expect((await skillSearch(odd)('constructor', 5))[0]?.name).toBe('constructor')
    expect(await skillSearch(odd)('__proto__', 5)).not.toEqual([])
    const start = process.cpuUsage()
    await names(Array.from({ length: 50_000 }, (_, i) => `word${i}`).join(' '))
    expect(cpuMs(start)).toBeLessThan(1000)
    expect(await skillSearch([])('csv', 5)).toEqual([])
  })
})

test('words: hyphenated names also in parts, unspaced scripts by their words', () => {
  const cut = wordCutter()
  expect(cut('Csv-Analyzer, top_months v2!')).toEqual([
    'csv-analyzer',
    'csv',
    'analyzer',
    'top_months',
    'top',
    'months',
    'v2',
  ])
  expect(cut('数据分析 ok')).toEqual(['数据', '分析', 'ok'])
})
