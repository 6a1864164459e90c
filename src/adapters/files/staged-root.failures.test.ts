import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Failures, onFailingDisk } from './failing-disk.test-support.ts'
import { treeDigest } from './root-journal.ts'
import { openStagedRoot, recoverRoot } from './staged-root.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const names = { lock: 'lock.json', limits: { entries: 100, fileBytes: 1000, depth: 5 } }
// Every pair of steps: SKILLS_EVAL_KILLS=1000 npx vitest run --project unit src/adapters/files/staged-root.failures.test.ts
const stride = Number(process.env.SKILLS_EVAL_KILLS ?? 6) >= 100 ? 1 : 3
const codes = ['ENOSPC', 'EACCES', 'EIO'] as const

const laid = (dir: string, files: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

const contents = (dir: string): Readonly<Record<string, string>> =>
  existsSync(dir)
    ? Object.fromEntries(
        readdirSync(dir, { recursive: true, encoding: 'utf8' })
          .filter((path) => statSync(join(dir, path)).isFile())
          .sort()
          .map((path) => [path, readFileSync(join(dir, path), 'utf8')]),
      )
    : {}

const before = { 'edited/v': 'my work', 'gone/v': 'old gone', 'lock.json': 'old lock', 'sound/v': 'old sound' }
const after = { 'edited/v': 'new edited', 'fresh/v': 'new fresh', 'lock.json': 'new lock', 'sound/v': 'new sound' }

/** Changes a root while the disk fails; says what was thrown, and what there was then and once it was opened again. */
const changed = (dir: string, failures: Failures) => {
  rmSync(dir, { recursive: true, force: true })
  const root = join(dir, 'skills')
  laid(root, before)
  const open = openStagedRoot(root, names)
  laid(open.places.fresh, { 'edited/v': 'new edited', 'fresh/v': 'new fresh', 'sound/v': 'new sound' })
  const replaces = (name: string) => treeDigest(join(root, name), names.limits)
  const moves = [
    { name: 'sound', isNew: true, replaces: replaces('sound'), isKept: false },
    { name: 'edited', isNew: true, replaces: replaces('edited'), isKept: true },
    { name: 'fresh', isNew: true, replaces: null, isKept: false },
    { name: 'gone', isNew: false, replaces: replaces('gone'), isKept: false },
  ]
  let thrown: unknown
  const steps = onFailingDisk(failures, () => {
    try {
      open.commit(moves, 'new lock')
    } catch (error) {
      thrown = error
    }
    open.close()
  })
  const found = contents(root)
  const all = Object.values(contents(dir))
  // Also finished where nothing says that somebody is at work.
  if (existsSync(open.places.staging)) recoverRoot(root, names)
  return { thrown, steps, found, all, whole: contents(root), left: leftIn(dir) }
}

/** A lock that could not be removed is that of a process that is no more, for whoever comes next. */
const leftIn = (dir: string) =>
  readdirSync(dir)
    .filter((name) => !/\.lock(\.|$)/.test(name))
    .sort()

const kept = (dir: string) => Object.values(contents(join(dir, '.skills.backups')))

describe('a change of a root on a disk that fails', () => {
  const dirOf = () => join(tempFolder(), 'x')

  test('is done where nothing fails', () => {
    const dir = dirOf()
    const { thrown, steps, found, left } = changed(dir, () => undefined)
    expect(thrown).toBeUndefined()
    expect(found).toEqual(after)
    expect(left).toEqual(['.skills.backups', 'skills'])
    expect(kept(dir)).toEqual(['my work'])
    expect(steps).toBeGreaterThan(20)
  })

  test.each(codes)('leaves all as it was, whichever step fails once with %s', (code) => {
    const dir = dirOf()
    const { steps } = changed(dir, () => undefined)
    const ends = new Set<string>()
    for (let at = 1; at <= steps; at += 1) {
      const { thrown, found, whole, left } = changed(dir, (step) => (step === at ? code : undefined))
      expect(found, `after step ${at}`).toEqual(thrown === undefined ? after : before)
      expect(whole, `after step ${at}`).toEqual(found)
      expect(left, `after step ${at}`).toEqual(thrown === undefined ? ['.skills.backups', 'skills'] : ['skills'])
      if (thrown === undefined) expect(kept(dir)).toEqual(['my work'])
      else expect(thrown).toMatchObject({ code: 'write_failed' })
      ends.add(thrown === undefined ? 'done' : 'left')
    }
    expect([...ends].sort()).toEqual(['done', 'left'])
  })

  test('leaves all as it was on a disk that is full from some step on, where only writing fails', () => {
    const dir = dirOf()
    const { steps } = changed(dir, () => undefined)
    const isWriting = (what: string) => ['openSync', 'writeFileSync', 'fsyncSync', 'mkdirSync'].includes(what)
    for (let at = 1; at <= steps; at += 1) {
      const { thrown, found, whole } = changed(dir, (step, what) =>
        step >= at && isWriting(what) ? 'ENOSPC' : undefined,
      )
      expect(found, `after step ${at}`).toEqual(thrown === undefined ? after : before)
      expect(whole, `after step ${at}`).toEqual(found)
    }
  })

  /** Old or new, both whole, once the disk is sound again; and before that nothing of anybody's is lost. */
  const expectNothingLost = (
    dir: string,
    when: string,
    { all, found, whole, left, thrown }: ReturnType<typeof changed>,
  ) => {
    for (const text of ['my work', ...(thrown === undefined ? [] : ['old sound', 'old gone'])])
      expect(all, when).toContain(text)
    expect([before, after], when).toContainEqual(whole)
    if (whole['lock.json'] === 'new lock') expect(kept(dir), when).toEqual(['my work'])
    expect(left, when).not.toContain('.skills.staging')
    if (thrown === undefined) expect(found, when).toEqual(after)
    // What can't be put back is told as such.
    else if (JSON.stringify(found) !== JSON.stringify(before))
      expect(thrown, when).toMatchObject({ code: 'root_midway' })
  }

  test('loses nothing where going back fails too, and the next to come makes it whole', () => {
    const dir = dirOf()
    let midway = 0
    for (let first = 1; ; first += 1) {
      const once = changed(dir, (step) => (step === first ? 'EIO' : undefined))
      if (once.steps < first) break
      for (let second = first + 1 + (first % stride); second <= once.steps; second += stride) {
        const result = changed(dir, (step) => (step === first || step === second ? 'EIO' : undefined))
        expectNothingLost(dir, `steps ${first} and ${second}`, result)
        if (result.thrown !== undefined && JSON.stringify(result.found) !== JSON.stringify(before)) midway += 1
      }
    }
    expect(midway).toBeGreaterThan(0)
  })

  test('loses nothing where everything fails from some step on', () => {
    const dir = dirOf()
    const { steps } = changed(dir, () => undefined)
    for (let at = 1; at <= steps; at += 1)
      expectNothingLost(
        dir,
        `from step ${at} on`,
        changed(dir, (step) => (step >= at ? codes[at % 3] : undefined)),
      )
  })
})
