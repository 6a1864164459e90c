import { randomUUID } from 'node:crypto'
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import { ifThere, isSystemError } from './on-disk.ts'
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
  if (!claim(path, owner)) takeOver(path, owner, busy)
  const beat = setInterval(() => ifThere(() => utimesSync(path, new Date(), new Date())), beatMs)
  beat.unref()
  return () => {
    clearInterval(beat)
    // One that somebody took for dead is theirs now. One that can't be removed is of a process that is no more, soon.
    if (ifThere(() => readFileSync(path, 'utf8')) === owner) ifThere(() => rmSync(path, { force: true }))
  }
}

const beatMs = 60_000
const silenceMs = 10 * beatMs

/** Whether a process is at work in the folder of a run. */
export const isRunGoingOn = (folder: string): boolean => isAlive(join(folder, '.lock'))

/** Two may find a lock dead at once: only who holds this other one may look again, and replace it in one step. */
const takeOver = (path: string, owner: string, busy: (path: string) => Error): void => {
  if (isAlive(path)) throw busy(path)
  const release = claimLock(`${path}.next`, () => busy(path))
  try {
    // What is dead stays there until it is replaced here; what is not there may be somebody's the next moment.
    if (claim(path, owner)) return
    if (!isThere(path) || isAlive(path)) throw busy(path)
    explained(path, () => {
      const fresh = written(path, owner)
      renameSync(fresh, path)
    })
  } finally {
    release()
  }
}

/** With who it is already in it: nobody may find it without. */
const claim = (path: string, owner: string): boolean =>
  explained(path, () => {
    const fresh = written(path, owner)
    try {
      linkSync(fresh, path)
      return true
    } catch (error) {
      if (isSystemError(error) && error.code === 'EEXIST') return false
      // Not every disk has links.
      return !isThere(path) && claimWithoutLink(path, owner)
    } finally {
      rmSync(fresh, { force: true })
    }
  })

const claimWithoutLink = (path: string, owner: string): boolean => {
  try {
    writeFileSync(path, owner, { flag: 'wx' })
    return true
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return false
    throw error
  }
}

const written = (path: string, owner: string): string => {
  const fresh = `${path}.${process.pid}.${randomUUID()}`
  try {
    writeFileSync(fresh, owner, { flag: 'wx' })
  } catch (error) {
    ifThere(() => rmSync(fresh, { force: true }))
    throw error
  }
  return fresh
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** A process on another machine, or in another container, can't be asked: it is at work as long as it renews its lock. */
export const isAlive = (path: string): boolean => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  // A link, which a project may come with, could lead to what has no end: a person is to look at it.
  if (!stats.isFile() || stats.size > 1024) return true
  const [pid = '', machine] = (ifThere(() => readFileSync(path, 'utf8')) ?? '').trim().split(' ')
  // Killed before it had written who it is.
  if (!/^\d+$/.test(pid)) return false
  // In a container that was started anew, numbers come again.
  if (Number(pid) === process.pid && machine === hostname()) return false
  if (machine !== hostname()) return Date.now() - stats.mtimeMs < silenceMs
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM'
  }
}
