import { packLimits } from './limits.ts'

export type EntryPath =
  | {
      readonly path: string
      /** Written with a slash at its end. */
      readonly isFolder: boolean
    }
  | { readonly problem: string }

/**
 * Judges a path in a pack by its text: it must mean the same file, inside the folder that it is unpacked into, on every
 * system. Nothing is mended: a path that would have to be is refused.
 */
export const entryPath = (written: string): EntryPath => {
  const isFolder = written.endsWith('/')
  const path = isFolder ? written.slice(0, -1) : written
  if (path === '') return { problem: 'a path is empty' }
  if (!path.isWellFormed()) return { problem: 'a path has half a character (a lone surrogate)' }
  if (path.startsWith('/')) return { problem: 'a path is absolute' }
  if (path.includes('\\')) return { problem: 'a path has a backslash' }
  if (Buffer.byteLength(path) > packLimits.pathBytes)
    return { problem: `a path is longer than ${packLimits.pathBytes} bytes` }
  const segments = path.split('/')
  if (segments.length > packLimits.depth) return { problem: `folders nest deeper than ${packLimits.depth} levels` }
  for (const segment of segments) {
    const problem = segmentProblem(segment)
    if (problem !== undefined) return { problem }
  }
  return { path, isFolder }
}

const segmentProblem = (segment: string): string | undefined => {
  if (segment === '') return 'a path has an empty part ("//")'
  if (segment === '.' || segment === '..') return `a path has "${segment}" for a part`
  if (Buffer.byteLength(segment) > packLimits.nameBytes) return `a name is longer than ${packLimits.nameBytes} bytes`
  // Controls, half of a pair, private use by no standard; marks that turn the direction of text hide what a name is.
  if (
    /[\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u.test(
      segment,
    )
  )
    return 'a name has a control character'
  // Drives and streams of NTFS, and what Windows does not allow.
  if (/[:<>"|?*]/.test(segment)) return 'a name has one of : < > " | ? *'
  if (/[. ]$/.test(segment)) return 'a name ends with a dot or a space, which Windows drops'
  if (/^ /.test(segment)) return 'a name begins with a space'
  if (/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i.test(segment.trim()))
    return 'a name is that of a device on Windows'
  // A repository's own files: hooks in them are run by whoever uses git there. git~1 is its short name on Windows.
  if (/^(\.git|git~[0-9]+)$/.test(pathKey(segment))) return "a name is that of git's own folder"
  return undefined
}

/** Two paths with one key are one file on some system: case, Unicode form and invisible characters do not count. */
export const pathKey = (path: string): string =>
  path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    // Through upper case first: ß and ss, ſ and s.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
