import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onDisk } from './on-disk.ts'

export type LaidFile = { readonly path: string; readonly mode: '0644' | '0755' }

/** Copies files and empty folders of a folder into another, with these modes whatever the umask. */
export const layFiles = (from: string, into: string, files: readonly LaidFile[], folders: readonly string[]): void =>
  onDisk(
    into,
    () => {
      for (const { path, mode } of files) {
        const to = join(into, path)
        mkdirSync(dirname(to), { recursive: true })
        writeFileSync(to, readFileSync(join(from, path)), { flag: 'wx' })
        chmodSync(to, Number.parseInt(mode, 8))
      }
      for (const folder of folders) mkdirSync(join(into, folder), { recursive: true })
    },
    'written',
  )

/** Moves a folder within one disk to a place where nothing is; it and all folders in it become 0755, whatever they were. */
export const moveTree = (from: string, to: string): void =>
  onDisk(
    to,
    () => {
      openFolders(from)
      renameSync(from, to)
    },
    'written',
  )

const openFolders = (folder: string): void => {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name))
}
