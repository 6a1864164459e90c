import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { FileError } from '../../core/errors.ts'
import { isSystemError, onDisk } from './on-disk.ts'

export type AuditFolder = {
  /** Makes digests that mean something in this project alone; stays the same from run to run. */
  readonly key: string
  /**
   * Writes `<id>/run.json`, for its owner alone, whole or not at all. What was written is read back: where `isSafe`
   * says no to it nothing stays, and the answer is false.
   */
  write(id: string, text: string, isSafe: (written: string) => boolean): boolean
  /** Puts another file beside the run.json of a run, for its owner alone. */
  attach(id: string, name: string, text: string): void
}

/** `.agent/runs` of a project, made where it is missing. Throws a FileError where it can't be, or leads outside. */
export const openAuditFolder = (projectDir: string): AuditFolder => {
  const runs = onDisk(join(projectDir, '.agent/runs'), () => runsFolder(projectDir), 'written')
  return {
    key: onDisk(runs, () => keyOf(join(runs, '.key')), 'written'),
    write: (id, text, isSafe) => onDisk(join(runs, id), () => writeRun(join(runs, id), text, isSafe), 'written'),
    attach: (id, name, text) => {
      const path = join(runs, id, name)
      onDisk(path, () => writeFileSync(path, text, { flag: 'wx', mode: 0o600 }), 'written')
    },
  }
}

const runsFolder = (projectDir: string): string => privateFolder(projectDir, 'runs')

/** A folder in `.agent` of a project, for its owner alone and ignored by Git. */
export const privateFolder = (projectDir: string, name: string): string => {
  const project = realpathSync(projectDir)
  const agent = folderInside(project, project, '.agent', 0o755)
  const runs = folderInside(project, agent, name, 0o700)
  ifNew(() => writeFileSync(join(runs, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }))
  return runs
}

/** A folder that lies in the project once links are followed: a script or a skill may have planted one. */
const folderInside = (project: string, parent: string, name: string, mode: number): string => {
  const path = join(parent, name)
  ifNew(() => mkdirSync(path, { mode }))
  const real = realpathSync(path)
  if (!`${real}${sep}`.startsWith(`${project}${sep}`))
    throw new FileError('outside_project', `${path} is a link that leads outside the project`)
  return real
}

const writeRun = (folder: string, text: string, isSafe: (written: string) => boolean): boolean => {
  mkdirSync(folder, { mode: 0o700 })
  const temporary = join(folder, '.run.json.tmp')
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  } finally {
    closeSync(file)
  }
  if (!isSafe(readFileSync(temporary, 'utf8'))) {
    rmSync(folder, { recursive: true, force: true })
    return false
  }
  renameSync(temporary, join(folder, 'run.json'))
  return true
}

/** Where the key can't be kept it is made anew: then digests differ from run to run, and that is all. */
const keyOf = (path: string): string => {
  ifNew(() => writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 }))
  const found = readKey(path)
  return found !== undefined && /^[\da-f]{64}$/.test(found) ? found : randomBytes(32).toString('hex')
}

const readKey = (path: string): string | undefined => {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
  try {
    const stats = fstatSync(file)
    return stats.isFile() && stats.size <= 100 ? readFileSync(file, 'utf8').trim() : undefined
  } finally {
    closeSync(file)
  }
}

const ifNew = (make: () => void): void => {
  try {
    make()
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EEXIST') throw error
  }
}
