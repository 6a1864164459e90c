/** Columns that a text takes in a terminal: 2 for what is wide there, 0 for marks that join what is before them. */
export const textWidth = (text: string): number => {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

/** The text in at most `width` columns; what is over is cut from its end. */
export const fitEnd = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text
  return width < 1 ? '' : `${head([...text], width - 1)}…`
}

/** The text in at most `width` columns, cut from its middle: names differ at their start and at their end. */
export const fitMiddle = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text
  if (width < 1) return ''
  const characters = [...text]
  const end = [...head(characters.toReversed(), Math.floor((width - 1) / 2))].reverse().join('')
  return `${head(characters, width - 1 - textWidth(end))}…${end}`
}

/** Parts one after the other, on as many lines of at most `width` columns as that takes; no part is cut. */
export const linesOf = (parts: readonly string[], gap: string, width: number): readonly string[] => {
  const lines: string[] = []
  for (const part of parts) {
    const longer = `${lines.at(-1) ?? ''}${gap}${part}`
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

const head = (characters: readonly string[], width: number): string => {
  let taken = ''
  let used = 0
  for (const character of characters) {
    used += widthOf(character)
    if (used > width) break
    taken += character
  }
  return taken
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u

const widthOf = (character: string): number => {
  if (character.length === 1 && character < '\u0300') return 1
  if (/[\p{Mn}\p{Me}]/u.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
