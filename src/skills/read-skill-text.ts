import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import type { SkillLog } from './diagnose.ts'
import { isUtf8 } from './is-utf8.ts'
import { placeAt } from './place-at.ts'

export const maxSkillBytes = 1024 * 1024

/**
 * The text of a SKILL.md of at most 1 MiB, its byte order mark kept; undefined where it is none and the log says why.
 */
export const readSkillText = (file: string, files: Files, log: SkillLog): string | undefined => {
  const bytes = readBytes(file, files, log)
  if (bytes === undefined) return undefined
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const nul = text.indexOf('\0')
  if (isUtf16 || !isUtf8(bytes)) {
    log.report('not-utf8', isUtf16 ? 'the file is UTF-16, not UTF-8' : 'the file is not UTF-8', {
      file,
      place: () => placeAt(text, Math.max(0, text.indexOf('\ufffd'))),
    })
    if (log.mode === 'strict') return undefined
  }
  if (nul !== -1) log.report('nul-byte', 'the file has a NUL byte', { file, place: () => placeAt(text, nul) })
  return nul === -1 ? text : undefined
}

const readBytes = (file: string, files: Files, log: SkillLog): Uint8Array | undefined => {
  try {
    return files.readBytes(file, maxSkillBytes)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const isTooLarge = error.code === 'file_too_large'
    log.report(isTooLarge ? 'file-too-large' : 'file-unreadable', error.message, { file })
    return undefined
  }
}
