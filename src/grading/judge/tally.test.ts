import { expect, test } from 'vitest'
import { tally, tallyText } from './tally.ts'

const words = (count: number) => Array.from({ length: count }, (_, n) => `w${String(n).padStart(3, '0')}`).join(' ')

test('a long criterion, reason and quote are told from their first letter on, and cut at their length', () => {
  const [criterion, reason, quote] = [words(40), words(80), words(60)]
  const text = tallyText(tally([criterion], [[{ passed: true, reason, quote }]], quote))
  const cut = (whole: string, length: number) => `${whole.slice(0, length)}…`
  expect(text).toBe(
    [
      '1 of 1 criteria met',
      `1. met: ${cut(criterion, 120)} — ${cut(reason, 300)}; evidence: "${cut(quote, 200)}"`,
    ].join('\n'),
  )
})

test('what is just as long as may be is told whole', () => {
  const [criterion, reason, quote] = ['c'.repeat(120), 'r'.repeat(300), 'q'.repeat(200)]
  expect(tallyText(tally([criterion], [[{ passed: false, reason, quote }]], quote))).toBe(
    `0 of 1 criteria met; not met: 1. ${criterion}\n1. not met: ${criterion} — ${reason}; evidence: "${quote}"`,
  )
})

test('a pass without evidence counts against, and what it quotes is told', () => {
  const votes = [
    [{ passed: true, reason: 'It is.', quote: 'not there' }],
    [{ passed: true, reason: 'Yes.', quote: 'the shop was down' }],
  ]
  const results = tally(['short'], votes, 'In March the shop was down.')
  expect(results).toMatchObject([{ met: false, passes: 1, judges: 2 }])
  expect(tallyText(results)).toBe(
    '0 of 1 criteria met; not met: 1. short\n1. not met (1 of 2 judges): short — It is.; unsupported evidence: "not there"',
  )
})
