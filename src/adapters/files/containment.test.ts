import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FileError } from '../../core/errors.ts'
import { codeOf } from '../../core/ports.contract.test-support.ts'
import type { Workspace } from '../../core/ports.ts'
import { folderWorkspace } from './folder-workspace.ts'
import { removeTree } from './remove-tree.ts'
import { tempFolder } from './temp-folder.test-support.ts'

/** All that is in a folder: names, modes, and contents or where links lead. */
const treeOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { mode, nlink, size } = lstatSync(join(folder, name))
      return [name, mode, nlink, size].join(' ')
    })
    .concat(readFileSync(join(folder, 'bait.txt'), 'utf8'))
    .join('\n')

const problemOf = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    if (error instanceof FileError) return error.message
    throw error
  }
  return 'nothing was thrown'
}

/** Uses a path in every way; what was seen of it. Only a FileError may be thrown. */
const useInEveryWay = (workspace: Workspace, path: string): string => {
  const seen: string[] = []
  const uses = [
    () => workspace.stat(path),
    () => workspace.list(path),
    () => workspace.files(path, 1000),
    () => Buffer.from(workspace.read(path, 1000).content).toString(),
    () => workspace.write(path, 'written'),
    () => workspace.write(`${path}/below/made.txt`, 'written'),
    () => workspace.remove(`${path}/bait.txt`),
    () => workspace.remove(path),
  ]
  for (const use of uses) {
    try {
      seen.push(JSON.stringify(use()) ?? '')
    } catch (error) {
      if (!(error instanceof FileError)) throw error
    }
  }
  return seen.join('\n')
}

const outside = { 'outside/bait.txt': 'BAIT', 'outside/only-outside/bait.txt': 'BAIT', 'outside/unseen.txt': 'BAIT' }
const leak = /BAIT|unseen/

describe('no path leads out of a workspace', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', '~', 'a', 'dir', 'out', 'file', 'outside', 'bait.txt', 'only-outside', 'C:', '...'),
    fc.constantFrom('%2e%2e', '..%2f', '\u2024\u2024', '\uff0e\uff0e', '..\\', '.. ', '\0', '..\u2215', '\ud800'),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  const path = fc
    .array(part, { minLength: 1, maxLength: 6 })
    .chain((parts) => fc.constantFrom('/', '//', '\\', '\u2215', '\uff0f').map((slash) => parts.join(slash)))

  test('however it is written', () => {
    const folder = tempFolder({ ...outside, 'root/dir/a.txt': 'inside', 'root/out': { link: '../outside' } })
    const before = treeOf(join(folder, 'outside'))
    const workspace = folderWorkspace(join(folder, 'root'))
    fc.assert(
      fc.property(path, (written) => {
        const seen = useInEveryWay(workspace, written)
        expect(seen).not.toMatch(leak)
        // The root's own folder gains nothing either.
        expect(readdirSync(folder)).toEqual(['outside', 'root'])
      }),
      { numRuns: 300 },
    )
    expect(treeOf(join(folder, 'outside'))).toEqual(before)
  })

  test('wherever its links lead', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const place = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
    const target = (folder: string) =>
      fc.oneof(
        place,
        place.map((at) => `../${at}`),
        fc.constantFrom(
          '..',
          '.',
          '../..',
          '../outside',
          '../../outside',
          '../../../outside',
          '../../outside/bait.txt',
        ),
        fc.constantFrom(`${folder}/outside`, `${folder}/outside/bait.txt`, `${folder}/root`, `${folder}/outside/new`),
      )
    const folder = tempFolder(outside)
    const before = treeOf(join(folder, 'outside'))
    const root = join(folder, 'root')
    const links = fc.array(fc.tuple(place, target(folder)), { minLength: 1, maxLength: 6 })
    const ends = fc.constantFrom('', '/bait.txt', '/only-outside', '/only-outside/bait.txt', '/new')
    const paths = fc.array(
      fc.tuple(place, ends).map(([at, end]) => at + end),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(links, paths, (planted, used) => {
        removeTree(root)
        mkdirSync(root)
        for (const [at] of planted) mkdirSync(dirname(join(root, at)), { recursive: true })
        for (const [at, to] of planted) {
          if (!lstatSync(join(root, at), { throwIfNoEntry: false })) symlinkSync(to, join(root, at))
        }
        const workspace = folderWorkspace(root)
        const seen = ['.', ...planted.map(([at]) => at), ...used].map((path) => useInEveryWay(workspace, path))
        expect(seen.join('\n')).not.toMatch(leak)
        // The size of the bait.
        expect(seen.join('\n')).not.toMatch(/"size":4\b/)
        expect(treeOf(join(folder, 'outside'))).toBe(before)
        expect(readdirSync(folder)).toEqual(['outside', 'root'])
      }),
      { numRuns: 150 },
    )
  })
})

describe('links of a file to a file outside', () => {
  test('that are hard are broken by a write, and the other file stays as it is', () => {
    const folder = tempFolder({ ...outside, 'root/a.txt': 'x' })
    linkSync(join(folder, 'outside/bait.txt'), join(folder, 'root/hard.txt'))
    const workspace = folderWorkspace(join(folder, 'root'))
    workspace.write('hard.txt', 'written')
    expect(readFileSync(join(folder, 'root/hard.txt'), 'utf8')).toBe('written')
    expect(readFileSync(join(folder, 'outside/bait.txt'), 'utf8')).toBe('BAIT')
    workspace.remove('hard.txt')
    expect(readdirSync(join(folder, 'outside'))).toEqual(['bait.txt', 'only-outside', 'unseen.txt'])
  })

  test('in a chain are refused at its end, and a chain inside is followed by whoever reads', () => {
    const folder = tempFolder({
      ...outside,
      'root/a': { link: 'b' },
      'root/b': { link: 'c' },
      'root/c': { link: '../outside/bait.txt' },
      'root/1': { link: '2' },
      'root/2': { link: 'dir/3' },
      'root/dir/3': { link: '../in.txt' },
      'root/in.txt': 'inside',
    })
    const workspace = folderWorkspace(join(folder, 'root'))
    expect(problemOf(() => workspace.read('a', 9))).toBe('a: a link in it leads outside or nowhere')
    expect(Buffer.from(workspace.read('1', 9).content).toString()).toBe('inside')
  })
})

describe('what is changed is what the path names', () => {
  test.each([
    ['a link to a file inside', 'link', 'link: it is a link: name the file itself'],
    ['a file below a link', 'folder/in.txt', 'folder/in.txt: a folder in it is a link: name the place itself'],
    ['a new file below a link', 'folder/new.txt', 'folder/new.txt: a folder in it is a link: name the place itself'],
    ['a new folder below a link', 'folder/x/y.txt', 'folder/x/y.txt: a folder in it is a link: name the place itself'],
  ])('so %s is not written', (_, path, problem) => {
    const folder = tempFolder({ link: { link: 'dir/in.txt' }, folder: { link: 'dir' }, 'dir/in.txt': 'inside' })
    const workspace = folderWorkspace(folder)
    expect(problemOf(() => workspace.write(path, 'written'))).toBe(problem)
    expect([readFileSync(join(folder, 'dir/in.txt'), 'utf8'), readdirSync(join(folder, 'dir'))]).toEqual([
      'inside',
      ['in.txt'],
    ])
  })

  test('so nothing is deleted below a link', () => {
    const folder = tempFolder({ folder: { link: 'dir' }, 'dir/in.txt': 'inside' })
    expect(codeOf(() => folderWorkspace(folder).remove('folder/in.txt'))).toBe('outside_workspace')
    expect(readdirSync(join(folder, 'dir'))).toEqual(['in.txt'])
  })

  test('so neither the workspace nor a folder is deleted', () => {
    const workspace = folderWorkspace(tempFolder({ 'dir/in.txt': 'inside' }))
    expect(['.', './', 'dir', 'dir/', 'dir/.'].map((path) => problemOf(() => workspace.remove(path)))).toEqual([
      '. is the workspace itself, not a file',
      './ is the workspace itself, not a file',
      'dir is a folder, not a file',
      'dir/ is a folder, not a file',
      'dir/. is a folder, not a file',
    ])
  })
})

describe('a write', () => {
  test.each([0o600, 0o755, 0o644])('leaves the file’s mode as it was: %o', (mode) => {
    const folder = tempFolder({ 'a.sh': 'old' })
    chmodSync(join(folder, 'a.sh'), mode)
    folderWorkspace(folder).write('a.sh', 'new')
    expect([readFileSync(join(folder, 'a.sh'), 'utf8'), lstatSync(join(folder, 'a.sh')).mode & 0o7777]).toEqual([
      'new',
      mode,
    ])
  })

  test('hands on no right to act as the file’s owner', () => {
    const folder = tempFolder({ program: 'old' })
    chmodSync(join(folder, 'program'), 0o6755)
    folderWorkspace(folder).write('program', 'new')
    expect((lstatSync(join(folder, 'program')).mode & 0o7777).toString(8)).toBe('755')
  })

  test('that fails leaves the old file and nothing else', () => {
    const folder = tempFolder({ 'a.txt': 'old' })
    const unwritable = { length: 3 } as unknown as Uint8Array
    expect(() => folderWorkspace(folder).write('a.txt', unwritable)).toThrow(TypeError)
    expect([readdirSync(folder), readFileSync(join(folder, 'a.txt'), 'utf8')]).toEqual([['a.txt'], 'old'])
  })

  // The superuser may write everywhere.
  test.skipIf(process.getuid?.() === 0)('does not replace a file that is read-only, and says why', () => {
    const folder = tempFolder({ 'a.txt': 'old', 'dir/b.txt': 'b' })
    chmodSync(join(folder, 'a.txt'), 0o444)
    chmodSync(join(folder, 'dir'), 0o555)
    const workspace = folderWorkspace(folder)
    expect([
      problemOf(() => workspace.write('a.txt', 'new')),
      problemOf(() => workspace.write('dir/c.txt', 'new')),
      problemOf(() => workspace.remove('dir/b.txt')),
    ]).toEqual([
      "a.txt can't be written: permission denied (EACCES)",
      "dir/c.txt can't be written: permission denied (EACCES)",
      "dir/b.txt can't be deleted: permission denied (EACCES)",
    ])
    expect([readdirSync(folder), readFileSync(join(folder, 'a.txt'), 'utf8')]).toEqual([['a.txt', 'dir'], 'old'])
  })

  test('makes folders as deep as a path goes', () => {
    const folder = tempFolder()
    const path = `${'d/'.repeat(500)}a.txt`
    const workspace = folderWorkspace(folder)
    workspace.write(path, 'deep')
    expect(workspace.files('.', 9)).toEqual([{ path, kind: 'file', size: 4 }])
  })
})

describe('special files', () => {
  test.runIf(process.platform === 'linux')('are not opened, also not through the root of the disk', () => {
    const workspace = folderWorkspace('/')
    expect(['dev/zero', 'dev/null', 'dev/tty'].map((path) => problemOf(() => workspace.read(path, 9)))).toEqual(
      ['dev/zero', 'dev/null', 'dev/tty'].map(
        (path) => `${path} is a special file (a pipe, a device or a socket), not a file`,
      ),
    )
  })

  test('behind a link inside are no files either', () => {
    const folder = tempFolder({ link: { link: 'pipe' } })
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(problemOf(() => folderWorkspace(folder).read('link', 9))).toContain('is a special file')
  })
})

test('a file of 2 GiB is read no further than asked', () => {
  const folder = tempFolder({ 'a.txt': 'head' })
  execFileSync('truncate', ['-s', '2G', join(folder, 'a.txt')])
  const { content, bytes } = folderWorkspace(folder).read('a.txt', 6)
  expect([Buffer.from(content).toString(), bytes]).toEqual(['head\0\0', 2 ** 31])
})

test('files that come and go while they are listed are no failure', async () => {
  const folder = tempFolder({ 'a/1.txt': '', 'b/2.txt': '', 'c/3.txt': '' })
  const script =
    'for (;;) { try { fs.rmSync("b", {recursive: true, force: true}); fs.mkdirSync("b"); fs.writeFileSync("b/2.txt", "") } catch {} }'
  const child = spawn(process.execPath, ['-e', script], { cwd: folder, stdio: 'ignore' })
  await once(child, 'spawn')
  try {
    const workspace = folderWorkspace(folder)
    for (const end = performance.now() + 300; performance.now() < end; ) {
      const paths = workspace.files('.', 99).map((file) => file.path)
      expect(paths.filter((path) => !path.startsWith('b/'))).toEqual(['a/1.txt', 'c/3.txt'])
    }
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})
