/**
 * A value as JSON that every reader accepts: halves of surrogate pairs become U+FFFD, numbers that JSON does not
 * have and `undefined` become null, and what is nested beyond any use is cut off rather than thrown at.
 */
export const jsonText = (value: unknown, indent?: number): string => {
  const text = shownJson(value, indent)
  return text.includes('\\ud') ? text.replace(ESCAPE, (all, half) => (half === undefined ? all : '\ufffd')) : text
}

/** The same for people: halves of surrogate pairs stay to be seen, as escapes. */
export const shownJson = (value: unknown, indent?: number): string => stringify(value, indent) ?? 'null'

// JSON.stringify escapes a surrogate only where its other half is missing. Every escape is matched, so that the
// `\\` before a literal `ud800` is not taken for the start of one.
const ESCAPE = /\\(?:(ud[89a-f][\da-f]{2})|.)/g

const stringify = (value: unknown, indent?: number): string | undefined => {
  try {
    return JSON.stringify(value, null, indent)
  } catch (error) {
    // The engine's stack is the limit: a model can nest deeper than it.
    if (!(error instanceof RangeError)) throw error
    return JSON.stringify(cutBelow(value, 100), null, indent)
  }
}

const cutBelow = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.map((item) => cutBelow(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutBelow(item, depth - 1)]))
}
