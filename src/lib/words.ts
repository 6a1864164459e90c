/**
 * The words of a text that carry meaning: in lower case, without English stop words, numbers and single letters, each
 * by its stem, with the first spelling that the text has of it.
 */
export const contentWords = (text: string): ReadonlyMap<string, string> => {
  const words = new Map<string, string>()
  for (const [word] of text.toLowerCase().matchAll(/\p{L}[\p{L}\p{M}\p{N}]+/gu)) {
    if (stopWords.has(word)) continue
    const stem = stemOf(word)
    if (!words.has(stem)) words.set(stem, word)
  }
  return words
}

/** The words that two texts share, as the first one spells them, sorted. */
export const sharedWords = (a: string, b: string): string[] => {
  const others = contentWords(b)
  return [...contentWords(a)].flatMap(([stem, word]) => (others.has(stem) ? [word] : [])).sort()
}

/**
 * The share of their words that two texts have in common (Jaccard, 0–1): 0 where one has none.
 * Source: P. Jaccard, New Phytologist 11 (1912) 37-50.
 */
export const wordOverlap = (a: string, b: string): number => {
  const [left, right] = [contentWords(a), contentWords(b)]
  const shared = [...left.keys()].filter((stem) => right.has(stem)).length
  return shared === 0 ? 0 : shared / (left.size + right.size - shared)
}

/** Plural, -ing and -ed forms of English go together; more than that would join what does not belong together. */
const stemOf = (word: string): string => {
  const plain = word.replace(/(?<=\p{L}{2})ies$/u, 'y').replace(/(?<=\p{L}{3}[^s])s$/u, '')
  if (plain.length < 6) return plain.replace(/(?<=\p{L}{3})e$/u, '')
  return plain.replace(/(?:ing|ed|e)$/u, '').replace(/(\p{L})\1$/u, '$1')
}

const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can could did do does doing done down during each else every few for from further get give go had has have
  having he her here hers him his how i if in into is it its itself just let like made make makes many may me might
  more most much must my need needs no nor not now of off on once one only onto or other our out over own per please
  same say says see she should so some somebody someone something such take takes than that the their them then there
  these they this those through to too two under until up upon us use used useful user users uses using very via want
  wants was way we were what when whenever where whether which while who whom whose why will with within without work
  works would you your skill skills`.split(/\s+/),
)
