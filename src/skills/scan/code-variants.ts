import { plainWord } from './plain-prose.ts'

/**
 * A line of code as it is, and as it is once run: escapes decoded, pieces of text put together, letters of other alphabets
 * that a language takes for Latin ones, marks that a shell passes over left out.
 */
export const codeVariants = (line: string): readonly string[] => {
  // Most lines are nothing but themselves.
  const plain = /^[\0-\x7f]*$/.test(line) ? line : line.replace(/[\p{L}\p{N}\p{Cf}\p{M}]{1,200}/gu, plainWord)
  const decoded = joined(unescaped(plain))
  const variants = decoded === line ? [line] : [line, decoded]
  return /\[::-1\]|\brev(?:erse)?\b|strrev/i.test(line) ? [...variants, [...decoded].reverse().join('')] : variants
}

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(
        /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|([0-3][0-7]{2}))/g,
        (all, x, u, p, o) => {
          const code = o === undefined ? Number.parseInt(x ?? u ?? p, 16) : Number.parseInt(o, 8)
          return code >= 32 && code < 127 ? String.fromCharCode(code) : all
        },
      )
    : text

const joined = (text: string): string => {
  const whole = /["'`]/.test(text) ? text.replace(/(["'`])\s{0,3}(?:\+|&|\.{1,2})?\s{0,3}\1(?!["'`])/g, '') : text
  const list = /\bjoin\b/.test(whole) ? whole.replace(/(["'])\s{0,3},\s{0,3}\1/g, '') : whole
  // Marks that `cmd` and PowerShell pass over inside a word.
  const bare = /\w\^\w/.test(list) ? list.replaceAll('^', '') : list
  return /\w`\w/.test(bare) ? bare.replace(/(\w)`(?=\w)/g, '$1') : bare
}
