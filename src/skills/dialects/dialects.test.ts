import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../../adapters/memory/memory-files.ts'
import { validateSkill } from '../validate-skill.ts'
import { foreignField, profileNames, type SkillProfile } from './dialects.ts'
import { readSidecar } from './hermes-sidecar.ts'

const validate = async (
  profile: SkillProfile,
  frontmatter: string,
  body = '# X\n',
  more: Record<string, string> = {},
) => {
  const files = memoryFiles({
    '/s/x/SKILL.md': `---\n${frontmatter}---\n${body}`,
    ...Object.fromEntries(Object.entries(more).map(([path, text]) => [`/s/x/${path}`, text])),
  })
  const { diagnostics } = await validateSkill('/s/x', files, { profile })
  return diagnostics.map(
    ({ severity, code, line, column }) =>
      `${severity} ${code.replace('skill/', '')}${line ? ` ${line}:${column}` : ''}`,
  )
}
const plain = 'name: x\ndescription: Does x. Use when testing.\n'

describe('a profile', () => {
  test.each(profileNames.filter((name) => name !== 'hermes'))('%s finds nothing in a plain skill', async (profile) => {
    expect(await validate(profile, plain)).toEqual([])
  })

  test.each<[SkillProfile, string, string]>([
    ['claude-code', 'context: fork\nmodel: opus\n', 'error unknown-field'],
    ['saa', 'allowed_tools:\n  - Read\n', 'error unknown-field'],
    ['harness9', 'trigger: tables\n', 'error unknown-field'],
    ['hermes', 'hermes_version: ">=3.0.0"\ntools_required: [a]\n', 'error unknown-field'],
  ])('%s knows its own fields, which the standard does not', async (profile, fields, error) => {
    const own = await validate(profile, plain + fields)
    expect(own.filter((found) => found.includes('unknown-field'))).toEqual([])
    expect((await validate('spec', plain + fields)).join()).toContain(error)
    for (const other of profileNames)
      if (other !== profile && other !== 'claude-code')
        expect((await validate(other, plain + fields)).join()).toContain(error)
  })

  test.each<[SkillProfile, string, readonly string[]]>([
    ['claude-code', 'description: Use when x.\n', []],
    ['claude-code', `${plain}foo: 1\n`, []],
    ['claude-code', `${plain}context: spoon\n`, ['warning dialect-value 4:10']],
    ['claude-code', `${plain}user-invocable: maybe\n`, ['warning control-flag 4:17', 'warning dialect-value 4:17']],
    ['claude-code', `${plain}disable-model-invocation: true\nuser-invocable: no\n`, ['warning dialect-value 5:17']],
    ['claude-code', `${plain}argument-hint: "[file]"\n`, ['warning dialect-ignored 4:1']],
    ['claude-code', `${plain}when_to_use: ${'x'.repeat(1520)}\n`, ['warning dialect-limit 3:14']],
    ['saa', `${plain}allowed-tools: Read\n`, ['warning dialect-ignored 4:1']],
    ['saa', `${plain}allowed_tools: Read Write\n`, ['warning dialect-value 4:16']],
    ['saa', 'name: x\ndescription: Does x --- use when y.\n', ['error dialect-parser 3:21']],
    ['harness9', 'name: x\ndescription: >\n  Use when y.\n', ['error dialect-parser 3:1']],
    ['spec', `${plain}allowed-tools: Read\n`, []],
  ])('%s: %j', async (profile, frontmatter, expected) => {
    expect(await validate(profile, frontmatter)).toEqual(expected)
  })

  test.each<[string, string, readonly string[]]>([
    ['arguments: from to\nargument-hint: "[from] [to]"\n', 'From $from to $to\n', []],
    ['arguments: from to\n', 'From $0 to $1\n', []],
    ['arguments: from to\n', 'From $from\n', ['warning dialect-ignored 4:12']],
    ['argument-hint: "[file]"\n', 'Read \\$ARGUMENTS of ${CLAUDE_SKILL_DIR}\n', ['warning dialect-ignored 4:1']],
  ])('arguments of Claude Code: %j, %j', async (fields, body, expected) => {
    expect(await validate('claude-code', plain + fields, body)).toEqual(expected)
  })

  test('harness9 reads no CRLF', async () => {
    expect(await validate('harness9', plain.replaceAll('\n', '\r\n'))).toEqual(['error dialect-parser 2:8'])
  })

  test('with $ARGUMENTS an argument-hint is no promise', async () => {
    expect(await validate('claude-code', `${plain}argument-hint: "[file]"\n`, 'Read $ARGUMENTS\n')).toEqual([])
  })
})

describe('Hermes', () => {
  const sections = '# X\n\n## Overview\n\nO\n\n## Usage\n\nU\n'
  const sidecar = JSON.stringify({ id: 'x', version: '1.2.0', tags: ['a'], tools_required: ['web_search'] })

  test.each<[string, string, string, Record<string, string>, readonly string[]]>([
    ['all is there', plain, sections, { 'skill.json': sidecar }, []],
    ['no skill.json', plain, sections, {}, ['error sidecar-missing']],
    ['no JSON', plain, sections, { 'skill.json': '{' }, ['error sidecar-invalid']],
    ['no id and version', plain, sections, { 'skill.json': '{}' }, ['error sidecar-invalid', 'error sidecar-invalid']],
    [
      'another version',
      `${plain}version: 1.3.0\n`,
      sections,
      { 'skill.json': sidecar },
      ['warning sidecar-conflict 4:10'],
    ],
    [
      'no semver',
      `${plain}version: "1"\n`,
      sections,
      { 'skill.json': sidecar },
      ['warning sidecar-conflict 4:10', 'warning dialect-value 4:10'],
    ],
    ['no sections', plain, '# X\n', { 'skill.json': sidecar }, ['warning dialect-section', 'warning dialect-section']],
  ])('%s', async (_name, frontmatter, body, more, expected) => {
    expect(await validate('hermes', frontmatter, body, more)).toEqual(expected)
  })

  test('a field of skill.json of another kind is left out, and told', () => {
    expect(
      readSidecar('{"id": 5, "version": "v1", "tools_required": "a", "tags": ["b", "b"], "__proto__": 1}'),
    ).toEqual({
      sidecar: {
        id: undefined,
        version: 'v1',
        tags: ['b'],
        toolsRequired: [],
        toolsOptional: [],
        hermesVersion: undefined,
        entryPoint: undefined,
      },
      problems: [
        'the version v1 in skill.json is not of the form 1.2.3',
        'id in skill.json is not a text',
        'tools_required in skill.json is not a list of texts',
      ],
    })
    expect(readSidecar('[1]').sidecar).toBeUndefined()
  })
})

test('of each field it is known what becomes of it here', () => {
  expect(foreignField('allowed_tools')).toMatchObject({ system: 'Spring AI Alibaba', use: 'acted on' })
  expect(foreignField('trigger')).toMatchObject({ system: 'harness9', use: 'shown only' })
  expect(foreignField('arguments')).toMatchObject({ system: 'Claude Code', use: 'acted on' })
  expect(foreignField('model')).toMatchObject({ system: 'Claude Code', use: 'ignored' })
  expect(foreignField('tools_required')).toMatchObject({ system: 'Hermes', use: 'acted on' })
  expect(foreignField('run-mode')).toMatchObject({ system: 'skills-eval' })
  expect(foreignField('constructor')).toBeUndefined()
})
