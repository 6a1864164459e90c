import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { folderWorkspace } from '../adapters/files/folder-workspace.ts'
import type { Decision } from '../core/ports.ts'
import { grepTool } from '../tools/grep.ts'
import { notedTools } from './noted-tools.ts'
import { folderLook } from './program-changes.ts'
import { type TouchedFiles, touchedFiles } from './touched-files.ts'

const made: string[] = []
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true })
})

/** A folder with these files; `put` changes it as a program does that nobody sees into. */
const folder = (files: Readonly<Record<string, string>>) => {
  const dir = mkdtempSync(join(tmpdir(), 'skills-eval-touched-'))
  made.push(dir)
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  for (const [path, text] of Object.entries(files)) put(path, text)
  const touched = touchedFiles(folderWorkspace(dir), folderLook(dir))
  const program = (action: () => void, by: 'script' | 'tool' = 'script'): void => {
    const ended = touched.watch(by)
    action()
    ended()
  }
  return { dir, put, touched, program, workspace: touched.workspace }
}

const textOf = (touched: TouchedFiles) =>
  Object.fromEntries(
    touched
      .before()
      .map((file) => [file.path, 'content' in file ? new TextDecoder().decode(file.content) : file.problem]),
  )

test('keeps what was read or changed as it was before, once, and nothing else', () => {
  const { touched, workspace } = folder({ 'a.txt': 'a', 'b/c.txt': 'c', 'd.txt': 'd', 'e.txt': 'e' })
  workspace.read('./a.txt', 10)
  workspace.write('a.txt', 'new')
  workspace.read('a.txt', 10)
  workspace.write('made.txt', 'x')
  workspace.write('made.txt', 'y')
  workspace.remove('d.txt')
  expect(textOf(touched)).toEqual({ 'a.txt': 'a', 'd.txt': 'd' })
  expect(touched.changed()).toEqual([
    { path: 'a.txt', exists: true },
    { path: 'd.txt', exists: false },
    { path: 'made.txt', exists: true },
  ])
})

test('a listing is of files, which are kept, and of folders, which are named', () => {
  const { touched, workspace } = folder({ 'a.txt': 'a', 'b/c.txt': 'c' })
  workspace.list('.')
  expect([textOf(touched), touched.folders()]).toEqual([{ 'a.txt': 'a' }, ['b']])
})

test('what the arguments of a script name is taken for read, a folder with what is in it', () => {
  const { touched, dir } = folder({ 'a.txt': 'a', 'b/c.txt': 'c', 'd.txt': 'd', 'e.txt': 'e' })
  mkdirSync(join(dir, 'out'))
  touched.noteArguments(['a.txt', '--all', 'b', '--in=d.txt', '../x', '7', '', 'out'])
  expect(textOf(touched)).toEqual({ 'a.txt': 'a', 'b/c.txt': 'c', 'd.txt': 'd' })
  expect(touched.folders()).toEqual(['b', 'out'])
})

test('what is too much is named with the reason', () => {
  const many = Object.fromEntries(Array.from({ length: 202 }, (_, i) => [`f${i}`, 'x']))
  const { touched, workspace } = folder({ big: 'x'.repeat(300_000), ...many })
  for (const path of ['big', ...Object.keys(many)]) workspace.read(path, 10)
  const problems = touched.before().flatMap((file) => ('problem' in file ? [file.problem] : []))
  expect(problems.sort()).toEqual([
    'it is larger than 256 KiB',
    'there are more than 200 files',
    'there are more than 200 files',
  ])
})

describe('a program that nobody sees into', () => {
  test('makes files and folders that are none of before, whether they are read, listed or changed then', () => {
    const { touched, program, put, workspace } = folder({ 'in.txt': 'in', 'out/old.txt': 'old' })
    touched.noteArguments(['in.txt', 'report.md', 'new'])
    program(() => {
      put('report.md', 'total 7')
      put('new/a/b.txt', 'b')
      put('out/x.txt', 'x')
    })
    workspace.list('.')
    workspace.list('new')
    workspace.read('report.md', 10)
    workspace.read('new/a/b.txt', 10)
    workspace.write('out/x.txt', 'y')
    touched.noteArguments(['new', 'out/x.txt'])
    expect(textOf(touched)).toEqual({ 'in.txt': 'in' })
    // The script wrote into `out`, so that has to be there.
    expect(touched.folders()).toEqual(['out'])
  })

  test('changes files that are kept as they were, though nobody had read them', () => {
    const { touched, program, dir, put, workspace } = folder({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' })
    program(() => {
      put('a.txt', 'A')
      rmSync(join(dir, 'b.txt'))
    })
    program(() => put('a.txt', 'AA'))
    for (const path of ['a.txt', 'c.txt']) workspace.read(path, 10)
    expect(textOf(touched)).toEqual({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('AA')
  })

  test('moves a folder: what was in it is of before, and where it is now is not', () => {
    const { touched, program, dir, workspace } = folder({ 'notes/a.md': 'a', 'notes/b/c.md': 'c' })
    touched.noteArguments(['notes', 'moved'])
    program(() => renameSync(join(dir, 'notes'), join(dir, 'moved')))
    workspace.read('moved/a.md', 10)
    workspace.list('.')
    expect(textOf(touched)).toEqual({ 'notes/a.md': 'a', 'notes/b/c.md': 'c' })
    expect(touched.folders()).toEqual(['notes'])
  })

  test('changes what is too large to be copied before, which is said', () => {
    const big = 'x'.repeat(300_000)
    const { touched, program, put } = folder({ 'big.txt': big })
    program(() => put('big.txt', `${big}y`))
    expect(textOf(touched)).toEqual({ 'big.txt': 'a program changed it before it was looked at' })
  })

  test('leaves in doubt only what it may have changed where nobody looks', () => {
    const { touched, program, put, workspace } = folder({ 'node_modules/old/x.js': 'old' })
    // Long enough ago for the clock of any disk.
    const until = performance.now() + 150
    while (performance.now() < until);
    program(() => put('node_modules/new/x.js', 'new'))
    for (const name of ['old', 'new']) workspace.read(`node_modules/${name}/x.js`, 10)
    expect(textOf(touched)).toEqual({
      'node_modules/new/x.js': 'it was looked at only after a program had run, which may have changed it',
      'node_modules/old/x.js': 'old',
    })
  })

  test('is a tool of others: what it made is named once somebody looks at it', () => {
    const { touched, program, put, workspace } = folder({ 'a.txt': 'a' })
    program(() => {
      put('report.md', 'x')
      put('unseen.md', 'x')
    }, 'tool')
    program(() => put('own.md', 'x'))
    for (const path of ['report.md', 'own.md', 'a.txt']) workspace.read(path, 10)
    expect(touched.madeByTools()).toEqual(['report.md'])
    expect(textOf(touched)).toEqual({ 'a.txt': 'a' })
  })

  test('a folder that the agent made is none of before', () => {
    const { touched, workspace } = folder({})
    workspace.write('out/a/x.txt', 'x')
    workspace.list('.')
    workspace.list('out')
    expect(touched.folders()).toEqual([])
  })
})

describe('a search', () => {
  const search = async (touched: TouchedFiles, pattern: string) => {
    const tool = notedTools(new Map([['grep', grepTool()]]), touched).get('grep')
    const decision: Decision = { verdict: 'allow', rule: 'default' }
    return tool?.run(
      { pattern, path: '.' },
      {
        workspace: touched.workspace,
        skill: undefined,
        permit: async () => decision,
        decision,
        signal: new AbortController().signal,
      },
    )
  }

  test('needs the files in which it found something first, and never what belongs to others and has nothing', async () => {
    const others = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`node_modules/m${i}/x.js`, 'x']))
    const own = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`a/f${i}.txt`, 'x']))
    const { touched } = folder({
      ...others,
      ...own,
      '.git/config': 'here',
      '.git/HEAD': 'x',
      '.gitignore': 'dist/\n',
      'dist/out.js': 'here',
      'dist/none.js': 'x',
      'zed:1: odd.txt': 'here',
      'zz.txt': 'here',
    })
    expect((await search(touched, 'here'))?.status).toBe('ok')
    const kept = textOf(touched)
    expect(kept).toMatchObject({
      'zz.txt': 'here',
      'zed:1: odd.txt': 'here',
      '.git/config': 'it belongs to the configuration or to version control',
    })
    const names = Object.keys(kept)
    expect(names.filter((name) => /^(node_modules|\.git\/HEAD|dist\/none)/.test(name))).toEqual([])
    // The others of its own fill what room there is, and what Git ignores comes behind them.
    expect(names.filter((name) => name.startsWith('a/'))).toHaveLength(197)
    expect(kept['dist/out.js']).toBe('there are more than 200 files')
  })

  test('takes no room from what is read by name later', async () => {
    const own = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`a/f${i}.txt`, 'x']))
    const { touched, workspace, program, put } = folder({ ...own, 'z.txt': 'z' })
    await search(touched, 'nowhere')
    workspace.read('z.txt', 10)
    program(() => put('a/f99.txt', 'new'))
    const kept = textOf(touched)
    expect([kept['z.txt'], kept['a/f99.txt'], Object.keys(kept).length]).toEqual(['z', 'x', 200])
  })
})

test('a file that nobody may read stands in nobody’s way', () => {
  const { touched, dir, program } = folder({ 'a.txt': 'a', 'locked/b.txt': 'b' })
  chmodSync(join(dir, 'locked'), 0)
  program(() => rmSync(join(dir, 'a.txt')))
  chmodSync(join(dir, 'locked'), 0o755)
  expect(textOf(touched)).toMatchObject({ 'a.txt': 'a' })
})
