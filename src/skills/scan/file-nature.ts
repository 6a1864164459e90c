import type { CodeLanguage } from './code-language.ts'
import { isPage, languageOf, namedKind } from './file-names.ts'
import { isText } from './read-text.ts'

export type FileNature =
  | { readonly kind: 'document' | 'data' }
  | { readonly kind: 'media'; readonly what?: string }
  | { readonly kind: 'code'; readonly language: CodeLanguage; readonly misnamed?: string }
  /** A program as machines read it; bytecode; an archive; anything else that is no text. */
  | { readonly kind: 'program' | 'compiled' | 'archive' | 'locked' | 'unknown'; readonly what: string }

/**
 * What a file is for a scan. What it holds counts more than its name: text is looked at whatever it is called. `head` is its
 * first bytes, `text` what was read of it.
 */
export const fileNature = (path: string, head: Uint8Array, text: string): FileNature => {
  const start = Buffer.from(head.subarray(0, 16)).toString('latin1')
  const named = namedKind(path)
  if (/^(?:\x7fELF|MZ[\s\S]{2}[\s\S]*\0|\xcf\xfa\xed\xfe|\xce\xfa\xed\xfe|\xca\xfe\xba\xbe)/.test(start))
    return named === 'compiled' && path.endsWith('.class')
      ? { kind: 'compiled', what: 'compiled code' }
      : { kind: 'program', what: 'a compiled program' }
  if (/^(?:\x00asm|!<arch>\n)/.test(start)) return { kind: 'compiled', what: 'compiled code' }
  const language = languageOf(path, text)
  if (language !== undefined) return { kind: 'code', language }
  return isText(text) && text !== '' ? textNature(path, start, text) : binaryNature(path, start)
}

const textNature = (path: string, start: string, text: string): FileNature => {
  // What large file storage leaves in a file's place.
  if (text.startsWith('version https://git-lfs.github.com/spec/')) return { kind: 'data' }
  const named = namedKind(path)
  switch (named) {
    case 'compiled':
    case 'archive':
    case 'macros':
    case 'media':
      return {
        kind: 'code',
        language: 'unknown',
        ...(!mediaStart.test(start) && { misnamed: `text, though its name says ${names[named]}` }),
      }
    case 'document':
    case 'data':
      return { kind: named }
    case 'unnamed':
      return isRunFolder(path) && !usualDocument.test(path)
        ? { kind: 'code', language: 'unknown' }
        : { kind: 'document' }
    case 'unknown':
      return { kind: 'code', language: 'unknown' }
  }
}

const usualDocument = /(?:^|\/)(?:readme|licen[cs]e|notice|authors|changelog|copying|contributing|version|codeowners)$/i

const names = {
  compiled: 'compiled code',
  archive: 'an archive',
  macros: 'an office document',
  media: 'a picture, a font or a document',
} as const

const binaryNature = (path: string, start: string): FileNature => {
  const named = namedKind(path)
  if (named === 'compiled') return { kind: 'compiled', what: 'compiled code' }
  if (named === 'macros') return { kind: 'archive', what: 'an office document that can hold macros' }
  if (named === 'media' && start !== '' && !hasMagic(Buffer.from(start, 'latin1')))
    return { kind: 'unknown', what: 'a file that is not what its name says' }
  if (named === 'media')
    return { kind: 'media', ...(isPage(path) && { what: 'a document whose text was not looked at' }) }
  // The first bit of the flags: what it holds can be read by nobody who has no password.
  if (/^PK\x03\x04[\s\S]{2}/.test(start) && (start.charCodeAt(6) & 1) === 1)
    return { kind: 'locked', what: 'an archive with a password' }
  if (archiveStart.test(start) || named === 'archive') return { kind: 'archive', what: 'an archive' }
  return { kind: 'unknown', what: 'a file that is no text' }
}

const mediaStart =
  /^(?:\x89PNG|GIF8|\xff\xd8\xff|RIFF|BM|%PDF|II\*\0|MM\0\*|\0\0\x01\0|\0\x01\0\0|OTTO|true|wOF[F2]|ID3|OggS|[\s\S]{4}ftyp|PK\x03\x04|SQLite format 3|PAR1|icns|ttcf|fLaC|\x1aE\xdf\xa3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/
const archiveStart = /^(?:PK\x03\x04|\x1f\x8b|BZh|7z\xbc\xaf|Rar!|\xfd7zXZ|\x28\xb5\x2f\xfd)/
const compiledStart =
  /^(?:\x00asm|!<arch>\n|rust\0|\x7fELF|MZ|\xcf\xfa\xed\xfe|\xce\xfa\xed\xfe|\xca\xfe\xba\xbe|[\s\S]{2}\r\n)/

/** Whether a file begins as one of the kinds that are no text does. */
export const hasMagic = (head: Uint8Array): boolean => {
  const start = Buffer.from(head.subarray(0, 512)).toString('latin1')
  return [mediaStart, archiveStart, compiledStart].some((each) => each.test(start)) || start.slice(257, 262) === 'ustar'
}

/** Where files are run whatever they are called. */
export const isRunFolder = (path: string): boolean =>
  /(?:^|\/)(?:scripts?|bin|hooks|\.husky|tools|libexec)\//.test(path)
