import { copyFileSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FileError } from '../../core/errors.ts'
import type { Fixture } from '../../schema/suite.ts'
import { insidePath } from './inside-folder.ts'
import { onDisk } from './on-disk.ts'

const limits = { entries: 10_000, depth: 64 } as const

/**
 * Lays fixtures into the folder `root`. Sources are absolute paths of files or folders. Links in them would be holes in
 * the workspace: what they lead to is copied instead, and a link round in circles is a FileError, as are special
 * files, over 10,000 entries in one source, and over 64 levels.
 */
export const layFixtures = (root: string, fixtures: Readonly<Record<string, Fixture>>): void => {
  for (const [destination, fixture] of Object.entries(fixtures)) {
    const target = join(root, insidePath(destination))
    if (typeof fixture === 'string') onDisk(fixture, () => copy(fixture, target))
    else onDisk(destination, () => writeText(target, textOf(fixture)), 'written')
  }
}

const textOf = (fixture: Exclude<Fixture, string>): string =>
  'text' in fixture ? fixture.text : `${JSON.stringify(fixture.json, null, 2)}\n`

const writeText = (target: string, text: string): void => {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

const copy = (source: string, target: string): void => {
  const entries: Entry[] = []
  // All is looked at before anything is copied: links can make little into endlessly much.
  collect(source, '', [], entries)
  mkdirSync(dirname(target), { recursive: true })
  for (const { path, isFolder } of entries) {
    if (isFolder) mkdirSync(join(target, path), { recursive: true })
    else copyFileSync(join(source, path), join(target, path))
  }
}

type Entry = { readonly path: string; readonly isFolder: boolean }

/** Adds what is at `path` below `source` and in it, folders first; `above` are the real folders on the way down. */
const collect = (source: string, path: string, above: readonly string[], entries: Entry[]): void => {
  const place = join(source, path)
  if (entries.length === limits.entries || above.length > limits.depth) {
    const most = `${limits.entries.toLocaleString('en')} entries in ${limits.depth} levels`
    throw new FileError('fixture_too_large', `${source}: a fixture may have no more than ${most}`)
  }
  const stats = statSync(place)
  const isFolder = stats.isDirectory()
  if (!isFolder && !stats.isFile()) throw new FileError('not_a_file', `${place} is neither a file nor a folder`)
  entries.push({ path, isFolder })
  if (!isFolder) return
  const real = realpathSync(place)
  if (above.includes(real)) throw new FileError('fixture_loop', `${place} is a link to a folder that it lies in`)
  for (const name of readdirSync(place)) collect(source, join(path, name), [...above, real], entries)
}
