/** A path that a stranger wrote, judged by its text alone; links are a matter for whoever opens it. */
export type RelativePath = { readonly path: string } | { readonly problem: string }

const drive = /^[A-Za-z]:/

/**
 * Normalises a relative path (`./a//b/` → `a/b`, `.` → ``) or says why it is refused: absolute, `..` (also with
 * spaces behind, which Windows drops), backslash, NUL or another control character, half a character, a drive, over
 * 1,024 characters. Nothing is decoded: `%2e` and dots of other scripts are plain characters of a name.
 */
export const relativePath = (written: string): RelativePath => {
  if (written === '') return { problem: 'the path is empty' }
  if (written.length > 1024) return { problem: 'the path is longer than 1,024 characters' }
  if (/[\x00-\x1f\x7f-\x9f]/.test(written)) return { problem: 'the path has a control character' }
  if (written.includes('\\')) return { problem: 'the path has a backslash: use forward slashes' }
  if (!written.isWellFormed()) return { problem: 'the path has half a character (a lone surrogate)' }
  const segments = written.split('/').filter((segment) => segment !== '' && segment !== '.')
  const [first = ''] = segments
  if (written.startsWith('/') || first === '~') return { problem: 'the path is absolute: give a relative one' }
  if (drive.test(first)) return { problem: 'the path names a drive: give a relative one' }
  if (segments.includes('..')) return { problem: 'the path has "..", which would leave the folder' }
  if (segments.some((segment) => /^\.+ +$/.test(segment))) return { problem: 'the path has dots and spaces for a name' }
  return { path: segments.join('/') }
}
