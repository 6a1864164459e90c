import { expect, test } from 'vitest'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import { deleteFileTool } from './delete-file.ts'
import { useTool } from './tool.test-support.ts'

test.each([
  ['a file', 'dir/b.txt', 'ok', 'deleted dir/b.txt', ['a.txt']],
  ['no folder', 'dir', 'error', 'dir is a folder, not a file', ['a.txt', 'dir/b.txt']],
  ['nothing that is not there', 'nope', 'error', 'nope does not exist', ['a.txt', 'dir/b.txt']],
  ['nothing outside', '../x', 'error', '../x: the path has "..", which would leave the folder', ['a.txt', 'dir/b.txt']],
])('deletes %s', async (_, path, status, text, left) => {
  const workspace = memoryWorkspace({ 'a.txt': 'a', 'dir/b.txt': 'b' })
  expect(await useTool(deleteFileTool(), { path }, workspace)).toEqual({ status, text })
  expect(workspace.files('.', 10).map((file) => file.path)).toEqual(left)
})
