/** The part of a text around `at`, at most `max` UTF-16 units and never half a character; `…` stands where it was cut. */
export const excerpt = (text: string, at = 0, max = 200): string => {
  if (text.length <= max) return text
  const from = wholeCharacter(text, Math.max(0, Math.min(at - Math.floor(max / 4), text.length - max)))
  const to = wholeCharacter(text, Math.min(text.length, from + max))
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

/** The same in quotes, on one line: line ends and control characters are escaped. */
export const quote = (text: string, at = 0, max = 200): string => JSON.stringify(excerpt(text, at, max))

/** What a check looked at, around a place, in words. */
export const showText = (text: string, at = 0): string =>
  text === '' ? 'the text is empty' : `the text is ${quote(text, at)}`

const wholeCharacter = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
