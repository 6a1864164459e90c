import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pasteKeys } from './paste-keys.ts'

const start = '\u001b[200~'
const end = '\u001b[201~'

/** All lines that came out, fed in the given pieces. */
const fed = (pieces: readonly Buffer[], pasted: string[] = []): string[] => {
  const keys = pasteKeys((text) => {
    pasted.push(text)
    return `<${pasted.length}>`
  })
  const lines: string[] = []
  let line = ''
  for (const piece of pieces) {
    keys.add(piece)
    for (;;) {
      const { text, isLine } = keys.take()
      line += text
      if (!isLine) break
      lines.push(line)
      line = ''
    }
  }
  return [...lines, line]
}
const pieces = (text: string, cuts: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((place, i) => bytes.subarray(places[i], place))
}

test('hands on one line at a time and keeps what was typed ahead', () => {
  expect(fed([Buffer.from('one\rtwo\r\nthr')])).toEqual(['one\r', 'two\r\n', 'thr'])
})

test('a paste is one piece, whatever lines it has', () => {
  const pasted: string[] = []
  expect(fed([Buffer.from(`a ${start}x\r\ny\rz${end} b\r`)], pasted)).toEqual(['a <1> b\r', ''])
  expect(pasted).toEqual(['x\ny\nz'])
})

test('keys of the terminal pass as they are', () => {
  const keys = '\u001b[A\u001b[2~\u001b[1;5C\u001b\t\u007f\u0003'
  expect(fed([Buffer.from(keys)])).toEqual([keys])
})

test('says the same however the bytes came in', () => {
  const words = fc.constantFrom('é', '漢字', '👩‍👩‍👧', 'a', ' ', '\r', '\u001b[A')
  const piece = fc.oneof(
    words,
    fc.array(fc.constantFrom('x', '\n', '漢'), { maxLength: 5 }).map((text) => `${start}${text.join('')}${end}`),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(), { maxLength: 12 }), (all, cuts) => {
      const text = all.join('')
      const [whole, cut]: [string[], string[]] = [[], []]
      expect(fed(pieces(text, cuts), cut)).toEqual(fed([Buffer.from(text)], whole))
      expect(cut).toEqual(whole)
    }),
  )
})
