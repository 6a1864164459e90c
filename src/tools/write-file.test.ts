import { expect, test } from 'vitest'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import { useTool } from './tool.test-support.ts'
import { writeFileTool } from './write-file.ts'

const write = (path: string, content: string, workspace = memoryWorkspace({ 'a.txt': 'old', 'dir/b.txt': 'b' })) =>
  useTool(writeFileTool(), { path, content }, workspace)

test.each([
  ['a new file, with its folders', 'out/new.txt', 'größe', 'ok', 'created out/new.txt (7 bytes)'],
  ['over an old one', 'a.txt', '', 'ok', 'replaced a.txt (0 bytes)'],
  ['over no folder', 'dir', 'x', 'error', 'dir is a folder, not a file'],
  ['below no file', 'a.txt/x', 'x', 'error', 'a.txt/x: a part of it is a file, not a folder'],
  ['nothing outside', '../x', 'x', 'error', '../x: the path has "..", which would leave the folder'],
  ['nothing too large', 'big', 'x'.repeat(4 * 1024 * 1024 + 1), 'error', 'the content is larger than 4194304 bytes'],
])('writes %s', async (_, path, content, status, text) => {
  const workspace = memoryWorkspace({ 'a.txt': 'old', 'dir/b.txt': 'b' })
  expect(await write(path, content, workspace)).toEqual({ status, text })
  if (status === 'ok') expect(new TextDecoder().decode(workspace.read(path, 100).content)).toBe(content)
})
