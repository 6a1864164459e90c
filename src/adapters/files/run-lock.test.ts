import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { onFailingDisk } from './failing-disk.test-support.ts'
import { claimLock, isAlive } from './run-lock.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const busy = () => new Error('busy')
const [dead, alive] = [`999999999 ${hostname()}\n`, `${process.ppid} ${hostname()}\n`]
const own = `${process.pid} ${hostname()}\n`

/** A lock file with this text, as old as that. */
const lockOf = (text: string, minutes = 0) => {
  const path = join(tempFolder(), 'lock')
  writeFileSync(path, text)
  const then = new Date(Date.now() - minutes * 60_000)
  utimesSync(path, then, then)
  return { path, read: () => readFileSync(path, 'utf8') }
}

afterEach(() => void vi.useRealTimers())

describe('a lock', () => {
  test('has one holder, and nothing is left of it', () => {
    const path = join(tempFolder(), 'lock')
    const release = claimLock(path, busy)
    expect(readFileSync(path, 'utf8')).toBe(own)
    expect(readdirSync(join(path, '..'))).toEqual(['lock'])
    release()
    expect(existsSync(path)).toBe(false)
  })

  test('of a process that works is left alone', () => {
    const { path, read } = lockOf(alive)
    expect(() => claimLock(path, busy)).toThrow('busy')
    expect(read()).toBe(alive)
  })

  test('of a process that is no more is taken over by one of two that find it so at once', () => {
    const counted = lockOf(dead)
    const steps = onFailingDisk(
      () => undefined,
      () => claimLock(counted.path, busy)(),
    )
    expect(steps).toBeGreaterThan(5)
    const winners = new Set<string>()
    for (let at = 1; at <= steps; at += 1) {
      const { path, read } = lockOf(dead)
      let other = false
      const comesBetween = (step: number) => {
        // The other one keeps to the same rule: who has the second lock may replace the first.
        if (step === at && read() === dead && !existsSync(`${path}.next`)) {
          writeFileSync(path, alive)
          other = true
        }
        return undefined
      }
      let mine = false
      let holds = ''
      onFailingDisk(comesBetween, () => {
        try {
          const release = claimLock(path, busy)
          holds = read()
          mine = true
          release()
        } catch (error) {
          if (!(error instanceof Error && error.message === 'busy')) throw error
        }
      })
      expect([mine, other], `the other one comes before step ${at}`).toEqual(other ? [false, true] : [true, false])
      if (mine) expect(holds).toBe(own)
      else expect(read()).toBe(alive)
      expect(readdirSync(join(path, '..'))).toEqual(mine ? [] : ['lock'])
      winners.add(mine ? 'mine' : 'other')
    }
    expect([...winners].sort()).toEqual(['mine', 'other'])
  })

  test('is taken over though who wanted to take it over before was killed', () => {
    const { path } = lockOf(dead)
    writeFileSync(`${path}.next`, dead)
    claimLock(path, busy)()
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test('that is somebody else’s by now is not released', () => {
    const { path, read } = lockOf('')
    const release = claimLock(path, busy)
    writeFileSync(path, alive)
    release()
    expect(read()).toBe(alive)
  })

  test('of another machine or container counts as long as it is renewed', () => {
    expect(isAlive(lockOf('1 elsewhere\n', 9).path)).toBe(true)
    const { path } = lockOf('1 elsewhere\n', 11)
    expect(isAlive(path)).toBe(false)
    claimLock(path, busy)()
    expect(existsSync(path)).toBe(false)
  })

  test('of a process that had this number before the machine or container was started anew is dead', () => {
    expect(isAlive(lockOf(own).path)).toBe(false)
  })

  test('that is a link, or holds more than an owner, is for a person to look at', () => {
    const { path, read } = lockOf(`${dead}${' '.repeat(2000)}`)
    expect(() => claimLock(path, busy)).toThrow('busy')
    expect(read()).toHaveLength(dead.length + 2000)
    const link = join(tempFolder(), 'lock')
    // What no process has: a lock that was followed would be taken over.
    symlinkSync(lockOf(dead).path, link)
    expect(() => claimLock(link, busy)).toThrow('busy')
  })

  test('leaves nothing beside it where the disk is full', () => {
    const path = join(tempFolder(), 'lock')
    expect(() =>
      onFailingDisk(
        (_step, name) => (name === 'writeFileSync' ? 'ENOSPC' : undefined),
        () => claimLock(path, busy),
      ),
    ).toThrow('the disk is full')
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test('is renewed while it is held', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const path = join(tempFolder(), 'lock')
    const release = claimLock(path, busy)
    const age = () => Date.now() - statSync(path).mtimeMs
    const anHourAgo = new Date(Date.now() - 3_600_000)
    utimesSync(path, anHourAgo, anHourAgo)
    expect(age()).toBeGreaterThan(3_000_000)
    vi.advanceTimersByTime(61_000)
    expect(age()).toBeLessThan(60_000)
    release()
    expect(vi.getTimerCount()).toBe(0)
  })
})
