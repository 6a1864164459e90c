import { mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ifThere } from './on-disk.ts'
import { explained } from './output-file.ts'

export type NewFiles = {
  /** Writes a file that was not there, and the folders that it needs. Throws a SkillsEvalError `write_failed`. */
  write(path: string, content: Uint8Array): void
  /** Takes away all that was written, and the folders that were made for it where nothing else is in them. */
  takeBack(): void
}

/** Files that are written together: all of them, or in the end none. */
export const newFiles = (): NewFiles => {
  const folders: string[] = []
  const files: string[] = []
  const makeFolders = (folder: string): void => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
    if (dirname(folder) !== folder) makeFolders(dirname(folder))
    mkdirSync(folder)
    folders.push(folder)
  }
  return {
    write: (path, content) =>
      explained(path, () => {
        makeFolders(dirname(path))
        // Made before it is filled: a disk that is full leaves an empty file.
        writeFileSync(path, '', { flag: 'wx' })
        files.push(path)
        writeFileSync(path, content)
      }),
    takeBack: () => {
      for (const file of files.reverse()) ifThere(() => rmSync(file, { force: true }))
      for (const folder of folders.reverse()) ifThere(() => rmdirSync(folder))
    },
  }
}
