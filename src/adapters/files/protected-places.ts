import { join } from 'node:path'
import { FileError } from '../../core/errors.ts'
import { isBelow } from './hold-inside.ts'
import { insidePath } from './inside-folder.ts'

const names = ['.agent', '.agents', '.claude', '.git'] as const

/**
 * Throws a FileError where `path` in the workspace `root` belongs to the rules that an agent works by: below `places`
 * (absolute, links resolved), or in a folder of settings, skills or version control, however deep and however spelt. A
 * policy that its subject could write would be none, and a hook of Git is a program that runs later, unasked.
 */
export const refuseProtected = (root: string, path: string, places: readonly string[]): void => {
  const inside = insidePath(path)
  const name = inside.split('/').find((segment) => names.some((known) => known === asDisksKnowIt(segment)))
  const isProtected = name !== undefined || places.some((place) => isBelow(place, join(root, inside)))
  if (!isProtected) return
  const what = name === undefined ? 'the skills and the configuration' : `what is in ${name}`
  throw new FileError('protected', `${path}: ${what} may be read, not written or deleted by an agent`)
}

/**
 * The name by which some disk would find the same entry: case does not count on macOS and Windows, nor do characters
 * of no width (HFS+), dots and spaces at the end, streams (`:`) and short names (`GIT~1`) on NTFS.
 */
const asDisksKnowIt = (segment: string): string => {
  const name = segment
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
  const [, short] = /^([a-z]+)~\d+$/.exec(name) ?? []
  return names.find((known) => short !== undefined && known.slice(1, 7) === short) ?? name
}
