import { expect, test } from 'vitest'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import { touchedFiles } from './touched-files.ts'

const textOf = (touched: ReturnType<typeof touchedFiles>) =>
  Object.fromEntries(
    touched
      .before()
      .map((file) => [file.path, 'content' in file ? new TextDecoder().decode(file.content) : file.problem]),
  )

test('keeps what was read or changed as it was before, once, and nothing else', () => {
  const touched = touchedFiles(memoryWorkspace({ 'a.txt': 'a', 'b/c.txt': 'c', 'd.txt': 'd', 'e.txt': 'e' }))
  const { workspace } = touched
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
  const touched = touchedFiles(memoryWorkspace({ 'a.txt': 'a', 'b/c.txt': 'c' }))
  touched.workspace.list('.')
  expect([textOf(touched), touched.folders()]).toEqual([{ 'a.txt': 'a' }, ['b']])
})

test('what the arguments of a script name is taken for read', () => {
  const touched = touchedFiles(memoryWorkspace({ 'a.txt': 'a', 'b/c.txt': 'c', 'd.txt': 'd', 'e.txt': 'e' }))
  touched.noteArguments(['a.txt', '--all', 'b', '--in=d.txt', '../x', '7', ''])
  expect(textOf(touched)).toEqual({ 'a.txt': 'a', 'b/c.txt': 'c', 'd.txt': 'd' })
})

test('what is too much is named with the reason', () => {
  const many = Object.fromEntries(Array.from({ length: 202 }, (_, i) => [`f${i}`, 'x']))
  const touched = touchedFiles(memoryWorkspace({ big: 'x'.repeat(300_000), ...many }))
  for (const path of ['big', ...Object.keys(many)]) touched.workspace.read(path, 10)
  const problems = touched.before().flatMap((file) => ('problem' in file ? [file.problem] : []))
  expect(problems.sort()).toEqual([
    'it is larger than 256 KiB',
    'there are more than 200 files',
    'there are more than 200 files',
  ])
})
