import { deflateRawSync } from 'node:zlib'
import { bytes, extra, type RawEnd, type RawEntry, rawZip } from './raw-zip.ts'

const text = '---\nname: evil\ndescription: Does evil. Use it never.\n---\n\nNo.\n'
export const skillEntry: RawEntry = { name: 'evil/SKILL.md', data: text }

export type HostileZip = { readonly name: string; readonly says: RegExp; zip(): Buffer }

const with_ = (name: string, says: RegExp, ...more: readonly RawEntry[]): HostileZip => ({
  name,
  says,
  zip: () => rawZip([skillEntry, ...more]),
})
const ending = (name: string, says: RegExp, end: RawEnd, entries: readonly RawEntry[] = [skillEntry]): HostileZip => ({
  name,
  says,
  zip: () => rawZip(entries, end),
})
const file = (name: string | Uint8Array, more: Partial<RawEntry> = {}): RawEntry => ({ name, data: 'x', ...more })

const paths: readonly (readonly [string, RegExp])[] = [
  ['../up.md', /"\.\."/],
  ['evil/../../up.md', /"\.\."/],
  ['evil/..', /"\.\."/],
  ['./evil/a.md', /"\."/],
  ['evil/./a.md', /"\."/],
  ['..\\up.md', /backslash/],
  ['evil\\..\\..\\up.md', /backslash/],
  ['evil/..\\up.md', /backslash/],
  ['/etc/passwd', /absolute/],
  ['//server/share/a', /absolute/],
  ['\\\\server\\share\\a', /backslash/],
  ['C:/windows/a', /one of :/],
  ['C:a', /one of :/],
  ['evil/a.md:stream', /one of :/],
  ['evil//a.md', /empty part/],
  ['evil/a\u0000.md', /control character/],
  ['evil/a\n.md', /control character/],
  ['evil/\u001b[31m.md', /control character/],
  ['evil/a\u202egnp.md', /control character/],
  ['evil/a\u0085', /control character/],
  ['evil/..\u2028', /control character/],
  ['evil/.. /a', /ends with a dot or a space/],
  ['evil/... /a', /ends with a dot or a space/],
  ['evil/a.', /ends with a dot or a space/],
  ['evil /a', /ends with a dot or a space/],
  ['evil/ a', /begins with a space/],
  ['evil/con', /device/],
  ['evil/CON.md', /device/],
  ['evil/aux.tar.gz', /device/],
  ['evil/nul', /device/],
  ['evil/COM1', /device/],
  ['evil/lpt¹.txt', /device/],
  ['evil/a?.md', /one of :/],
  ['evil/a*', /one of :/],
  ['evil/a|b', /one of :/],
  ['evil/<a>', /one of :/],
  ['evil/"a"', /one of :/],
  ['evil/.git/hooks/pre-commit', /git's own folder/],
  ['evil/.GIT/config', /git's own folder/],
  ['evil/.g\u200cit/config', /git's own folder/],
  ['evil/git~1/config', /git's own folder/],
  [`evil/${'a'.repeat(256)}`, /longer than 200 bytes/],
  [`evil/${'漢'.repeat(86)}`, /longer than 200 bytes/],
  [`evil/${'ab/'.repeat(170)}c`, /longer than 512 bytes|deeper than 16/],
  [`evil/${'d/'.repeat(16)}c`, /deeper than 16/],
]

const pairs: readonly (readonly [string, string, string])[] = [
  ['the same name twice', 'evil/a', 'evil/a'],
  ['SKILL.md twice', 'evil/a', 'evil/SKILL.md'],
  ['case', 'evil/A.md', 'evil/a.md'],
  ['case of a folder', 'evil/Sub/a', 'evil/sub/b'],
  ['case of the skill', 'EVIL/a', 'evil/b'],
  ['composed and decomposed', 'evil/\u00e9', 'evil/e\u0301'],
  ['ß and ss', 'evil/stra\u00dfe', 'evil/strasse'],
  ['long s', 'evil/\u017fa', 'evil/sa'],
  ['Kelvin', 'evil/\u212a', 'evil/k'],
  ['a ligature', 'evil/\ufb01', 'evil/fi'],
  ['full width', 'evil/\uff41', 'evil/a'],
  ['an invisible character', 'evil/a\u200db', 'evil/ab'],
  ['a mathematical letter', 'evil/\u{1d400}', 'evil/a'],
  ['dotted capital I', 'evil/\u0130', 'evil/i\u0307'],
  ['final sigma', 'evil/\u03c2', 'evil/\u03c3'],
  ['a file and a folder', 'evil/a', 'evil/a/b'],
  ['a folder and a file', 'evil/a/b', 'evil/a'],
  ['a file and a folder entry', 'evil/a', 'evil/a/'],
  ['a folder twice', 'evil/a/', 'evil/a/'],
]

const big = Buffer.alloc(17 * 1024 * 1024)
const zeros = (mib: number): RawEntry => {
  const size = mib * 1024 * 1024
  return { name: 'evil/zeros', data: Buffer.alloc(size), method: 8 }
}
const unicodeName = (name: string): Buffer => extra(0x7075, Buffer.concat([Buffer.alloc(5, 1), Buffer.from(name)]))
const zip64 = extra(0x0001, Buffer.alloc(16))
const END = bytes('PK\x05\x06')

/** One kernel of data that every entry claims as its own: Fifield's overlap. */
const overlapping = (count: number): Buffer => {
  const entries: RawEntry[] = [{ ...zeros(1), name: 'evil/0' }]
  for (let i = 1; i < count; i += 1) entries.push({ ...zeros(1), name: `evil/${i}`, isGhost: true, localAt: 0 })
  return rawZip(entries)
}

/** Every entry holds the local header of the next one inside its data. */
const quoted = (): Buffer => {
  const inner = rawZip([{ name: 'evil/b', data: 'b' }])
  const local = inner.subarray(0, 30 + 6 + 1)
  return rawZip([
    { name: 'evil/a', data: local },
    { name: 'evil/b', data: 'b', isGhost: true, localAt: 30 + 6 },
  ])
}

/** The data of an entry is an end record, whose comment is all that follows: readers that look from the front take it. */
const endInData = (): Buffer => {
  const make = (commentBytes: number) => {
    const end = rawZip([])
    end.writeUInt16LE(commentBytes, 20)
    return rawZip([skillEntry, { name: 'evil/a', data: end }])
  }
  const zip = make(0)
  return make(zip.length - zip.indexOf(END) - 22)
}

const inner = (names: readonly string[]): Buffer => rawZip(names.map((name) => ({ name, data: 'x' })))

/** Zips that must not be unpacked, each with what is said of it. Those beyond this table are mutations of good ones. */
export const hostileZips: readonly HostileZip[] = [
  ...paths.map(([path, says]) => with_(`the path ${JSON.stringify(path.slice(0, 40))}`, says, file(path))),
  ...pairs.map(([what, a, b]) =>
    with_(
      `two names that are one: ${what}`,
      /the same as|not by both/,
      ...[a, b].map((one) => file(one, one.endsWith('/') ? { data: '' } : {})),
    ),
  ),
  with_('a link', /is a link/, file('evil/l', { mode: 0o120777, data: '/etc/passwd' })),
  with_(
    'a link to a folder and a file behind it',
    /is a link/,
    file('evil/l', { mode: 0o120777, data: '..' }),
    file('evil/l/x'),
  ),
  with_('a file and a link of one name', /is a link/, file('evil/l', { mode: 0o120777, data: '../x' }), file('evil/l')),
  with_(
    'a chain of links',
    /is a link/,
    file('evil/m', { mode: 0o120777, data: 'n' }),
    file('evil/n', { mode: 0o120777, data: '/' }),
  ),
  with_('a link made on another system', /is a link/, file('evil/l', { mode: 0o120777, madeBy: 0, data: '/' })),
  with_('a link with the name of a folder', /is a link/, file('evil/l/', { mode: 0o120777, data: '' })),
  with_('a device', /neither a file nor a folder/, file('evil/d', { mode: 0o20666 })),
  with_('a block device', /neither a file nor a folder/, file('evil/d', { mode: 0o60666 })),
  with_('a pipe', /neither a file nor a folder/, file('evil/p', { mode: 0o10666 })),
  with_('a socket', /neither a file nor a folder/, file('evil/s', { mode: 0o140666 })),
  with_('a folder by its mode alone', /not by both/, file('evil/d', { mode: 0o40755 })),
  with_('a folder by its MS-DOS attribute alone', /not by both/, file('evil/d', { attributes: 16, madeBy: 0 })),
  with_('a file with the name of a folder', /not by both/, file('evil/d/', { mode: 0o100644, data: '' })),
  with_('a folder with data', /folder with data/, file('evil/d/')),
  with_('encrypted data', /encrypted/, file('evil/a', { flags: 1 })),
  with_('strong encryption', /encrypted/, file('evil/a', { flags: 0x41 })),
  with_('a masked directory', /encrypted/, file('evil/a', { flags: 0x2000 })),
  with_('AES', /encrypted/, file('evil/a', { extra: extra(0x9901, Buffer.alloc(7)) })),
  with_(
    'AES in the local header alone',
    /encrypted/,
    file('evil/a', { local: { extra: extra(0x9901, Buffer.alloc(7)) } }),
  ),
  with_('patched data', /not every reader knows/, file('evil/a', { flags: 0x20 })),
  with_('an unknown flag', /not every reader knows/, file('evil/a', { flags: 0x4000 })),
  with_('bzip2', /packed in a way/, file('evil/a', { method: 12 })),
  with_('deflate64', /packed in a way/, file('evil/a', { method: 9 })),
  with_('a name of bytes that are no UTF-8', /not UTF-8/, file(bytes('evil/\xff\xfe'))),
  with_('an overlong ..', /not UTF-8/, file(bytes('evil/\xc0\xae\xc0\xae/x'))),
  with_('half a character', /not UTF-8/, file(bytes('evil/\xed\xa0\x80'))),
  with_('a name that is not marked as UTF-8', /not marked as UTF-8/, file('evil/é', { flags: 0 })),
  with_('another name in an extra field', /two names/, file('evil/a', { extra: unicodeName('../../up') })),
  with_(
    'another name in the local extra field',
    /two names/,
    file('evil/a', { local: { extra: unicodeName('../up') } }),
  ),
  with_(
    'an extra field that is too short for a name',
    /two names/,
    file('evil/a', { extra: extra(0x7075, Buffer.alloc(2)) }),
  ),
  with_(
    'extra fields that are longer than they are',
    /extra fields/,
    file('evil/a', { extra: bytes('\x99\x00\xff\x00') }),
  ),
  with_(
    'extra fields of the local header that are cut',
    /extra fields/,
    file('evil/a', { local: { extra: bytes('\x99') } }),
  ),
  with_('another local name', /differently/, file('evil/a', { local: { name: 'evil/b' } })),
  with_('a local name that goes up', /differently/, file('evil/aa', { local: { name: '../aa.m' } })),
  with_('another local method', /differently/, file('evil/a', { method: 8, local: { method: 0 } })),
  with_('another local checksum', /differently/, file('evil/a', { local: { crc: 7 } })),
  with_('another local size', /differently/, file('evil/a', { local: { size: 7 } })),
  with_('another local packed size', /differently/, file('evil/a', { local: { packedSize: 7 } })),
  with_('other local flags', /differently/, file('evil/a', { local: { flags: 2 } })),
  with_('another local time', /differently/, file('evil/a', { local: { time: 9 } })),
  with_('sizes behind the data that are others', /differently/, file('evil/a', { descriptor: { size: 9 } })),
  with_('a checksum behind the data that is another', /differently/, file('evil/a', { descriptor: { crc: 9 } })),
  with_(
    'sizes behind the data and others before it',
    /differently/,
    file('evil/a', { descriptor: {}, local: { size: 9 } }),
  ),
  with_('a wrong checksum', /checksum/, file('evil/a', { crc: 9 })),
  with_('a size that is too small, stored', /not as long/, file('evil/a', { data: 'abc', size: 2 })),
  with_(
    'a size that is too small, packed',
    /can not be unpacked|not as long/,
    file('evil/a', { data: 'abc', method: 8, size: 2 }),
  ),
  with_('a size that is too large, packed', /not as long/, file('evil/a', { data: 'abc', method: 8, size: 4 })),
  with_('a packed size beyond the file', /larger than the file/, file('evil/a', { packedSize: 99_999, size: 99_999 })),
  with_(
    'a packed size of 4 GiB',
    /zip64|larger than the file/,
    file('evil/a', { packedSize: 0xfffffffe, size: 0xfffffffe }),
  ),
  with_(
    'data that is no deflate',
    /can not be unpacked/,
    file('evil/a', { method: 8, packed: bytes('\xff\xff\xff'), size: 1 }),
  ),
  with_(
    'packed data that is cut',
    /can not be unpacked/,
    file('evil/a', { method: 8, packed: deflateRawSync(Buffer.from('abcdefabcdef')).subarray(0, 4), size: 12 }),
  ),
  with_(
    'more behind the end of packed data',
    /not as long/,
    file('evil/a', {
      data: 'abc',
      method: 8,
      packed: Buffer.concat([deflateRawSync(Buffer.from('abc')), bytes('hidden')]),
    }),
  ),
  with_('zip64 sizes', /zip64/, file('evil/a', { packedSize: 0xffffffff, size: 0xffffffff, extra: zip64 })),
  with_('a zip64 field that nothing asks for', /zip64/, file('evil/a', { extra: zip64 })),
  with_('a zip64 field in the local header alone', /zip64/, file('evil/a', { local: { extra: zip64 } })),
  with_('a place in zip64', /zip64/, file('evil/a', { localAt: 0xffffffff })),
  with_('an entry on another disk', /several files/, file('evil/a', { disk: 1 })),
  with_('an entry where none is', /lies over|not where|something between/, file('evil/a', { localAt: 3 })),
  with_('two entries in one place', /lies over/, file('evil/b', { localAt: 0, isGhost: true })),
  { name: 'an overlap bomb', says: /lies over/, zip: () => overlapping(200) },
  { name: 'entries inside the data of others', says: /lies over/, zip: quoted },
  {
    name: 'a file that unpacks to 17 MiB',
    says: /larger than 16 MiB/,
    zip: () => rawZip([skillEntry, { name: 'evil/a', data: big, method: 8 }]),
  },
  {
    name: 'files that unpack to 60 MiB',
    says: /more than 48 MiB/,
    zip: () => rawZip([skillEntry, ...[1, 2, 3, 4].map((n) => ({ ...zeros(15), name: `evil/${n}` }))]),
  },
  {
    name: 'a ratio of 1000',
    says: /200 times/,
    zip: () => rawZip([skillEntry, zeros(15), { ...zeros(2), name: 'evil/b' }]),
  },
  {
    name: 'a size that lies about a bomb',
    says: /can not be unpacked/,
    zip: () => rawZip([skillEntry, { ...zeros(15), size: 10 }]),
  },
  {
    name: 'too many entries',
    says: /more than 2000/,
    zip: () => rawZip(Array.from({ length: 2001 }, (_, n) => file(`evil/${n}`))),
  },
  { name: 'a count of 65,535', says: /zip64/, zip: () => rawZip([skillEntry], { count: 0xffff }) },
  with_('archives in an archive', /archives in it/, file('evil/a.zip', { data: inner(['b.zip', 'c.zip']) })),
  with_(
    'an archive that unpacks to 60 MiB',
    /far too much/,
    file('evil/a.zip', { data: rawZip([1, 2, 3, 4].map((n) => ({ ...zeros(15), name: `${n}` }))) }),
  ),
  ending('something before it', /before its first entry/, {}, [{ ...skillEntry, gap: bytes('#!/bin/sh\n') }]),
  {
    name: 'something before it that the places do not know of',
    says: /directory does not end|not where/,
    zip: () => Buffer.concat([bytes('MZ..'), rawZip([skillEntry])]),
  },
  ending('something between entries', /between its entries/, {}, [
    skillEntry,
    file('evil/a', { gap: bytes('hidden') }),
  ]),
  {
    name: 'an entry that the directory does not have',
    says: /between its entries/,
    zip: () => rawZip([skillEntry], { beforeDirectory: rawZip([file('evil/b')]).subarray(0, 37) }),
  },
  ending('something behind the directory', /does not end where/, { beforeEnd: bytes('hidden') }),
  ending('something behind it', /something behind its end/, { behind: bytes('hidden') }),
  ending('a comment that is longer than the file', /something behind its end|cut off/, { commentBytes: 9 }),
  ending('a comment that is shorter than the rest', /something behind its end|cut off/, {
    comment: bytes('abcdef'),
    commentBytes: 2,
  }),
  ending('an end record in its comment', /two end records/, { comment: Buffer.concat([END, Buffer.alloc(18)]) }),
  ending('the sign of an end record in its comment', /two end records/, {
    comment: Buffer.concat([bytes('..'), END, bytes('.'.repeat(40))]),
  }),
  {
    name: 'a whole other zip in its comment',
    says: /two end records/,
    zip: () => rawZip([skillEntry], { comment: rawZip([file('other/SKILL.md')]) }),
  },
  { name: 'an end record in the data, whose comment is the rest', says: /two end records/, zip: endInData },
  {
    name: 'two end records',
    says: /two end records|behind its end/,
    zip: () => Buffer.concat([rawZip([skillEntry]), rawZip([])]),
  },
  ending('an end record in the comment of an entry', /two end records/, {}, [
    { ...skillEntry, comment: Buffer.concat([END, Buffer.alloc(30)]) },
  ]),
  ending('a directory that is elsewhere', /directory/, { at: 3 }),
  ending('a directory that is larger', /directory/, { size: 999 }),
  ending('a directory of 4 GiB', /zip64/, { size: 0xffffffff }),
  ending('a directory in zip64', /zip64/, { at: 0xffffffff }),
  ending('a zip64 locator before its end', /does not end where/, {
    beforeEnd: Buffer.concat([bytes('PK\x06\x07'), Buffer.alloc(16)]),
  }),
  ending('two numbers of entries', /two numbers/, { countHere: 2 }),
  ending('more entries than it has', /directory/, { count: 2 }),
  ending('fewer entries than it has', /other bytes/, { count: 1 }, [skillEntry, file('evil/a')]),
  ending('a part of several files', /several files/, { disk: 1 }),
  { name: 'one that is cut', says: /cut off/, zip: () => rawZip([skillEntry]).subarray(0, -5) },
  { name: 'one that is cut in its data', says: /cut off/, zip: () => rawZip([skillEntry]).subarray(0, 50) },
  { name: 'no zip', says: /not a zip/, zip: () => Buffer.from('hello') },
  { name: 'nothing', says: /not a zip/, zip: () => Buffer.alloc(0) },
  { name: 'a tar', says: /not a zip/, zip: () => Buffer.alloc(10_240, 'a') },
]
