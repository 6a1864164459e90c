import { baseName } from './paths.ts'

/** How a text mentions a file: by its name, or in passing, as a module or by a folder above it. */
export type Mentioned = 'by-name' | 'in-passing'

/**
 * Says of a skill's files whether a text mentions them, in any case: a guess, on the side of yes. Prose must name a
 * file with its extension, or a folder with a slash or a name that is no plain word; code also imports modules by their
 * bare names and puts paths together from pieces. Fenced blocks in prose are code.
 */
export const mentionedNames = (text: string, kind: 'prose' | 'code'): ((path: string) => Mentioned | undefined) => {
  let lower: string | undefined
  let words: Words | undefined
  return (path) => {
    lower ??= text.toLowerCase()
    const key = path.toLowerCase()
    const base = baseName(key)
    if (isWordIn(lower, base)) return 'by-name'
    // Most files are named as they are called: only for the others is the text taken to pieces.
    words ??= wordsOf(lower, kind)
    const { names, folders, modules } = words
    if (names.has(base)) return 'by-name'
    if (modules.has(base.replace(/\.[^.]*$/, ''))) return 'in-passing'
    const above = key.split('/').slice(0, -1)
    return above.some((folder) => folders.has(folder) || modules.has(folder)) ? 'in-passing' : undefined
  }
}

const mostTries = 20

/** A quick look at the first places only: hostile text can hold a short name a million times inside words. */
const isWordIn = (text: string, word: string): boolean => {
  let at = text.indexOf(word)
  for (let tries = 0; at !== -1 && tries < mostTries; at = text.indexOf(word, at + 1), tries += 1) {
    const before = text[at - 1] ?? ' '
    const after = text[at + word.length] ?? ' '
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true
  }
  return false
}

type Words = {
  readonly names: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  readonly modules: ReadonlySet<string>
}

const wordsOf = (text: string, kind: 'prose' | 'code'): Words => {
  const names = new Set<string>()
  const folders = new Set<string>()
  const modules = new Set<string>()
  const add = (part: string, isCode: boolean): void => {
    for (const [token] of part.matchAll(/[\p{L}\p{N}_@.+/-]+/gu)) {
      const pieces = token.split('/')
      const last = (pieces.pop() ?? '').replace(/\.$/, '')
      names.add(last)
      if (last === '') folders.add(pieces.pop() ?? '')
      else if (/[-_]/.test(last) || token.startsWith('./')) folders.add(last)
      if (isCode) for (const piece of last.split('.')) modules.add(piece)
    }
  }
  if (kind === 'code') add(text, true)
  else for (const [i, part] of text.split(/^[ \t]*(?:```|~~~)/m).entries()) add(part, i % 2 === 1)
  return { names, folders, modules }
}
