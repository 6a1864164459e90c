import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileZips, skillEntry } from '../../test/support/hostile-zips.ts'
import { bytes, extra, rawZip } from '../../test/support/raw-zip.ts'
import { checkZip } from './check-zip.ts'

const problemOf = (zip: Uint8Array): string | undefined => {
  const judged = checkZip(zip)
  return 'problem' in judged ? judged.problem : undefined
}

describe('a hostile zip is refused, with the reason', () => {
  test.each(hostileZips.map((one) => [one.name, one] as const))('%s', (_, { zip, says }) => {
    expect(problemOf(zip()) ?? 'taken').toMatch(says)
  })

  test('there are more than 100 of them', () => {
    expect(hostileZips.length).toBeGreaterThan(100)
  })
})

describe('what usual packers write is taken', () => {
  const good = {
    'stored and deflated': rawZip([skillEntry, { name: 'evil/b', data: 'b'.repeat(999), method: 8 }]),
    'sizes behind the data, with and without a sign': rawZip([
      { ...skillEntry, descriptor: {} },
      { name: 'evil/b', data: 'bb', method: 8, descriptor: { isBare: true } },
    ]),
    'folders, also empty ones': rawZip([{ name: 'evil/' }, skillEntry, { name: 'evil/empty/' }]),
    'times in extra fields, which differ in both places': rawZip([
      {
        ...skillEntry,
        extra: extra(0x5455, bytes('\x03abcd')),
        local: { extra: extra(0x5455, bytes('\x03abcdefgh')) },
      },
    ]),
    'a comment': rawZip([skillEntry], { comment: bytes('made by hand') }),
    'names in any script': rawZip([skillEntry, { name: 'evil/日本語/ünï👩‍💻.md', data: 'x' }]),
    'a name twice in UTF-8': rawZip([
      { ...skillEntry, extra: extra(0x7075, Buffer.concat([Buffer.alloc(5), Buffer.from('evil/SKILL.md')])) },
    ]),
    'a document, which is a zip itself': rawZip([
      skillEntry,
      { name: 'evil/a.docx', data: rawZip([{ name: 'word/document.xml', data: '<w/>' }]) },
    ]),
    'a system that knows no modes': rawZip([
      { name: 'evil/', attributes: 16, madeBy: 0 },
      { ...skillEntry, attributes: 32, madeBy: 0 },
    ]),
    'entries in another order than the directory has': swapped(rawZip([skillEntry, { name: 'evil/b', data: 'b' }])),
    'text that packs very well': rawZip([skillEntry, { name: 'evil/b', data: 'b'.repeat(1_000_000), method: 8 }]),
    'nothing at all': rawZip([]),
  }
  test.each(Object.entries(good))('%s', (_, zip) => {
    expect(problemOf(zip)).toBeUndefined()
  })

  test('its entries are told with what they are', () => {
    const zip = rawZip([
      { name: 'a/', data: '' },
      { name: 'a/run.sh', data: 'echo', mode: 0o104755 },
      { name: 'a/b', data: 'x', mode: 0o100600 },
      { name: 'a/c', data: '', mode: 0o777, madeBy: 0 },
    ])
    expect(checkZip(zip)).toEqual([
      { path: 'a', isFolder: true, size: 0, isExecutable: false },
      { path: 'a/run.sh', isFolder: false, size: 4, isExecutable: true },
      { path: 'a/b', isFolder: false, size: 1, isExecutable: false },
      { path: 'a/c', isFolder: false, size: 0, isExecutable: false },
    ])
  })
})

/** The two entries of the directory, the other way round. */
function swapped(zip: Buffer): Buffer {
  const [a, b, end] = [zip.indexOf('PK\x01\x02'), zip.lastIndexOf('PK\x01\x02'), zip.indexOf('PK\x05\x06')]
  return Buffer.concat([zip.subarray(0, a), zip.subarray(b, end), zip.subarray(a, b), zip.subarray(end)])
}

const sound = rawZip([
  skillEntry,
  { name: 'evil/a', data: 'abcabcabc', method: 8 },
  { name: 'evil/d/', data: '' },
  { name: 'evil/b', data: 'bb', descriptor: {} },
])

test('whatever the bytes, it is judged and nothing is thrown', () => {
  const edit = fc.record({ at: fc.nat(sound.length - 1), value: fc.nat(255) })
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), fc.nat(sound.length), (edits, cut) => {
      const zip = Buffer.from(sound)
      for (const { at, value } of edits) zip[at] = value
      for (const one of [zip, zip.subarray(0, cut), zip.subarray(cut)]) checkZip(one)
    }),
    { numRuns: 500 },
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (zip) => void checkZip(zip)))
})

test('a changed byte of data, name or size is seen', () => {
  const judged = checkZip(sound)
  const told = (zip: Uint8Array): string => JSON.stringify(checkZip(zip))
  const directoryAt = sound.indexOf('PK\x01\x02')
  for (let at = 0; at < directoryAt; at += 1) {
    const zip = Buffer.from(sound)
    zip[at] = (zip[at] ?? 0) ^ 0x01
    // Only the version that is needed to unpack it says nothing.
    const isVersion = [4, 5].some((offset) => zip.readUInt32LE(Math.max(0, at - offset)) === 0x04034b50)
    expect(told(zip) !== JSON.stringify(judged) || isVersion, `byte ${at}`).toBe(true)
  }
})
