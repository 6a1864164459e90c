import { copyFileSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FileError } from '../../core/errors.ts'
import type { Fixture } from '../../schema/suite.ts'
import { insidePath } from './inside-folder.ts'
import { onDisk } from './on-disk.ts'

const limits = { entries: 50_000, depth: 64 } as const

/**
 * Lays fixtures into the folder `root`. Sources are absolute paths of files or folders. Links in them would be holes in
 * the workspace: what they lead to is copied instead, and a link round in circles is a FileError, as are special
 * files, over 50,000 entries, and over 64 levels.
 */
export const layFixtures = (root: string, fixtures: Readonly<Record<string, Fixture>>): void => {
  const budget = { entries: limits.entries }
  for (const [destination, fixture] of Object.entries(fixtures)) {
    const target = join(root, insidePath(destination))
    if (typeof fixture === 'string') onDisk(fixture, () => copy(fixture, target, [], budget))
    else onDisk(destination, () => writeText(target, textOf(fixture)), 'written')
  }
}

const textOf = (fixture: Exclude<Fixture, string>): string =>
  'text' in fixture ? fixture.text : `${JSON.stringify(fixture.json, null, 2)}\n`

const writeText = (target: string, text: string): void => {
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

/** `above` are the real folders on the way down to `source`. */
const copy = (source: string, target: string, above: readonly string[], budget: { entries: number }): void => {
  budget.entries -= 1
  if (budget.entries < 0 || above.length > limits.depth) {
    const most = `${limits.entries.toLocaleString('en')} entries in ${limits.depth} levels`
    throw new FileError('fixture_too_large', `${source}: fixtures have more than ${most}`)
  }
  const stats = statSync(source)
  if (stats.isFile()) {
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(source, target)
    return
  }
  if (!stats.isDirectory()) throw new FileError('not_a_file', `${source} is neither a file nor a folder`)
  const real = realpathSync(source)
  if (above.includes(real)) throw new FileError('fixture_loop', `${source} is a link to a folder that it lies in`)
  mkdirSync(target, { recursive: true })
  for (const name of readdirSync(source)) copy(join(source, name), join(target, name), [...above, real], budget)
}
