// C0 but tab and newline, DEL, C1; soft hyphen, grapheme joiner, fillers, Mongolian selector; zero-width characters,
// joiners, line and paragraph separators, bidi marks, overrides and isolates, invisible operators; interlinear marks;
// tags and supplementary variation selectors, which can spell out hidden text; halves of surrogate pairs.
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these characters is meant on its own.
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Surrogate}]/gu

/**
 * The text with everything that a terminal or a reader would not see, or obey, written out: `\x1b`,
 * `\u202e`, `\u{e0041}`. Newlines, tabs and all that has a shape stay as they are. For showing, not for
 * reading back: a backslash is not doubled.
 */
export const visible = (text: string): string => text.replace(INVISIBLE, escapeOf)

/** `visible` on one line: newlines and tabs become `\n` and `\t`, and beyond `maxLength` characters it ends in `…`. */
export const visibleLine = (text: string, maxLength = 200): string => {
  // What is cut away need not be looked at: an answer can be megabytes long.
  const head = text.length > maxLength + 1 ? text.slice(0, maxLength + 1) : text
  const line = visible(head).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return line.length > maxLength ? `${cut(line, maxLength - 1)}…` : line
}

const escapeOf = (character: string): string => {
  if (character === '\r') return '\\r'
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`
}

// An escape or a pair of surrogates is kept whole or left out, never halved.
const cut = (line: string, length: number): string => {
  let end = 0
  for (const [piece] of line.matchAll(/\\x[\da-f]{2}|\\u[\da-f]{4}|\\u\{[\da-f]+\}|\\[nrt]|./gsu)) {
    if (end + piece.length > length) break
    end += piece.length
  }
  return line.slice(0, end)
}
