import { expect, test } from 'vitest'
import { filesContract } from '../../core/ports.contract.test-support.ts'
import { memoryFiles } from './memory-files.ts'

filesContract((entries) => {
  const placed = Object.entries(entries).map(([path, value]) => [`/at/${path}`, value] as const)
  return { files: memoryFiles(Object.fromEntries(placed)), at: '/at' }
})

test('tells each path whose content is read, and how much of it', () => {
  const opened: [string, number][] = []
  const files = memoryFiles({ '/a.txt': 'alpha', '/b.txt': 'beta' }, (path, bytes) => opened.push([path, bytes]))
  files.stat('/a.txt')
  files.list('/')
  files.readHead('/a.txt', 2)
  files.readText('/b.txt', 100)
  expect(opened).toEqual([
    ['/a.txt', 2],
    ['/b.txt', 4],
  ])
})
