import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import { ifThere } from './on-disk.ts'
import { explained } from './output-file.ts'

/**
 * Makes this process the only one that writes in the folder of a run, until the returned function is called. What a
 * process left that is no more is taken over. Throws a UsageError where another one is at work.
 */
export const lockRun = (folder: string): (() => void) =>
  claimLock(
    join(folder, '.lock'),
    (path) =>
      new UsageError('run_in_progress', `the run in ${folder} is still going on`, {
        hint: `Wait for it, or end it first. If nothing runs, delete ${path}.`,
      }),
  )

/** The same with a file of one's own: throws what `busy` makes where another process has it. */
export const claimLock = (path: string, busy: (path: string) => Error): (() => void) => {
  const owner = `${process.pid} ${hostname()}\n`
  if (!claim(path, owner)) {
    if (isAlive(path)) throw busy(path)
    // Two may find it dead at once: only one can take it away.
    const dead = `${path}.${process.pid}`
    ifThere(() => renameSync(path, dead))
    rmSync(dead, { force: true })
    if (!claim(path, owner)) throw busy(path)
  }
  return () => rmSync(path, { force: true })
}

/** Whether a process is at work in the folder of a run. */
export const isRunGoingOn = (folder: string): boolean => isAlive(join(folder, '.lock'))

const claim = (path: string, owner: string): boolean => {
  try {
    writeFileSync(path, owner, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    return explained(path, () => {
      throw error
    })
  }
}

/** A process on another machine can't be asked: it is taken to be at work. */
export const isAlive = (path: string): boolean => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  // A link, which a project may come with, could lead to what has no end: a person is to look at it.
  if (stats !== undefined && (!stats.isFile() || stats.size > 1024)) return true
  const [pid = '', machine] = (ifThere(() => readFileSync(path, 'utf8')) ?? '').trim().split(' ')
  // Killed before it had written who it is.
  if (!/^\d+$/.test(pid)) return false
  // In a container that was started anew, numbers come again.
  if (Number(pid) === process.pid && machine === hostname()) return false
  if (machine !== hostname()) return true
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
