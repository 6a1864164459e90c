import { visibleLine } from '../lib/visible.ts'

const typeWords: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a map'],
  ['record', 'a map'],
  ['null', 'nothing'],
])

/** A schema's type in plain words: `int` → `a whole number`. */
export const describeType = (type: string): string => typeWords.get(type) ?? type

/** A value as it is told to a person: its kind, and itself where it is short. */
export const describeValue = (value: unknown): string => {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return `the string ${quote(value)}`
    case 'number':
      return `the number ${value}`
    case 'object':
      return 'a map'
    default:
      return String(value)
  }
}

/** `"text"`, on one line and not too long. */
export const quote = (text: string): string => `"${visibleLine(text, 60)}"`

/** `a, b or c`. */
export const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
