import { expect, test } from 'vitest'
import type { HttpResponse } from '../core/ports.ts'
import { describeResponse } from './describe-response.ts'

const response = (body: string | Uint8Array, type?: string, change: Partial<HttpResponse> = {}): HttpResponse => ({
  status: 200,
  statusText: 'OK',
  headers: new Map(type === undefined ? [] : [['content-type', type]]),
  body: typeof body === 'string' ? Buffer.from(body) : body,
  isCut: false,
  ...change,
})
const bodyOf = (given: HttpResponse) => describeResponse(given, undefined).split('\n\n').slice(1).join('\n\n')

test('tells the status, what matters of the headers, and the text', () => {
  const headers = new Map([
    ['date', 'today'],
    ['set-cookie', 'secret'],
    ['retry-after', '5'],
    ['content-type', 'text/plain'],
    ['content-length', '7'],
    ['location', '/b'],
  ])
  const given = response('one\n\ntwo', undefined, { status: 503, statusText: 'Service Unavailable', headers })
  expect(describeResponse(given, new URL('https://b.example/x'))).toBe(`HTTP 503 Service Unavailable
redirected to https://b.example/x
content-type: text/plain
content-length: 7
location: /b
retry-after: 5

one

two`)
})

test('shows what a server hides in a header', () => {
  const given = response('x', 'text/plain\u001b[2J\u009b', { statusText: '\u001b]0;x\u0007' })
  expect(describeResponse(given, undefined)).toBe('HTTP 200 \\x1b]0;x\\x07\ncontent-type: text/plain\\x1b[2J\\x9b\n\nx')
  expect(describeResponse(response('', undefined, { statusText: '' }), undefined)).toBe('HTTP 200\n\n(no body)')
})

test.each([
  ['UTF-8', 'größe', undefined, 'größe'],
  ['its charset', Uint8Array.of(0x67, 0xf6), 'text/plain; charset=iso-8859-1', 'gö'],
  ['a quoted charset', Uint8Array.of(0x67, 0xf6), 'text/plain; Charset="ISO-8859-1"', 'gö'],
  ['UTF-16', Uint8Array.of(0x67, 0, 0xf6, 0), 'text/plain; charset=utf-16le', 'gö'],
  ['a charset that nobody knows', 'größe', 'text/plain; charset=x-made-up', 'größe'],
  ['a picture that is text', '<svg/>', 'image/svg+xml', '<svg/>'],
  ['a stray byte', Buffer.from([...Buffer.from('some longer text '), 0xff]), undefined, 'some longer text \ufffd'],
])('reads text: %s', (_, body, type, text) => {
  expect(bodyOf(response(body, type))).toBe(text)
})

test.each([
  ['a NUL', 'a\0b', 'text/plain', '(a binary body of 3 bytes; its content is not shown)'],
  ['a picture', 'GIF89a', 'image/gif', '(a binary body of 6 bytes; its content is not shown)'],
  [
    'few characters',
    Uint8Array.of(0xff, 0xfe, 0xfd, 0x41),
    undefined,
    '(a binary body of 4 bytes; its content is not shown)',
  ],
])('does not show what is no text: %s', (_, body, type, text) => {
  expect(bodyOf(response(body, type))).toBe(text)
})

test('says that there was more', () => {
  expect(bodyOf(response(Buffer.from('größe').subarray(0, 3), undefined, { isCut: true }))).toBe(
    'gr\n[cut: the first 3 bytes are shown; the rest was not read]',
  )
  expect(bodyOf(response('\0', undefined, { isCut: true }))).toBe(
    '(a binary body of more than 1 bytes; its content is not shown)',
  )
})
