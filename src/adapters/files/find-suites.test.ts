import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskFiles } from './disk-files.ts'
import { findSuites } from './find-suites.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const found = async (folder: string, paths: readonly string[]) => {
  const { files, missing } = await findSuites(paths, folder)
  return { files: files.map((file) => file.slice(folder.length + 1)), missing }
}

test('finds suites in a folder and below, sorted', async () => {
  const folder = tempFolder({
    'evals/b.eval.yaml': '',
    'evals/a.eval.yml': '',
    'evals/deep/er/c.eval.yaml': '',
    'evals/plain.yaml': '',
    'evals/d.eval.json': '',
    'other/e.eval.yaml': '',
  })
  expect(await found(folder, ['evals'])).toEqual({
    files: ['evals/a.eval.yml', 'evals/b.eval.yaml', 'evals/deep/er/c.eval.yaml'],
    missing: [],
  })
})

test('looks into every folder but those of packages and of git', async () => {
  const folder = tempFolder({
    '.agent/skills/csv/evals/a.eval.yaml': '',
    'node_modules/x/b.eval.yaml': '',
    'sub/node_modules/x/c.eval.yaml': '',
    '.git/d.eval.yaml': '',
  })
  expect((await found(folder, ['.'])).files).toEqual(['.agent/skills/csv/evals/a.eval.yaml'])
})

test('takes a file as it is given, each once, in the order of the paths', async () => {
  const folder = tempFolder({ 'z/any.yaml': '', 'a/x.eval.yaml': '' })
  expect(await found(folder, ['z/any.yaml', 'a', join(folder, 'a/x.eval.yaml'), 'nope', 'z/any.yaml'])).toEqual({
    files: ['z/any.yaml', 'a/x.eval.yaml'],
    missing: ['nope'],
  })
})

test('follows no links', async () => {
  const folder = tempFolder({ 'real/x.eval.yaml': '', 'evals/link': { link: '../real' }, 'evals/up': { link: '..' } })
  expect((await found(folder, ['evals'])).files).toEqual([])
})

test('says of a path that no file can have that it is missing', async () => {
  const folder = tempFolder({ loop: { link: 'loop' } })
  expect((await found(folder, ['loop', 'a\0b'])).missing).toEqual(['loop', 'a\0b'])
})

test('takes no character of a folder’s name for a pattern', async () => {
  const folder = tempFolder({ 'a[b]*(c)/x.eval.yaml': '' })
  expect((await found(folder, ['a[b]*(c)'])).files).toEqual(['a[b]*(c)/x.eval.yaml'])
})

test('says of a folder that may not be looked into', async () => {
  const folder = tempFolder({ 'evals/locked/x.eval.yaml': '', 'evals/y.eval.yaml': '' })
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'evals/locked'), 0)
  await asNobody(async () => {
    const error = {
      code: 'file_unreadable',
      message: `${folder}/evals/locked can't be searched for suites: permission denied (EACCES)`,
    }
    await expect(found(folder, ['evals'])).rejects.toMatchObject(error)
    await expect(found(folder, ['evals/locked'])).rejects.toMatchObject(error)
    await expect(found(folder, ['evals/locked/x.eval.yaml'])).rejects.toMatchObject({ code: 'file_unreadable' })
    expect(diskFiles().canList(join(folder, 'evals/locked'))).toBe(false)
    expect(diskFiles().canList(join(folder, 'evals'))).toBe(true)
    expect(diskFiles().canList(join(folder, 'none'))).toBe(true)
  })
})

/** The superuser may look everywhere. */
const asNobody = async (action: () => Promise<void>): Promise<void> => {
  if (process.geteuid?.() !== 0) return await action()
  process.seteuid?.('nobody')
  try {
    await action()
  } finally {
    process.seteuid?.(0)
  }
}
