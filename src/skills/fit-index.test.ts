import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Skill } from '../core/skill.ts'
import { countTokens } from '../lib/tokens.ts'
import { fitIndex } from './fit-index.ts'
import { renderIndex } from './render-index.ts'

const skill = (name: string, description: string) => ({ name, description, source: 'project' }) as Skill

const many = (count: number, words = 40): Skill[] =>
  Array.from({ length: count }, (_, i) =>
    skill(`skill-${String(i).padStart(3, '0')}`, `Use for ${'some kind of work '.repeat(words / 4)}number ${i}.`),
  )

describe('fitIndex', () => {
  test('leaves an index that fits as it is, to the byte', () => {
    expect(fitIndex(many(3), 8000)).toEqual({ text: renderIndex(many(3)) })
    expect(fitIndex([], 20)).toEqual({ text: '' })
  })

  test('goes from whole to short descriptions, to names, to some names, and says each in the index', () => {
    const skills = many(200)
    const kinds = [100_000, 10_000, 1_500, 500].map((tokens) => {
      const { text, cut } = fitIndex(skills, tokens)
      expect(countTokens(text)).toBeLessThanOrEqual(tokens)
      return [cut?.kind, /<note>\n?(.*)<\/note>/.exec(text)?.[1]?.split(':', 1)[0]]
    })
    expect(kinds).toEqual([
      [undefined, undefined],
      ['descriptions', 'There are too many skills to describe them here in full'],
      ['names', 'There are too many skills to describe them here'],
      ['some', 'There are too many skills to name them here'],
    ])
  })

  test('uses the room that it has', () => {
    const { text, cut } = fitIndex(many(200), 10_000)
    expect(cut?.kind).toBe('descriptions')
    expect(countTokens(text)).toBeGreaterThan(9_000)
    expect(text.match(/<name>/g)).toHaveLength(200)
  })

  test('never exceeds its budget by more than its note, loses no name silently, and says what it cut', () => {
    const description = fc.string({ maxLength: 400 })
    fc.assert(
      fc.property(
        fc.array(description, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 20, max: 3000 }),
        (texts, tokens) => {
          const skills = texts.map((text, i) => skill(`s${i}`, text))
          const { text, cut } = fitIndex(skills, tokens)
          if (text !== renderIndex(skills)) expect(text).toContain('<note>')
          expect(cut === undefined).toBe(text === renderIndex(skills))
          const names = /<names>\n([\s\S]*)\n<\/names>/.exec(text)?.[1]?.split('\n')
          const shown = names?.length ?? text.match(/<name>/g)?.length ?? 0
          expect(shown).toBe(cut?.kind === 'some' ? cut.shown : skills.length)
          if (shown > 0) expect(countTokens(text)).toBeLessThanOrEqual(tokens)
        },
      ),
      { numRuns: 60 },
    )
  })
})
