/**
 * Words as a shell would have them, with none of what a shell does besides: quotes hold a word together, a backslash
 * takes its meaning from a quote, a space or a backslash. A quote that nothing closes is a character like any other.
 */
export const splitWords = (text: string): readonly string[] => {
  const words: string[] = []
  let word: string | undefined
  for (const [, space, double, single, escaped, plain] of text.matchAll(piece)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      const quoted = double?.replaceAll(/\\(["\\])/g, '$1')
      word = `${word ?? ''}${quoted ?? single ?? escaped ?? plain ?? ''}`
    }
  }
  return word === undefined ? words : [...words, word]
}

const piece = /(\s+)|"((?:\\.|[^"\\])*)"|'([^']*)'|\\(["'\\\s])|(.)/gs
