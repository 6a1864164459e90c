import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import { availableSkills, type RunTools } from './available-skills.ts'
import { indexSkills } from './index-skills.ts'
import { skillSource } from './skill-source.ts'

const skill = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Finds ${name}. Use it.\n${more}---\n# ${name}\n`
const entries = {
  '/s/plain/SKILL.md': skill('plain'),
  '/s/needs/SKILL.md': skill('needs', 'version: 2.0.0\n'),
  '/s/needs/skill.json': JSON.stringify({
    id: 'needs',
    version: '1.0.0',
    tags: ['web'],
    tools_required: ['web_search', 'Read'],
  }),
}
const sourceOf = (files = memoryFiles(entries)) => {
  const index = indexSkills([{ path: '/s', source: 'project' }], files)
  return { index, source: skillSource(index, files, { maxBodyLines: 500, overLong: 'warn' }) }
}
const tools = (...provided: string[]): RunTools => ({
  own: new Set(['read_file', 'run_script']),
  provided: new Set(provided),
})

describe('a skill that requires tools', () => {
  test('knows them from skill.json, where SKILL.md has the last word', () => {
    const { index } = sourceOf()
    expect(index.diagnostics).toEqual([])
    expect(index.skills[0]).toMatchObject({
      name: 'needs',
      version: '2.0.0',
      tags: ['web'],
      requiredTools: ['web_search', 'Read'],
      extra: { id: 'needs', tools_required: ['web_search', 'Read'] },
    })
    expect(index.skills[1]).not.toHaveProperty('requiredTools')
  })

  test('is as any other where they are there', () => {
    const { source } = sourceOf()
    expect(availableSkills(source, tools('web_search'))).toBe(source)
  })

  test('is not there where one is missing, and that is the answer to who asks for it', async () => {
    const { source } = sourceOf()
    const left = availableSkills(source, tools())
    expect(left.visible().map(({ name }) => name)).toEqual(['plain'])
    expect(left.resolve({ name: 'needs' })).toEqual({
      problem: 'The skill needs is not available: this run has no tool web_search, which it requires.',
    })
    expect(left.resolve({ name: 'plain' })).toMatchObject({ name: 'plain' })
    expect(left.byFile('/s/needs/SKILL.md')).toBeUndefined()
    expect(left.byFile('/s/plain/SKILL.md')).toMatchObject({ name: 'plain' })
    expect((await left.search('finds', 10)).map(({ name }) => name)).toEqual(['plain'])
    expect((await source.search('finds', 10)).map(({ name }) => name)).toEqual(['needs', 'plain'])
  })

  test.each<[string, boolean]>([
    ['read_file', true],
    ['Bash', true],
    ['load_resource', true],
    ['network_request', false],
    ['web_search', false],
    ['(', false],
  ])('%s is there: %s', (tool, isThere) => {
    const files = memoryFiles({ '/s/a/SKILL.md': skill('a', `tools_required: ["${tool}"]\n`) })
    const left = availableSkills(sourceOf(files).source, tools())
    expect(left.visible()).toHaveLength(isThere ? 1 : 0)
  })

  test('a skill.json that can not be read is told, and takes nothing away', () => {
    const files = memoryFiles({ ...entries, '/s/needs/skill.json': '{"tools_required": 5' })
    const { index } = sourceOf(files)
    expect(index.diagnostics).toMatchObject([
      { severity: 'warning', code: 'skill/sidecar-invalid', file: '/s/needs/skill.json' },
    ])
    expect(index.skills).toHaveLength(2)
  })
})
