import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskWorkspace } from '../adapters/files/disk-workspace.ts'
import { tempFolder } from '../adapters/files/temp-folder.test-support.ts'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import { listDirTool } from './list-dir.ts'
import { useTool } from './tool.test-support.ts'

const list = (
  path: string,
  workspace = memoryWorkspace({ 'a.txt': 'alpha', 'sub/b.txt': '', 'sub/deep/c.txt': 'c' }),
) => useTool(listDirTool(), { path }, workspace)

test.each([
  ['the workspace', '.', 'ok', 'a.txt  5 bytes\nsub/'],
  ['a folder in it', 'sub', 'ok', 'b.txt  0 bytes\ndeep/'],
  ['no file', 'a.txt', 'error', 'a.txt is a file, not a folder'],
  ['nothing that is not there', 'nope', 'error', 'nope does not exist'],
  ['nothing outside', '..', 'error', '..: the path has "..", which would leave the folder'],
])('lists %s', async (_, path, status, text) => {
  expect(await list(path)).toEqual({ status, text })
})

test('says that a folder is empty', async () => {
  expect(await list('.', memoryWorkspace())).toEqual({ status: 'ok', text: '. is empty' })
})

test('says what it cut', async () => {
  const names = Array.from({ length: 1200 }, (_, i) => `f${String(i).padStart(4, '0')}`)
  const { text } = await list('.', memoryWorkspace(Object.fromEntries(names.map((name) => [name, '']))))
  const lines = text.split('\n')
  expect([lines.length, lines[999], lines[1000]]).toEqual([
    1001,
    'f0999  0 bytes',
    '[cut: 1000 of 1200 entries are shown]',
  ])
})

test('keeps a name on its line, whatever is in it', async () => {
  const workspace = diskWorkspace(join(tempFolder(), 'workspace'))
  writeFileSync(join(workspace.root(), 'a\nsecret.txt  5 bytes'), '')
  const lines = (await list('.', workspace)).text.split('\n')
  expect(lines).toEqual([expect.stringMatching(/^a.*secret\.txt {2}5 bytes {2}0 bytes$/)])
})

test('says of a link what it is, not where it leads', async () => {
  const workspace = diskWorkspace(join(tempFolder(), 'workspace'))
  symlinkSync('/etc', join(workspace.root(), 'etc'))
  expect((await list('.', workspace)).text).toBe('etc  (link or special file)')
})
