import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeOf } from '../../core/ports.contract.test-support.ts'
import { folderWorkspace } from './folder-workspace.ts'
import { tempFolder } from './temp-folder.test-support.ts'

test('is the folder as it is', () => {
  const folder = tempFolder({ 'a.txt': 'alpha', 'dir/b.txt': 'beta' })
  const workspace = folderWorkspace(folder)
  expect(workspace.stat('a.txt')).toEqual({ path: 'a.txt', kind: 'file', size: 5 })
  expect(workspace.files('.', 10).map((file) => file.path)).toEqual(['a.txt', 'dir/b.txt'])
  expect(workspace.list('dir')).toEqual([{ path: 'dir/b.txt', kind: 'file', size: 4 }])
  expect([workspace.root(), [...workspace.initial()]]).toEqual([folder, []])
})

test('changes what it is told to change, and nothing outside', () => {
  const folder = tempFolder({ 'own/a.txt': 'alpha', 'secret.txt': 'secret' })
  symlinkSync('..', join(folder, 'own/up'))
  const workspace = folderWorkspace(join(folder, 'own'))
  workspace.write('new/c.txt', 'gamma')
  workspace.remove('a.txt')
  expect(codeOf(() => workspace.write('up/secret.txt', 'x'))).toBe('outside_workspace')
  expect(Buffer.from(workspace.read('new/c.txt', 10).content).toString()).toBe('gamma')
  expect(existsSync(join(folder, 'own/a.txt'))).toBe(false)
  expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).toBe('secret')
})

test('is there when we are done with it', async () => {
  const folder = tempFolder({ 'a.txt': 'alpha' })
  await folderWorkspace(folder).dispose()
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('alpha')
})

test('must be there', () => {
  expect(codeOf(() => folderWorkspace(join(tempFolder(), 'nope')))).toBe('file_missing')
})
