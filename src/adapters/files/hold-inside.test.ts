import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../../core/ports.contract.test-support.ts'
import { diskFiles } from './disk-files.ts'
import { holdByPath, holdInside } from './hold-inside.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const isLinux = process.platform === 'linux'

const places = () => {
  const folder = tempFolder({
    'outside/a.txt': 'outside',
    'root/dir/a.txt': 'inside',
    'root/out': { link: '../outside' },
  })
  const root = join(folder, 'root')
  const swap = () => {
    renameSync(join(root, 'dir'), join(root, 'moved'))
    symlinkSync('../outside', join(root, 'dir'))
  }
  return { folder, root, swap }
}

describe.each([
  ['by a descriptor', holdInside],
  ['by its path', holdByPath],
])('what is held %s', (_, hold) => {
  test('is where its links lead', () => {
    const { root } = places()
    symlinkSync('dir', join(root, 'link'))
    expect(hold(root, join(root, 'link/a.txt'), 'x', ({ real, stats }) => [real, stats.isFile()])).toEqual([
      join(root, 'dir/a.txt'),
      true,
    ])
  })

  test('is not what lies outside, is not there, or leads nowhere, and both links are said to be the same', () => {
    const { root } = places()
    const problemOf = (path: string) => {
      try {
        return hold(root, join(root, path), 'x', () => 'held')
      } catch (error) {
        return error instanceof Error ? error.message.replace(/,.*/, '') : error
      }
    }
    expect(['out/a.txt', 'out/nope', 'out', 'nope'].map(problemOf)).toEqual([
      'x: a link in it leads outside or nowhere',
      'x: a link in it leads outside or nowhere',
      'x: a link in it leads outside or nowhere',
      'ENOENT: no such file or directory',
    ])
  })
})

test.runIf(isLinux)('what is held by a descriptor stays itself, whatever its path becomes', () => {
  const { root, swap } = places()
  const text = holdInside(root, join(root, 'dir'), 'dir', ({ path, confirm }) => {
    swap()
    confirm()
    return readFileSync(`${path}/a.txt`, 'utf8')
  })
  expect([text, readFileSync(join(root, 'dir/a.txt'), 'utf8')]).toEqual(['inside', 'outside'])
})

test('what is held by its path is not confirmed once a part of it is a link, or another file is there', () => {
  const { root, swap } = places()
  const hold = (path: string, meanwhile: () => void) =>
    codeOf(() =>
      holdByPath(root, join(root, path), 'x', ({ confirm }) => {
        confirm()
        meanwhile()
        confirm()
      }),
    )
  const replace = () => {
    writeFileSync(join(root, 'new.txt'), 'new')
    renameSync(join(root, 'new.txt'), join(root, 'dir/a.txt'))
  }
  expect(hold('dir/a.txt', replace)).toBe('file_unreadable')
  expect(hold('dir/a.txt', swap)).toBe('file_unreadable')
})

test('everything lies below the root of the disk', () => {
  const { root } = places()
  expect(holdInside('/', join(root, 'dir/a.txt'), 'x', ({ real }) => real)).toBe(join(root, 'dir/a.txt'))
})

describe('files whose paths are resolved', () => {
  test('are read as they were found, and not once a part of the path is a link', () => {
    const { root, swap } = places()
    const path = join(root, 'dir/a.txt')
    const files = diskFiles().resolved()
    const reads = [
      () => files.readText(path, 99),
      () => files.readHead(path, 99).text,
      () => Buffer.from(files.readBytes(path, 99)).toString(),
      () => [...files.lines(path)].join(),
    ]
    expect(reads.map((read) => read())).toEqual(['inside', 'inside', 'inside', 'inside'])
    swap()
    expect(reads.map(codeOf)).toEqual(reads.map(() => 'outside_workspace'))
  })

  test('are files, no folders', () => {
    const { root } = places()
    mkdirSync(join(root, 'empty'))
    expect(codeOf(() => diskFiles().resolved().readText(join(root, 'empty'), 9))).toBe('not_a_file')
  })
})
