import { expect, test } from 'vitest'
import { HOSTILE } from '../../test/support/sample-run.ts'
import type { Coverage, SkillCoverage } from '../core/coverage.ts'
import { coverageText, isCovered } from './coverage-report.ts'
import { textWidth } from './text-width.ts'

const skill = (change: Partial<SkillCoverage> = {}): SkillCoverage => ({
  name: 'csv',
  path: 'skills/csv',
  positives: 2,
  negatives: 1,
  parts: [
    { path: 'SKILL.md', kind: 'body', tokens: 900, evidence: 'run' },
    { path: 'scripts/a.py', kind: 'script', tokens: null, evidence: 'expected' },
    { path: 'scripts/b.py', kind: 'script', tokens: null, evidence: null },
    { path: 'references/c.md', kind: 'reference', tokens: 1200, evidence: null },
  ],
  ...change,
})
const coverage = (skills: SkillCoverage[], change: Partial<Coverage> = {}): Coverage => ({
  skills,
  parts: 4,
  covered: 2,
  share: 0.5,
  min: null,
  runs: ['r1', 'r2'],
  similar: [],
  ...change,
})
const text = (of: Coverage, width = Number.POSITIVE_INFINITY, color = false) => coverageText(of, { color, width })

test('tells each skill, each part that nothing uses, and the share', async () => {
  expect(await text(coverage([skill(), skill({ name: 'log', positives: 0, negatives: 0, parts: [] })]))).toBe(
    `skill  positive  negative  body  scripts  references  assets  other  unused tokens
csv           2         1   run      1/2         0/1       –      –          1,200
log           0         0     –        –           –       –      –              0

no eval uses     of   kind       tokens
scripts/b.py     csv  script          –
references/c.md  csv  reference   1,200

no case expects: log

coverage: 2 of 4 parts, 50% (1 used in 2 stored runs, 1 only expected, 0 only named by a script)
`,
  )
})

test('tells whether the gate is met', async () => {
  expect(isCovered(coverage([]))).toBe(true)
  expect([0.5, 0.51].map((min) => isCovered(coverage([], { min })))).toEqual([true, false])
  expect(await text(coverage([skill()], { min: 0.8 }))).toMatch(/; at least 80%: MISSED\n$/)
  expect(await text(coverage([skill()], { min: 0.5 }))).toMatch(/; at least 50%: met\n$/)
})

test('names at most twenty skills and ten pairs', async () => {
  const names = Array.from({ length: 22 }, (_, i) => skill({ name: `s${i}`, negatives: 0 }))
  const similar = names
    .slice(0, 11)
    .map(({ name }) => ({ skills: [name, 'x'] as [string, string], overlap: 0.7, shared_words: ['w'] }))
  const shown = await text(coverage(names, { similar }))
  expect(shown).toMatch(/must not be selected: s0, .*, s19, … and 2 more\n/)
  expect(shown).toContain('the descriptions of s9 and x share 70% of their words: w\n… and 1 more pair\n')
})

test('is safe to print, fits its width, and has colours only where they are wanted', async () => {
  const hostile = skill({ name: HOSTILE, parts: [{ path: HOSTILE, kind: 'other', tokens: 1, evidence: null }] })
  const similar = [{ skills: [HOSTILE, 'b'] as [string, string], overlap: 0.9, shared_words: [HOSTILE] }]
  const shown = await text(coverage([hostile], { similar }))
  expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\p{Surrogate}]/u)
  expect(shown).not.toMatch(/^\s*::/m)
  const long = skill({ name: 'long-name-'.repeat(12) })
  const [, row = ''] = (await text(coverage([long]), 100)).split('\n')
  expect(textWidth(row)).toBeLessThanOrEqual(100)
  expect(await text(coverage([skill()]), 100, true)).toContain('\u001b[')
})
