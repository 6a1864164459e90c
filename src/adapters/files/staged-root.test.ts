import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { treeDigest, writeJournal } from './root-journal.ts'
import { openStagedRoot, recoverRoot } from './staged-root.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const names = { lock: 'lock.json', limits: { entries: 100, fileBytes: 1000, depth: 5 } }

/** A root with `a` and `b`, and new versions of both in the staging folder. */
const staged = () => {
  const dir = tempFolder({ 'skills/a/v': 'old a', 'skills/b/v': 'old b', 'skills/lock.json': 'old lock' })
  const root = join(dir, 'skills')
  const open = openStagedRoot(root, names)
  const move = (name: string) => {
    mkdirSync(join(open.places.fresh, name))
    writeFileSync(join(open.places.fresh, name, 'v'), `new ${name}`)
    return { name, isNew: true, replaces: treeDigest(join(root, name), names.limits), isKept: false }
  }
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  return { dir, root, open, moves: [move('a'), move('b')], read }
}

describe('a root that is changed', () => {
  test('has all of the change, and nothing beside it', () => {
    const { dir, open, moves, read } = staged()
    expect(open.commit(moves, 'new lock')).toEqual([])
    open.close()
    expect([read('a/v'), read('b/v'), read('lock.json')]).toEqual(['new a', 'new b', 'new lock'])
    expect(readdirSync(dir)).toEqual(['skills'])
  })

  test('is as it was where the last step fails', () => {
    const { dir, root, open, moves, read } = staged()
    mkdirSync(join(root, 'lock.json.d'))
    // A lock that is a folder can't be replaced by a file.
    const broken = { ...open.places, lock: join(root, 'lock.json.d') }
    Object.assign(open.places, broken)
    expect(() => open.commit(moves, 'new lock')).toThrow(/can't be written/)
    open.close()
    expect([read('a/v'), read('b/v'), read('lock.json')]).toEqual(['old a', 'old b', 'old lock'])
    expect(readdirSync(dir)).toEqual(['skills'])
  })

  test('keeps what was edited after it was looked at', () => {
    const { root, open, moves, read } = staged()
    writeFileSync(join(root, 'a/v'), 'my a')
    const [kept = ''] = open.commit(moves, 'new lock')
    open.close()
    expect(readFileSync(join(kept, 'v'), 'utf8')).toBe('my a')
    expect(read('a/v')).toBe('new a')
  })

  test('keeps what was put there after a process was killed between two renames', () => {
    const { dir, root, open, moves, read } = staged()
    writeJournal(open.places, { format: 'skills-eval/journal@1', isUndone: false, moves, lock: 'new lock' })
    mkdirSync(join(open.places.staging, 'old/a'), { recursive: true })
    writeFileSync(join(open.places.staging, 'old/a/v'), 'old a')
    writeFileSync(join(root, 'a/v'), 'my a')
    writeFileSync(`${open.places.staging}.lock`, '999999999 nobody')
    // Another machine's process can't be asked: it is left alone.
    expect(recoverRoot(root, names)).toBe(false)
    writeFileSync(`${open.places.staging}.lock`, '')
    expect(recoverRoot(root, names)).toBe(true)
    expect([read('a/v'), read('b/v'), read('lock.json')]).toEqual(['new a', 'new b', 'new lock'])
    expect(readFileSync(join(dir, '.skills.backups/a-1/v'), 'utf8')).toBe('my a')
    expect(readdirSync(dir).sort()).toEqual(['.skills.backups', 'skills'])
  })

  test('keeps what was edited before a process was killed, once that is finished', () => {
    const { dir, root, open, moves, read } = staged()
    writeJournal(open.places, { format: 'skills-eval/journal@1', isUndone: false, moves, lock: 'new lock' })
    writeFileSync(join(root, 'b/v'), 'my b')
    writeFileSync(`${open.places.staging}.lock`, '')
    expect(recoverRoot(root, names)).toBe(true)
    expect([read('a/v'), read('b/v'), read('lock.json')]).toEqual(['new a', 'new b', 'new lock'])
    expect(readdirSync(join(dir, '.skills.backups'))).toEqual(['b-1'])
    expect(readFileSync(join(dir, '.skills.backups/b-1/v'), 'utf8')).toBe('my b')
  })

  test('goes back where a process was killed while it went back', () => {
    const { dir, root, open, moves, read } = staged()
    writeJournal(open.places, { format: 'skills-eval/journal@1', isUndone: true, moves, lock: 'new lock' })
    mkdirSync(join(open.places.staging, 'old'), { recursive: true })
    writeFileSync(`${open.places.staging}.lock`, '')
    expect(recoverRoot(root, names)).toBe(true)
    expect([read('a/v'), read('b/v'), read('lock.json')]).toEqual(['old a', 'old b', 'old lock'])
    expect(readdirSync(dir)).toEqual(['skills'])
  })

  test('is changed by one process at a time', () => {
    const { open, root } = staged()
    open.close()
    writeFileSync(`${open.places.staging}.lock`, `${process.ppid} ${hostname()}\n`)
    expect(() => openStagedRoot(root, names)).toThrow(/another process/)
    expect(recoverRoot(root, names)).toBe(false)
    rmSync(`${open.places.staging}.lock`)
    openStagedRoot(root, names).close()
  })

  test('that is a link is changed where it leads', () => {
    const dir = tempFolder({ 'real/skills/x': '' })
    symlinkSync(join(dir, 'real/skills'), join(dir, 'link'))
    const open = openStagedRoot(join(dir, 'link'), names)
    expect(open.places.staging).toBe(join(dir, 'real/.skills.staging'))
    open.close()
  })

  test('that was not there is not there afterwards, nor the folders above it', () => {
    const dir = tempFolder({})
    openStagedRoot(join(dir, 'a/b/skills'), names).close()
    expect(existsSync(join(dir, 'a'))).toBe(false)
  })

  test('never writes through a link that a project came with', () => {
    const { dir, root, open, moves } = staged()
    writeJournal(open.places, { format: 'skills-eval/journal@1', isUndone: false, moves, lock: 'new lock' })
    writeFileSync(join(dir, 'victim'), 'theirs')
    for (const name of ['lock.json', 'back.json', 'journal.json.tmp'])
      symlinkSync(join(dir, 'victim'), join(open.places.staging, name))
    writeFileSync(`${open.places.staging}.lock`, '')
    expect(recoverRoot(root, names)).toBe(true)
    expect(readFileSync(join(dir, 'victim'), 'utf8')).toBe('theirs')
    expect(lstatSync(join(root, 'lock.json')).isFile()).toBe(true)
  })

  const journal = (name: string) =>
    JSON.stringify({
      format: 'skills-eval/journal@1',
      isUndone: false,
      moves: [{ name, isNew: true, replaces: null, isKept: false }],
      lock: null,
    })
  const planted: readonly (readonly [string, Parameters<typeof tempFolder>[0]])[] = [
    ['a name that leads out', { '.skills.staging/journal.json': journal('../../victim'), '.skills.staging/new/x': '' }],
    [
      'new versions that lie elsewhere',
      { '.skills.staging/journal.json': journal('a'), '.skills.staging/new': { link: '../victims' } },
    ],
    [
      'old versions that go elsewhere',
      { '.skills.staging/journal.json': journal('a'), '.skills.staging/old': { link: '../victims' } },
    ],
    [
      'backups that go elsewhere',
      { '.skills.staging/journal.json': journal('a'), '.skills.backups': { link: 'victims' } },
    ],
    ['a staging folder that is elsewhere', { '.skills.staging': { link: 'victims' } }],
    ['a journal without end', { '.skills.staging/journal.json': { link: '/dev/zero' } }],
    ['a journal of something else', { '.skills.staging/journal.json': '{}' }],
    ['a lock without end', { '.skills.staging.lock': { link: '/dev/zero' }, '.skills.staging/x': '' }],
  ]
  test.each(planted)('that came with %s is left alone', (_, files) => {
    const dir = tempFolder({
      'skills/a/v': 'a',
      'victims/a/v': 'theirs',
      'victims/journal.json': journal('a'),
      ...files,
    })
    const paths = () => readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()
    const before = paths()
    expect(() => {
      if (!recoverRoot(join(dir, 'skills'), names)) throw new Error('it was left alone')
    }).toThrow()
    expect(() => openStagedRoot(join(dir, 'skills'), names)).toThrow(/was not left by|another process/)
    expect(paths()).toEqual(before)
  })
})
