import { describe, expect, test } from 'vitest'
import { decodeText, isText, withLineFeeds } from './read-text.ts'

describe('what reads as text', () => {
  test.each<[string, string, boolean]>([
    ['nothing', '', true],
    ['words', 'Some words.\n', true],
    ['tabs, line ends and form feeds', 'a\tb\r\nc\fd\n', true],
    ['colours of a terminal', '\x1b[31mred\x1b[0m', true],
    ['a control now and then', `${'word '.repeat(4)}\x01`, true],
    ['one NUL in a script', `#!/bin/sh\0\n${'echo a\n'.repeat(3)}`, true],
    ['exactly a tenth of controls', `${'a'.repeat(9)}\x01`, true],
    ['more than a tenth of controls', `${'a'.repeat(8)}\x01`, false],
    ['NULs everywhere', 'a\0b\0c\0', false],
    ['some letters that could not be decoded', `caf\ufffd ${'word '.repeat(3)}`, true],
    ['mostly such letters', '\ufffd\ufffda\ufffd', false],
    ['text whose end is none', `${'a'.repeat(9000)}${'\0'.repeat(9000)}`, true],
  ])('%s: %j', (_name, text, expected) => {
    expect(isText(text)).toBe(expected)
  })

  test.each<[string, Uint8Array, string]>([
    ['UTF-8', Buffer.from('größe'), 'größe'],
    ['UTF-8 with its mark', Buffer.from('\ufeffa'), '\ufeffa'],
    ['UTF-16, little end first', Buffer.from('\ufeffab', 'utf16le'), '\ufeffab'],
    ['UTF-16, big end first', Buffer.from('\ufeffab', 'utf16le').swap16(), '\ufeffab'],
    ['UTF-16 without its mark', Buffer.from('curl', 'utf16le'), 'curl'],
    ['the other without its mark', Buffer.from('curl', 'utf16le').swap16(), 'curl'],
    ['UTF-8 with a NUL', Buffer.from('ab\0cd'), 'ab\0cd'],
    ['what is no text', Uint8Array.of(0xff, 0x41), '\ufffdA'],
    ['nothing', new Uint8Array(), ''],
  ])('%s is decoded', (_name, bytes, expected) => {
    expect(decodeText(bytes)).toBe(expected)
  })

  test('every line end of a language is one, at the same offset', () => {
    expect(withLineFeeds('a\rb\r\nc\u2028d\u2029e')).toBe('a\nb\r\nc\nd\ne')
  })
})
