import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellWord } from './shell-word.ts'

test.each([
  ['top-months', 'top-months'],
  ['evals/csv.eval.yaml', 'evals/csv.eval.yaml'],
  ['', "''"],
  ['two words', "'two words'"],
  ["it's $HOME `x`", "'it'\\''s $HOME `x`'"],
  ['=top', "'=top'"],
  ['--x=top', '--x=top'],
  ['~/x', "'~/x'"],
])('%j is %s', (text, word) => {
  expect(shellWord(text)).toBe(word)
})

test.runIf(process.platform !== 'win32')('is read by a shell as it was written', () => {
  const words = fc.array(
    fc.string({ unit: 'binary' }).filter((text) => !/[\0\p{Surrogate}]/u.test(text)),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(words, (texts) => {
      const script = `printf '%s\\0' ${texts.map(shellWord).join(' ')}`
      expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(texts.map((text) => `${text}\0`).join(''))
    }),
    { numRuns: 30 },
  )
})
