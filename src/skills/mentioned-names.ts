import { baseName } from './paths.ts'

export type MentionedNames = {
  /** Whether the text mentions this file of the skill: by its name, or by a folder above it. */
  has(path: string): boolean
}

/**
 * What files a text can be said to mention: a guess, on the side of yes. Prose must name a file with its extension, or a
 * folder with a slash; code also imports modules by their bare names and puts paths together from pieces.
 */
export const mentionedNames = (text: string, kind: 'prose' | 'code'): MentionedNames => {
  const names = new Set<string>()
  const folders = new Set<string>()
  for (const [token] of text.matchAll(/[\p{L}\p{N}_@.+/-]+/gu)) {
    const pieces = token.split('/')
    const last = (pieces.pop() ?? '').replace(/\.+$/, '')
    if (last === '') folders.add(pieces.pop() ?? '')
    else names.add(last)
    if (kind === 'code') for (const part of last.split('.')) names.add(part)
  }
  const namesFolder = (folder: string): boolean => folders.has(folder) || (kind === 'code' && names.has(folder))

  return {
    has: (path) => {
      const base = baseName(path)
      if (names.has(base) || (kind === 'code' && names.has(base.replace(/\.[^.]*$/, '')))) return true
      if (/[^\p{L}\p{N}_@.+-]/u.test(base) && text.includes(base)) return true
      return path.split('/').slice(0, -1).some(namesFolder)
    },
  }
}
