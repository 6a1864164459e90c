import { dirname, join } from 'node:path'
import { maxNoteBytes, type ProjectNote, renderProjectNotes } from '../agent/project-notes.ts'
import { FileError } from '../core/errors.ts'
import type { Files } from '../core/ports.ts'
import { type Project, shownPath } from './project.ts'

const NAME = 'AGENTS.md'

/**
 * What AGENTS.md says in the working folder and in each folder above it, up to the project's, for the system prompt. A
 * link that leads out of the project is not followed. What is nearest is shown first of all where there is too much.
 */
export const projectNotes = (project: Project, cwd: string, files: Files): string => {
  const found: ProjectNote[] = []
  let left = maxNoteBytes
  for (const dir of foldersUpTo(project.dir, files.realPath(cwd) ?? cwd)) {
    const file = join(dir, NAME)
    const real = files.realPath(file)
    if (real === undefined || !isBelow(project.dir, real) || files.stat(real)?.kind !== 'file') continue
    const note = noteOf(shownPath(project, file), real, left, files)
    if (note === undefined) continue
    left -= Buffer.byteLength(note.text)
    found.unshift(note)
  }
  return renderProjectNotes(found)
}

/** From the working folder upwards; that folder alone where it lies elsewhere. */
const foldersUpTo = (top: string, from: string): string[] => {
  const folders: string[] = []
  for (let dir = from; ; dir = dirname(dir)) {
    folders.push(dir)
    if (dir === top || dirname(dir) === dir) return dir === top ? folders : [from]
  }
}

const isBelow = (dir: string, path: string): boolean => path.startsWith(join(dir, '/'))

const noteOf = (path: string, file: string, maxBytes: number, files: Files): ProjectNote | undefined => {
  try {
    const { text, size } = files.readHead(file, Math.max(0, maxBytes))
    return { path, text, isCut: size > Buffer.byteLength(text) }
  } catch (error) {
    if (error instanceof FileError) return undefined
    throw error
  }
}
