/** How many letters and digits a quote has at least, where it is not all that there is. */
const MIN_SIGNS = 3

/**
 * Whether a quote is evidence: it occurs in the material word for word, where runs of white space count as one blank
 * and characters are composed (Unicode NFC). A quote of fewer than three letters or digits would be found in nearly any
 * text: it is evidence only where it is the whole material.
 */
export const isEvidence = (quote: string, material: string): boolean => {
  const [part, whole] = [normalised(quote), normalised(material)]
  if (part === '' || !whole.includes(part)) return false
  return part === whole || (part.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_SIGNS
}

const normalised = (text: string): string => text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
