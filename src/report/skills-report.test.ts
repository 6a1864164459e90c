import { describe, expect, test } from 'vitest'
import type { Skill, SkillIndex } from '../core/skill.ts'
import { skillHitsText, skillsListText } from './skills-report.ts'

const skill = (part: Partial<Skill>): Skill => ({
  name: 'csv-analyzer',
  description: 'Analyze CSV files. Use when a table is to be summed up.',
  source: 'project',
  dir: '/proj/.agent/skills/csv-analyzer',
  file: '/proj/.agent/skills/csv-analyzer/SKILL.md',
  hiddenFromModel: false,
  hiddenFromUser: false,
  allowedTools: undefined,
  tags: [],
  metadata: {},
  extra: {},
  ...part,
})

const csv = skill({})
const builtin = skill({ source: 'builtin', description: 'The old one.', dir: '/usr/lib/skills/csv-analyzer' })
const hidden = skill({ name: 'x\x1b', hiddenFromModel: true, description: '::error::\ntwo', dir: '/proj/x' })
const index: SkillIndex = { skills: [csv, hidden], shadowed: [{ skill: builtin, by: csv }], diagnostics: [] }

describe('skillsListText', () => {
  test('shows each skill and what it shadows', async () => {
    expect(await skillsListText(index, { color: false, width: 120 })).toMatchInlineSnapshot(`
      "name          source   description                                              path
      csv-analyzer  project  Analyze CSV files. Use when a table is to be summed up.  /proj/.agent/skills/csv-analyzer
      csv-analyzer  builtin  (shadowed by project) The old one.                       /usr/lib/skills/csv-analyzer
      x\\x1b         project  (hidden from the model) : :error::\\ntwo                  /proj/x

      2 skills, 1 shadowed
      "
    `)
  })

  test('cuts descriptions and paths to the width, and neither without one', async () => {
    const narrow = await skillsListText(index, { color: false, width: 70 })
    expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(70)
    expect(narrow).toContain('  /proj/.agen…v-analyzer\n')
    const wide = await skillsListText(index, { color: false, width: Number.POSITIVE_INFINITY })
    expect(wide).toContain('Use when a table is to be summed up.  /proj/.agent/skills/csv-analyzer\n')
  })

  test('says so where there is none', async () => {
    expect(await skillsListText({ skills: [], shadowed: [], diagnostics: [] }, { color: false, width: 80 })).toBe(
      '0 skills\n',
    )
  })
})

describe('skillHitsText', () => {
  test('ranks the hits', async () => {
    const hits = [
      { name: 'csv-analyzer', description: 'Analyze CSV files.', source: 'project', score: 12.345 },
      { name: 'report-writer', description: 'Write a report.', source: 'builtin', score: 3 },
    ]
    expect(await skillHitsText(hits, { color: false, width: 80 })).toMatchInlineSnapshot(`
      "    name           source   score  description
      1.  csv-analyzer   project  12.35  Analyze CSV files.
      2.  report-writer  builtin   3.00  Write a report.
      "
    `)
  })

  test('says so where nothing matches', async () => {
    expect(await skillHitsText([], { color: false, width: 80 })).toBe('no skill matches\n')
  })
})
