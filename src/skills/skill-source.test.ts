import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import type { Files } from '../core/ports.ts'
import { indexSkills } from './index-skills.ts'
import { skillSource } from './skill-source.ts'

const text = (name: string, more = '', body = `# ${name}\n`) =>
  `---\nname: ${name}\ndescription: Does ${name}. Use for ${name}.\n${more}---\n${body}`

const entries = {
  '/p/csv-analyzer/SKILL.md': text('csv-analyzer'),
  '/p/csv-analyzer/references/kpi.md': '# KPI\n\n## Revenue\n\nMoney in.\n',
  '/p/pdf-forms/SKILL.md': text('pdf-forms'),
  '/p/hidden/SKILL.md': text('hidden', 'disable-model-invocation: true\n'),
  '/p/private/SKILL.md': text('private', 'user-invocable: false\n'),
  '/u/csv-analyzer/SKILL.md': text('csv-analyzer'),
  '/u/Report/SKILL.md': text('Report'),
  '/link.md': { link: '/p/pdf-forms/SKILL.md' },
}
const open = (files: Files = memoryFiles(entries)) =>
  skillSource(
    indexSkills(
      [
        { path: '/p', source: 'project' },
        { path: '/u', source: 'user' },
      ],
      files,
    ),
    files,
    { maxBodyLines: 500, overLong: 'warn' },
  )

const fileOf = (found: object) => ('file' in found ? found.file : found)

describe('resolve', () => {
  const source = open()
  test.each([
    [{ name: 'csv-analyzer' }, '/p/csv-analyzer/SKILL.md'],
    [{ name: ' csv-analyzer ' }, '/p/csv-analyzer/SKILL.md'],
    [{ name: 'ｃｓｖ-analyzer' }, '/p/csv-analyzer/SKILL.md'],
    [{ name: 'CSV-Analyzer' }, '/p/csv-analyzer/SKILL.md'],
    [{ name: 'csv-analyzer', source: 'project' }, '/p/csv-analyzer/SKILL.md'],
    [{ name: 'report' }, '/u/Report/SKILL.md'],
    [{ name: 'private' }, '/p/private/SKILL.md'],
  ])('%j is %s', (ref, file) => {
    expect(fileOf(source.resolve(ref))).toBe(file)
  })

  test('an unknown name answers with those there are, nearest first', () => {
    expect(source.resolve({ name: 'pdf-form' })).toEqual({
      problem: 'There is no skill "pdf-form". Skills, nearest first: pdf-forms, Report, csv-analyzer, private.',
    })
    expect(source.resolve({ name: '__proto__' })).toHaveProperty('problem')
    expect(source.resolve({ name: 'x\u001b[2J' })).toMatchObject({ problem: expect.stringContaining('"x\\x1b[2J"') })
  })

  test('at most 20 names', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`/p/s${i}/SKILL.md`, text(`s${i}`)]))
    const { problem } = open(memoryFiles(many)).resolve({ name: 'nothing-like-it' }) as { problem: string }
    expect(problem).toMatch(/^There is no skill "nothing-like-it"\. Skills, nearest first: (s\d+, ){20}and 10 more\.$/)
  })

  test('without skills it says so', () => {
    expect(open(memoryFiles({ '/p/x': '' })).resolve({ name: 'a' })).toEqual({
      problem: 'There is no skill "a": there are no skills at all.',
    })
  })

  test('a source must agree', () => {
    expect(source.resolve({ name: 'pdf-forms', source: 'user' })).toEqual({
      problem: 'There is no skill "pdf-forms" in user; there is one in: project.',
    })
  })

  test('people reach a shadowed skill by its source, the model does not', () => {
    const ref = { name: 'csv-analyzer', source: 'user' }
    expect(fileOf(source.resolve(ref, 'user'))).toBe('/u/csv-analyzer/SKILL.md')
    expect(source.resolve(ref)).toHaveProperty('problem')
  })

  test('what is hidden from one is unknown to them and known to the other', () => {
    expect(source.resolve({ name: 'hidden' })).toMatchObject({ problem: expect.not.stringContaining('hidden,') })
    expect(fileOf(source.resolve({ name: 'hidden' }, 'user'))).toBe('/p/hidden/SKILL.md')
    expect(source.resolve({ name: 'private' }, 'user')).toHaveProperty('problem')
  })

  test('a name that fits two in other cases is asked for exactly', () => {
    const twins = open(memoryFiles({ '/p/Pdf/SKILL.md': text('Pdf'), '/p/pdf/SKILL.md': text('pdf') }))
    expect(twins.resolve({ name: 'PDF' })).toEqual({ problem: '"PDF" could be Pdf or pdf: write it exactly.' })
    expect(fileOf(twins.resolve({ name: 'Pdf' }))).toBe('/p/Pdf/SKILL.md')
  })
})

describe('the source', () => {
  test('shows what the model may trigger, sorted', () => {
    expect(
      open()
        .visible()
        .map(({ name }) => name),
    ).toEqual(['Report', 'csv-analyzer', 'pdf-forms', 'private'])
  })

  test('knows a skill by the path of its SKILL.md, links resolved', () => {
    const source = open()
    expect(source.byFile('/p/pdf-forms/SKILL.md')?.name).toBe('pdf-forms')
    expect(source.byFile('/link.md')?.name).toBe('pdf-forms')
    expect(source.byFile('/p/pdf-forms/../pdf-forms/SKILL.md')?.name).toBe('pdf-forms')
    expect(source.byFile('/p/csv-analyzer/references/kpi.md')).toBeUndefined()
    expect(source.byFile('/p/hidden/SKILL.md')).toBeUndefined()
  })

  test('searches what is visible', async () => {
    const names = async (query: string) => (await open().search(query, 10)).map(({ name }) => name)
    expect(await names('csv')).toEqual(['csv-analyzer'])
    expect(await names('hidden')).toEqual([])
  })
})

test('nothing of a skill but its head is read before it is selected', async () => {
  const opened: string[] = []
  const body = 'word '.repeat(10_000)
  const large = Object.fromEntries(
    Object.entries(entries).map(([path, content]) => [
      path,
      typeof content === 'string' && path.endsWith('SKILL.md') ? content + body : content,
    ]),
  )
  const source = open(memoryFiles(large, (path, bytes) => opened.push(`${path} ${bytes}`)))
  source.visible()
  await source.search('csv report', 10)
  source.resolve({ name: 'nobody' })
  source.byFile('/p/pdf-forms/SKILL.md')
  expect(opened).toHaveLength(6)
  expect(opened.every((each) => each.endsWith('/SKILL.md 4096'))).toBe(true)

  opened.length = 0
  const skill = source.resolve({ name: 'csv-analyzer' })
  if ('problem' in skill) throw new Error(skill.problem)
  expect(source.body(skill)).toMatchObject({ resources: ['references/kpi.md'] })
  expect(opened).toEqual([expect.stringMatching(/^\/p\/csv-analyzer\/SKILL\.md \d{5}$/)])

  opened.length = 0
  await source.resource(skill, { path: 'references/kpi.md', section: 'Revenue' })
  expect(new Set(opened.map((each) => each.split(' ')[0]))).toEqual(new Set(['/p/csv-analyzer/references/kpi.md']))
})
