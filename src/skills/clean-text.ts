/**
 * The text as a model is given it: LF line ends, and nothing in it that a reader would not see (zero-width and control
 * characters, bidi controls, tags, byte order marks), which can hide instructions. `removed` counts such characters;
 * joiners that shape an emoji or a script's letters stay.
 */
export const cleanText = (text: string): { readonly text: string; readonly removed: number } => {
  const lines = text.includes('\r') || separators.test(text) ? text.replace(/\r\n?|[\u2028\u2029]/g, '\n') : text
  if (!suspects.test(lines)) return { text: lines, removed: 0 }
  let removed = 0
  const clean = lines.replace(invisible, () => {
    removed += 1
    return ''
  })
  return { text: clean, removed }
}

/** How many characters `cleanText` removed, in words. */
export const leftOut = (removed: number): string =>
  removed === 1 ? '1 invisible character was left out' : `${removed} invisible characters were left out`

/** Offset of the first character that `cleanText` removes; -1 where there is none. */
export const firstInvisible = (text: string): number => (suspects.test(text) ? text.search(invisible) : -1)

const separators = /[\u2028\u2029]/

// A cheap look, so that the exact one is only taken where there is something unusual.
const suspects = /[^\t\n\r\x20-\x7e\u00a0-\u00ac\u00ae-\u024f\u2013-\u2026]/

const hidden =
  '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f' +
  '\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]'

// Joiners count unless they stand inside an emoji or between letters of scripts that are shaped by them.
const shaped = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Mong', 'Orya', 'Sinh', 'Syrc', 'Taml', 'Telu']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const before = `\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f${shaped}`
const after = `\\p{Extended_Pictographic}${shaped}`

const joiner = `[\\u200c\\u200d](?:(?<![${before}][\\u200c\\u200d])|(?![${after}]))`

const invisible = new RegExp(`${hidden}|${joiner}`, 'gu')
