import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import { countTokens } from '../lib/tokens.ts'
import { indexSkills } from './index-skills.ts'
import { inspectSkill } from './inspect-skill.ts'
import { renderSkill } from './render-index.ts'

const inspect = async (entries: Parameters<typeof memoryFiles>[0]) => {
  const files = memoryFiles(entries)
  const skill = indexSkills([{ path: '/s', source: 'project' }], files).skills[0]
  if (skill === undefined) throw new Error('no skill')
  return inspectSkill(skill, files)
}

describe('inspectSkill', () => {
  test('tells what a skill is and what each part of it costs', async () => {
    const inspection = await inspect({
      '/s/csv/SKILL.md':
        '---\nname: csv\ndescription: Sum.\nallowed-tools: Read Bash(git:*)\nversion: 1.0\nrun-mode: inline\nfoo: [a]\n---\nDo it.\n\nNow.\n',
      '/s/csv/references/kpi.md': 'Revenue is money in.',
      '/s/csv/scripts/top.py': '#!/usr/bin/env python3',
      '/s/csv/assets/logo.png': new Uint8Array([0x89, 0x50, 0]),
      '/s/csv/evals/a.eval.yaml': 'x',
    })
    expect(inspection).toEqual({
      skill: inspection.skill,
      tokens: {
        index: countTokens(renderSkill(inspection.skill)),
        body: countTokens('Do it.\n\nNow.'),
        resources: countTokens('Revenue is money in.'),
      },
      bodyLines: 3,
      levels: [],
      placeholders: [],
      problems: [],
      files: [
        { path: 'assets/logo.png', kind: 'binary', bytes: 3 },
        { path: 'references/kpi.md', kind: 'text', bytes: 20, tokens: countTokens('Revenue is money in.') },
        { path: 'scripts/top.py', kind: 'script', bytes: 22 },
      ],
      complete: true,
      allowedTools: [{ field: 'allowed-tools', value: 'Read Bash(git:*)' }],
      extra: [
        { field: 'version', value: '1.0', system: 'common', use: 'acted on', meaning: 'the version of the skill' },
        { field: 'run-mode', value: 'inline', system: 'skills-eval', use: 'acted on', meaning: expect.any(String) },
        { field: 'foo', value: ['a'], system: 'unknown', use: 'ignored', meaning: 'no known system has it' },
      ],
    })
    expect(inspection.tokens.index).toBeGreaterThan(10)
  })

  test('says what is wrong with the instructions', async () => {
    const files = memoryFiles({ '/s/csv/SKILL.md': '---\nname: csv\ndescription: Sum.\n---\n' })
    const skill = indexSkills([{ path: '/s', source: 'project' }], files).skills[0]!
    expect(await inspectSkill(skill, files)).toMatchObject({
      bodyLines: 0,
      problems: ['The skill csv has no instructions.'],
    })
    expect(await inspectSkill(skill, memoryFiles({ '/s/csv/x': '' }))).toMatchObject({
      tokens: { body: null },
      bodyLines: null,
      problems: ["The instructions of csv can't be read: /s/csv/SKILL.md does not exist."],
      allowedTools: [],
    })
  })

  test('says when not all was looked at', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 17 }, (_, i) => [`/s/a/references/${i}.md`, 'word '.repeat(60_000)]),
    )
    const inspection = await inspect({ '/s/a/SKILL.md': '---\nname: a\ndescription: b\n---\nc\n', ...large })
    expect(inspection.complete).toBe(false)
    expect(inspection.files).toHaveLength(17)
    expect(inspection.files.filter(({ tokens }) => tokens === undefined).length).toBeGreaterThan(0)
  })
})
