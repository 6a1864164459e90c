import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diskFiles } from '../adapters/files/disk-files.ts'
import type { Skill } from '../core/skill.ts'
import { contentWords } from '../lib/words.ts'
import { chooseDistractors } from './choose-distractors.ts'
import { indexSkills } from './index-skills.ts'
import { validateSkill } from './validate-skill.ts'

const files = diskFiles()
const root = resolve(import.meta.dirname, '../..')
const shipped = (folder: string) => indexSkills([{ path: `${root}/${folder}`, source: 'builtin' }], files)
const catalogue = shipped('distractors').skills
const own = shipped('skills').skills
const names = (skills: readonly Skill[]): string[] => skills.map(({ name }) => name)
const like = (name: string, description: string): Skill => ({ ...(own[0] as Skill), name, description })

describe('the skills that ship as distractors', () => {
  test('are fifty, each valid by the standard without a warning, each saying something of its own', async () => {
    expect(catalogue).toHaveLength(50)
    for (const { dir } of catalogue) expect((await validateSkill(dir, files)).diagnostics).toEqual([])
    expect(new Set(catalogue.map(({ description }) => description.slice(0, 20))).size).toBe(50)
  })

  test('are enough beside our own skills', () => {
    expect(chooseDistractors(catalogue, own, { count: 50, seed: 's' }).length).toBeGreaterThanOrEqual(35)
  })
})

describe('chooseDistractors', () => {
  const choose = (count: number, seed = 's', skills: readonly Skill[] = []) =>
    names(chooseDistractors(catalogue, skills, { count, seed }))

  test('gives the same for the same seed whatever the order, others for another, and a part for a smaller count', () => {
    const ten = choose(10)
    expect(ten).toHaveLength(10)
    expect(names(chooseDistractors(catalogue.toReversed(), [], { count: 10, seed: 's' }))).toEqual(ten)
    expect(choose(4)).toEqual(ten.slice(0, 4))
    expect(choose(10, 'other')).not.toEqual(ten)
    expect(choose(0)).toEqual([])
  })

  test('leaves out a skill with the name of one, and those of whose name a word is in a description', () => {
    expect(choose(50, 's', [like('quiz-maker', 'x')])).not.toContain('quiz-maker')
    const beside = choose(50, 's', [like('x', 'Reads the chess results of a club.')])
    expect(beside).toHaveLength(49)
    expect(beside).not.toContain('chess-annotator')
  })

  test('leaves out a skill whose description says much the same', () => {
    const same = like('zz', 'Orders telescope evenings; planets, constellations, meteors.')
    expect(choose(50)).toContain('star-chart')
    expect(choose(50, 's', [same])).not.toContain('star-chart')
  })

  test('never gives one that shares a word of its name with any own skill', () => {
    const word = fc.constantFrom('meeting', 'chess', 'photos', 'colour', 'recipes', 'maps', 'tests', 'planner')
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.string(), (words, seed) => {
        const text = contentWords(words.join(' '))
        for (const skill of chooseDistractors(catalogue, [like('zz', words.join(' '))], { count: 50, seed }))
          for (const part of contentWords(skill.name).keys()) expect(text.has(part)).toBe(false)
      }),
      { numRuns: 30 },
    )
  })
})
