export type Place = { readonly from: number; readonly to: number }

/**
 * Where a judge's quote stands in a text: word for word, but for runs of white space and the composition of characters,
 * as a quote counts as evidence. Undefined where it does not.
 */
export const findQuote = (text: string, quote: string): Place | undefined => {
  const words = quote.trim().split(/\s+/u)
  if (words[0] === '') return undefined
  for (const form of [words, words.map((word) => word.normalize('NFC')), words.map((word) => word.normalize('NFD'))]) {
    const place = findWords(text, form)
    if (place !== undefined) return place
  }
  return undefined
}

/** Looks from each place of the first word on: a pattern made of the quote would have to be escaped, and could be slow. */
const findWords = (text: string, words: readonly string[]): Place | undefined => {
  if (text.length * words.length > MAX_WORK) return undefined
  const [first = '', ...rest] = words
  for (let from = text.indexOf(first); from !== -1; from = text.indexOf(first, from + 1)) {
    const to = endOf(text, from + first.length, rest)
    if (to !== undefined) return { from, to }
  }
  return undefined
}

/** The longest text that a judge is given, with a quote of some sentences: no text may make the page wait. */
const MAX_WORK = 5e7

const endOf = (text: string, start: number, words: readonly string[]): number | undefined => {
  let at = start
  for (const word of words) {
    const begun = at
    while (/\s/u.test(text.charAt(at))) at += 1
    if (at === begun || !text.startsWith(word, at)) return undefined
    at += word.length
  }
  return at
}

export type Mark = Place & { readonly name: string }

/** A text in pieces, each with the marks that it lies in; where marks overlap, the first one holds. */
export const markedPieces = (
  text: string,
  marks: readonly Mark[],
): readonly { readonly text: string; readonly mark?: Mark }[] => {
  const pieces: { text: string; mark?: Mark }[] = []
  let at = 0
  for (const mark of marks.toSorted((a, b) => a.from - b.from)) {
    const from = Math.max(mark.from, at)
    const to = Math.min(mark.to, text.length)
    if (from >= to) continue
    if (from > at) pieces.push({ text: text.slice(at, from) })
    pieces.push({ text: text.slice(from, to), mark })
    at = to
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}
