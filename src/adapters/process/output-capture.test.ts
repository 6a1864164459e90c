import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outputCapture } from './output-capture.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

const captured = (keepBytes: number, chunks: readonly Uint8Array[]) => {
  const capture = outputCapture(keepBytes)
  for (const chunk of chunks) capture.push(chunk)
  return capture.result()
}

describe('captured output', () => {
  test.each([
    ['nothing', [], { text: '', bytes: 0, omitted: 0 }],
    ['less than is kept', ['ab', 'c'], { text: 'abc', bytes: 3, omitted: 0 }],
    ['as much as head and tail hold', ['abcdef', 'gh'], { text: 'abcdefgh', bytes: 8, omitted: 0 }],
    ['one byte more', ['abcdefghi'], { text: 'abcd\n… 1 bytes left out …\nfghi', bytes: 9, omitted: 1 }],
    [
      'a lot',
      ['0123', '4567'.repeat(1000), '89ab'],
      { text: '0123\n… 4,000 bytes left out …\n89ab', bytes: 4008, omitted: 4000 },
    ],
  ])('of %s', (_, chunks, result) => {
    expect(captured(4, chunks.map(bytes))).toEqual(result)
  })

  test('has no half characters where it was cut', () => {
    // 'ab' and two bytes of '€' are in the head, one byte of '€' and 'yz' in the tail.
    const { text, omitted } = captured(4, [bytes(`ab€${'x'.repeat(10)}€yz`)])
    expect([text, omitted]).toEqual(['ab\n… 16 bytes left out …\nyz', 16])
  })

  test('says where it is not UTF-8', () => {
    expect(captured(100, [Uint8Array.of(0x61, 0xff, 0x62)]).text).toBe('a\ufffdb')
  })

  test('does not depend on how it came in pieces', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.integer({ min: 0, max: 20 }),
        (text, sizes, keepBytes) => {
          const whole = Buffer.from(text)
          const pieces: Uint8Array[] = []
          for (let at = 0, i = 0; at < whole.length; i += 1) {
            const size = sizes[i % sizes.length]!
            pieces.push(whole.subarray(at, at + size))
            at += size
          }
          expect(captured(keepBytes, pieces)).toEqual(captured(keepBytes, [whole]))
        },
      ),
    )
  })

  test('counts every byte, kept or not', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 1, max: 20 }),
        (text, keepBytes) => {
          const result = captured(keepBytes, [bytes(text)])
          const [head = '', tail = ''] = result.text.split(/\n… [\d,]+ bytes left out …\n/)
          expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + result.omitted).toBe(result.bytes)
          expect(Math.max(Buffer.byteLength(head), Buffer.byteLength(tail))).toBeLessThanOrEqual(2 * keepBytes)
        },
      ),
    )
  })

  test('is what holds memory, not the flood', () => {
    const capture = outputCapture(1024)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    globalThis.gc?.()
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 4000; i += 1) capture.push(chunk)
    for (let i = 0; i < 100_000; i += 1) capture.push(chunk.subarray(0, 1))
    globalThis.gc?.()
    const result = capture.result()
    expect([result.bytes, result.omitted]).toEqual([4000 * 65_536 + 100_000, 4000 * 65_536 + 100_000 - 2048])
    // 250 MiB went through it.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * 1024 * 1024)
  })
})
