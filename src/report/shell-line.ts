import { visible } from '../lib/visible.ts'
import { shellWord } from './shell-word.ts'

/**
 * Words as one line that a person can paste into a shell and that means exactly them. A word with what a reader would
 * not see, or a terminal obey, is written as `$'…'`, which bash, zsh and ksh read: nothing of it gets into the line.
 */
export const shellLine = (words: readonly string[]): string =>
  words.map((word) => (isPlain(word) ? shellWord(word) : ansiQuoted(word))).join(' ')

const isPlain = (word: string): boolean => !/[\n\t]/.test(word) && visible(word) === word

const ansiQuoted = (word: string): string => {
  const quoted = [...word].map((character) => {
    if (character === "'" || character === '\\') return `\\${character}`
    return isPlain(character) ? character : octal(character)
  })
  return `$'${quoted.join('')}'`
}

// Three digits each: what follows can't be taken for a part of it.
const octal = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
