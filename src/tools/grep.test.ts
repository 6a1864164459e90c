import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { diskWorkspace } from '../adapters/files/disk-workspace.ts'
import { tempFolder } from '../adapters/files/temp-folder.test-support.ts'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import type { Workspace } from '../core/ports.ts'
import { grepTool } from './grep.ts'
import { useTool } from './tool.test-support.ts'

const files = memoryWorkspace({
  'a.txt': 'Alpha\r\nbeta\r\n',
  'sub/b.txt': 'beta max\n\ngamma\n',
  'image.png': Uint8Array.of(0, 0x62, 0x65, 0x74, 0x61),
})

const grep = (pattern: string, more: Record<string, unknown> = {}, workspace: Workspace = files) =>
  useTool(grepTool(), { pattern, ...more }, workspace)

test.each([
  ['in all files', 'beta', {}, 'ok', 'a.txt:2: beta\nsub/b.txt:1: beta max'],
  ['below a folder', 'beta', { path: 'sub' }, 'ok', 'sub/b.txt:1: beta max'],
  ['in one file', 'a$', { path: 'sub/b.txt' }, 'ok', 'sub/b.txt:3: gamma'],
  ['up to the line’s end, however that is written', 'a$', { path: 'a.txt' }, 'ok', 'a.txt:1: Alpha\na.txt:2: beta'],
  ['as it is written', 'alpha', {}, 'ok', 'no match'],
  ['in any case where that is asked for', 'ALPHA', { ignore_case: true }, 'ok', 'a.txt:1: Alpha'],
  ['for empty lines, of which a line end at the end begins none', '^$', {}, 'ok', 'sub/b.txt:2: '],
  ['for slashes', '/', {}, 'ok', 'no match'],
  ['for nothing that is no pattern', '(', {}, 'error', 'pattern: not a regular expression: Unterminated group'],
  ['in nothing that is not there', 'x', { path: 'nope' }, 'error', 'nope does not exist'],
  ['in nothing outside', 'x', { path: '/etc' }, 'error', '/etc: the path is absolute: give a relative one'],
])('searches %s', async (_, pattern, more, status, text) => {
  expect(await grep(pattern, more)).toEqual({ status, text })
})

test('says that there are more matches than it shows', async () => {
  const { text } = await grep('x', {}, memoryWorkspace({ 'a.txt': 'x\n'.repeat(201), 'b.txt': 'x\n' }))
  const lines = text.split('\n')
  expect([lines.length, lines[199], lines[200]]).toEqual([201, 'a.txt:200: x', '[cut at 200 matches]'])
  expect((await grep('x', {}, memoryWorkspace({ 'a.txt': 'x\n'.repeat(200) }))).text).not.toContain('cut')
})

test('shows the beginning of a long line', async () => {
  const { text } = await grep('needle', {}, memoryWorkspace({ 'a.txt': `${'y'.repeat(400)}needle` }))
  expect(text).toBe(`a.txt:1: ${'y'.repeat(300)}…`)
})

test('says which files it did not search', async () => {
  const large = `${'z'.repeat(1024 * 1024)}\nneedle\n`
  const { text } = await grep('needle', {}, memoryWorkspace({ 'large.txt': large, 'small.txt': 'needle\n' }))
  expect(text).toBe('small.txt:1: needle\n[1 files over 1048576 bytes were not searched]')
})

test('searches no more than it can in time, and says so', async () => {
  const base = memoryWorkspace()
  const read: string[] = []
  const workspace: Workspace = {
    ...base,
    stat: () => ({ path: '', kind: 'dir', size: 0 }),
    files: (_, limit) => Array.from({ length: limit }, (_, i) => ({ path: `f${i}`, kind: 'file', size: 1024 * 1024 })),
    read: (path) => {
      read.push(path)
      return { content: new TextEncoder().encode('hay\n'), bytes: 4 }
    },
  }
  expect((await grep('needle', {}, workspace)).text).toBe(
    [
      'no match',
      '[9936 files beyond 67108864 bytes in all were not searched]',
      '[only the first 10000 files were searched]',
    ].join('\n'),
  )
  expect(read.length).toBe(64)
})

test('is not stopped by a file whose name no tool takes', async () => {
  const workspace = diskWorkspace(join(tempFolder(), 'workspace'))
  for (const name of ['a\\b.txt', 'c.txt', 'd\n.txt']) writeFileSync(join(workspace.root(), name), 'needle\n')
  expect((await grep('needle', {}, workspace)).text).toBe('c.txt:1: needle\n[2 files could not be read]')
})

test('does not hang on a pattern that could take for ever', async () => {
  const result = await grep('^(a+)+\\1$', {}, memoryWorkspace({ 'a.txt': `${'a'.repeat(60)}!\n` }))
  expect(result.status).toBe('error')
  expect(result.text).toContain('takes longer than 250 ms to find out')
})

test('ends in time, and says where', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const workspace = memoryWorkspace({ 'a.txt': 'x', 'b.txt': 'x', 'c.txt': 'x' })
  const slow = {
    ...workspace,
    read: (path: string, most: number) => {
      vi.advanceTimersByTime(3000)
      return workspace.read(path, most)
    },
  }
  expect((await useTool(grepTool(), { pattern: 'x' }, slow)).text).toBe(
    'a.txt:1: x\n[stopped at b.txt after 5 s: the rest was not searched]',
  )
})
