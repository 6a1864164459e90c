import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeOf, workspaceContract } from '../../core/ports.contract.test-support.ts'
import type { Workspace } from '../../core/ports.ts'
import { diskWorkspace } from './disk-workspace.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const texts = (laid: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(laid).map(([path, text]) => [path, { text }]))

workspaceContract((laid) => diskWorkspace(join(tempFolder(), 'workspace'), texts(laid)))

const read = (workspace: Workspace, path: string) => Buffer.from(workspace.read(path, 1000).content).toString('utf8')

describe('a workspace on disk', () => {
  test('is not there until something needs it', async () => {
    const folder = join(tempFolder(), 'workspace')
    const workspace = diskWorkspace(folder)
    workspace.stat('a.txt')
    workspace.files('.', 10)
    workspace.initial()
    await workspace.dispose()
    expect(existsSync(folder)).toBe(false)
  })

  test('is not there until then either where files are to be laid into it', async () => {
    const folder = join(tempFolder(), 'workspace')
    const workspace = diskWorkspace(folder, { 'a.txt': { text: 'alpha' } })
    await workspace.dispose()
    expect(existsSync(folder)).toBe(false)
  })

  test('is there, with all that is laid into it, for whoever runs in it', () => {
    const folder = join(tempFolder(), 'workspace')
    const workspace = diskWorkspace(folder, { 'in/a.txt': { text: 'alpha' }, 'b.json': { json: { b: [1] } } })
    expect(workspace.root()).toBe(folder)
    expect(readFileSync(join(folder, 'in/a.txt'), 'utf8')).toBe('alpha')
    expect(readFileSync(join(folder, 'b.json'), 'utf8')).toBe('{\n  "b": [\n    1\n  ]\n}\n')
  })

  test('is nobody else’s to look into', () => {
    const workspace = diskWorkspace(join(tempFolder(), 'workspace'))
    expect((lstatSync(workspace.root()).mode & 0o777).toString(8)).toBe('700')
  })

  test('notes what was laid into it before anybody could change it', () => {
    const workspace = diskWorkspace(join(tempFolder(), 'workspace'), { 'a.txt': { text: 'alpha' } })
    writeFileSync(join(workspace.root(), 'a.txt'), 'changed by a script')
    writeFileSync(join(workspace.root(), 'new.txt'), 'made by a script')
    expect([...workspace.initial()]).toEqual([
      ['a.txt', '8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8'],
    ])
  })

  test('leaves nothing behind', async () => {
    const folder = tempFolder()
    const workspace = diskWorkspace(join(folder, 'workspace'), { 'a/b.txt': { text: 'x' } })
    workspace.write('c/d.txt', 'y')
    await workspace.dispose()
    expect(readdirSync(folder)).toEqual([])
    await workspace.dispose()
  })

  test('leaves nothing behind where laying it out failed midway', async () => {
    const folder = tempFolder()
    const workspace = diskWorkspace(join(folder, 'workspace'), {
      'a.txt': { text: 'x' },
      'b.txt': join(folder, 'nope'),
    })
    expect(codeOf(() => workspace.root())).toBe('file_missing')
    expect(codeOf(() => workspace.read('a.txt', 10))).toBe('file_missing')
    await workspace.dispose()
    expect(readdirSync(folder)).toEqual([])
  })

  test('leaves nothing behind where a script nested folders too deeply for a path', async () => {
    const folder = tempFolder()
    const workspace = diskWorkspace(join(folder, 'workspace'))
    const nest = 'for (let i = 0; i < 60; i++) { const n = "d".repeat(100); fs.mkdirSync(n); process.chdir(n) }'
    execFileSync(process.execPath, ['-e', nest], { cwd: workspace.root() })
    expect(codeOf(() => workspace.files('.', 10))).toBe('file_unreadable')
    await workspace.dispose()
    expect(readdirSync(folder)).toEqual([])
  })

  // The superuser may write everywhere.
  test.skipIf(process.getuid?.() === 0)('leaves nothing behind where a script made a folder read-only', async () => {
    const folder = tempFolder()
    const workspace = diskWorkspace(join(folder, 'workspace'))
    workspace.write('a/b/c.txt', 'x')
    for (const path of ['a/b', 'a']) chmodSync(join(workspace.root(), path), 0o500)
    await workspace.dispose()
    expect(readdirSync(folder)).toEqual([])
  })

  test('puts no part of a file in place of the old one', () => {
    const workspace = diskWorkspace(join(tempFolder(), 'workspace'), { 'a.txt': { text: 'old' } })
    const inode = lstatSync(join(workspace.root(), 'a.txt')).ino
    workspace.write('a.txt', 'new')
    expect(lstatSync(join(workspace.root(), 'a.txt')).ino).not.toBe(inode)
    expect(readdirSync(workspace.root())).toEqual(['a.txt'])
  })
})

/** A workspace, and beside it what no path may reach; `plant` is what a script did inside. */
const planted = (plant: (root: string) => void): { workspace: Workspace; outside: string } => {
  const folder = tempFolder({ 'outside/secret.txt': 'secret', 'workspace-2/secret.txt': 'secret' })
  const workspace = diskWorkspace(join(folder, 'workspace'), {
    'in.txt': { text: 'inside' },
    'dir/x.txt': { text: 'x' },
  })
  plant(workspace.root())
  return { workspace, outside: join(folder, 'outside') }
}

type Refusals = { read: string; write: string; stat: string; list: string; files: string }

const refusalsOf = (workspace: Workspace, path: string): Refusals => ({
  read: codeOf(() => workspace.read(path, 10)),
  write: codeOf(() => workspace.write(path, 'overwritten')),
  stat: codeOf(() => workspace.stat(path)),
  list: codeOf(() => workspace.list(path)),
  files: codeOf(() => workspace.files(path, 10)),
})

const all = (code: string): Refusals => ({ read: code, write: code, stat: code, list: code, files: code })
const done = 'nothing was thrown'

describe('links in a workspace', () => {
  test.each<[what: string, target: string, path: string, refusals: Refusals]>([
    ['a file outside', '../outside/secret.txt', 'link', all('outside_workspace')],
    ['a folder outside', '../outside', 'link', all('outside_workspace')],
    ['a file below a linked folder outside', '../outside', 'link/secret.txt', all('outside_workspace')],
    ['a new file below a linked folder outside', '../outside', 'link/new.txt', all('outside_workspace')],
    ['a file in a folder whose name begins the same', '../workspace-2/secret.txt', 'link', all('outside_workspace')],
    ['nowhere', 'nowhere', 'link', all('outside_workspace')],
    ['a new place outside', '../outside/new.txt', 'link', all('outside_workspace')],
    ['itself', 'link', 'link', all('outside_workspace')],
    ['itself, and on', 'link', 'link/x', all('outside_workspace')],
    ['the root of the disk', '/', 'link/etc/passwd', all('outside_workspace')],
    [
      'the folder above',
      '..',
      'link/workspace/in.txt',
      { ...all(done), write: 'outside_workspace', list: 'not_a_folder' },
    ],
    [
      'a file inside',
      'in.txt',
      'link',
      { read: done, write: 'outside_workspace', stat: done, list: 'not_a_folder', files: done },
    ],
    [
      'a folder inside',
      'dir',
      'link',
      { read: 'not_a_file', write: 'outside_workspace', stat: done, list: done, files: done },
    ],
    [
      'a file below a linked folder inside',
      'dir',
      'link/x.txt',
      { ...all(done), write: 'outside_workspace', list: 'not_a_folder' },
    ],
  ])('that lead to %s', (_, target, path, refusals) => {
    const { workspace, outside } = planted((root) => symlinkSync(target, join(root, 'link')))
    expect(refusalsOf(workspace, path)).toEqual(refusals)
    expect(readdirSync(outside)).toEqual(['secret.txt'])
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  test('that stand where a file was are not written through', () => {
    const { workspace, outside } = planted((root) => {
      execFileSync('ln', ['-sf', '../outside/secret.txt', join(root, 'in.txt')])
    })
    expect(() => workspace.write('in.txt', 'overwritten')).toThrow('in.txt: it is a link: name the file itself')
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  test.each([
    ['outside', '../outside/secret.txt'],
    ['to a folder outside', '../outside'],
    ['nowhere', 'nowhere'],
    ['to itself', 'link'],
  ])('that lead %s are removed themselves', (_, target) => {
    const { workspace, outside } = planted((root) => symlinkSync(target, join(root, 'link')))
    workspace.remove('link')
    expect(readdirSync(workspace.root())).toEqual(['dir', 'in.txt'])
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  test('do not let anything be removed behind them', () => {
    const { workspace, outside } = planted((root) => symlinkSync('../outside', join(root, 'link')))
    expect(codeOf(() => workspace.remove('link/secret.txt'))).toBe('outside_workspace')
    expect(readdirSync(outside)).toEqual(['secret.txt'])
  })

  test('are listed as what cannot be read, and are not followed', () => {
    const { workspace } = planted((root) => {
      symlinkSync('../outside', join(root, 'link'))
      symlinkSync('dir', join(root, 'inside'))
    })
    expect(workspace.list('.')).toEqual([
      { path: 'dir', kind: 'dir', size: 0 },
      { path: 'in.txt', kind: 'file', size: 6 },
      { path: 'inside', kind: 'other', size: 0 },
      { path: 'link', kind: 'other', size: 0 },
    ])
    expect(workspace.files('.', 10).map((file) => file.path)).toEqual(['dir/x.txt', 'in.txt'])
  })
})

describe('strange things in a workspace', () => {
  test('a pipe is neither read, written nor waited for', () => {
    const { workspace } = planted((root) => execFileSync('mkfifo', [join(root, 'pipe')]))
    expect(refusalsOf(workspace, 'pipe')).toEqual({
      read: 'not_a_file',
      write: 'not_a_file',
      stat: done,
      list: 'not_a_folder',
      files: done,
    })
    expect(workspace.stat('pipe')).toEqual({ path: 'pipe', kind: 'other', size: 0 })
    expect(workspace.files('.', 10).map((file) => file.path)).toEqual(['dir/x.txt', 'in.txt'])
    workspace.remove('pipe')
  })

  test('a name that no disk takes is refused in words', () => {
    const { workspace } = planted(() => undefined)
    const name = 'n'.repeat(300)
    expect(refusalsOf(workspace, name)).toEqual({
      read: 'file_unreadable',
      write: 'file_unwritable',
      stat: done,
      list: 'file_unreadable',
      files: done,
    })
    expect(() => workspace.read(name, 10)).toThrow(`${name} can't be read: the name is too long`)
  })

  test('a file that grows is read no further than asked', () => {
    const { workspace } = planted((root) => execFileSync('truncate', ['-s', '1T', join(root, 'sparse')]))
    const { content, bytes } = workspace.read('sparse', 4)
    expect([[...content], bytes]).toEqual([[0, 0, 0, 0], 2 ** 40])
  })
})

describe('fixtures', () => {
  const laid = (source: string, destination = 'fixture') =>
    diskWorkspace(join(tempFolder(), 'workspace'), { [destination]: source })

  test('are copied with all that is in them', () => {
    const source = tempFolder({ 'a.txt': 'alpha', 'sub/b.bin': Uint8Array.of(0, 255), 'sub/.hidden': 'h' })
    const workspace = laid(source, 'data/set')
    expect(workspace.files('.', 10).map((file) => file.path)).toEqual([
      'data/set/a.txt',
      'data/set/sub/.hidden',
      'data/set/sub/b.bin',
    ])
    expect(read(workspace, 'data/set/a.txt')).toBe('alpha')
  })

  test('are the workspace’s own: a change does not reach the source', () => {
    const source = tempFolder({ 'a.txt': 'alpha' })
    const workspace = laid(join(source, 'a.txt'), 'a.txt')
    workspace.write('a.txt', 'changed')
    writeFileSync(join(workspace.root(), 'a.txt'), 'changed again')
    expect(readFileSync(join(source, 'a.txt'), 'utf8')).toBe('alpha')
  })

  test('bring what their links lead to, and no link', () => {
    const folder = tempFolder({
      'shared/s.txt': 'shared',
      'source/link': { link: '../shared/s.txt' },
      'source/sub/folder': { link: '../../shared' },
    })
    const workspace = laid(join(folder, 'source'))
    expect(workspace.files('.', 10)).toEqual([
      { path: 'fixture/link', kind: 'file', size: 6 },
      { path: 'fixture/sub/folder/s.txt', kind: 'file', size: 6 },
    ])
  })

  test.each([
    ['a link round in circles', { 'source/sub/up': { link: '..' } }, 'fixture_loop'],
    [
      'two links that lead into each other',
      { 'source/a/b': { link: '../c' }, 'source/c/d': { link: '../a' } },
      'fixture_loop',
    ],
    ['a link to itself', { 'source/loop': { link: 'loop' } }, 'file_unreadable'],
    ['a link that leads nowhere', { 'source/gone': { link: 'nowhere' } }, 'file_missing'],
  ])('with %s are refused', (_, entries, code) => {
    const workspace = laid(join(tempFolder(entries), 'source'))
    expect(codeOf(() => workspace.root())).toBe(code)
  })

  test('that multiply through links are refused', () => {
    const folder = tempFolder({ '20/x': '' })
    for (let i = 0; i < 20; i += 1) {
      mkdirSync(join(folder, String(i)))
      for (const name of ['a', 'b']) symlinkSync(`../${i + 1}`, join(folder, String(i), name))
    }
    expect(codeOf(() => laid(join(folder, '0')).root())).toBe('fixture_too_large')
  })

  test('that hold a pipe are refused', () => {
    const folder = tempFolder({ 'a.txt': 'alpha' })
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(codeOf(() => laid(folder).root())).toBe('not_a_file')
  })

  test.each(['../a.txt', '/tmp/a.txt', 'a/../../b'])('are not laid at %s', (destination) => {
    const workspace = diskWorkspace(join(tempFolder(), 'workspace'), { [destination]: { text: 'x' } })
    expect(codeOf(() => workspace.root())).toBe('outside_workspace')
  })
})
