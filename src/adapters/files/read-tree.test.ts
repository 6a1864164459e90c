import { createHash, randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTree } from './read-tree.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const limits = { entries: 100, fileBytes: 1024 * 1024, depth: 8 }

describe('readTree', () => {
  test.each([0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 200 * 1024])(
    'has the size and the digest of a file of %i bytes, however many pieces it is read in',
    (size) => {
      const bytes = randomBytes(size)
      const folder = tempFolder({ 'a.bin': bytes })
      chmodSync(join(folder, 'a.bin'), 0o644)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      expect(readTree(folder, limits)).toEqual({
        files: [{ path: 'a.bin', size, sha256, mode: '0644' }],
        folders: [],
        others: [],
      })
    },
  )

  test('takes a file of just the largest size, and names a larger one', () => {
    const folder = tempFolder({ 'a.bin': 'x'.repeat(10), 'b.bin': 'x'.repeat(11) })
    const found = readTree(folder, { ...limits, fileBytes: 10 })
    expect(found.files.map(({ path }) => path)).toEqual(['a.bin'])
    expect(found.others).toEqual([{ path: 'b.bin', what: 'larger than 10 bytes' }])
  })

  test('names where it stopped looking, by depth and by number', () => {
    const folder = tempFolder({ 'a/b/c.txt': 'c', 'd.txt': 'd' })
    expect(readTree(folder, { ...limits, depth: 2 })).toMatchObject({
      files: [{ path: 'd.txt' }],
      others: [{ path: 'a/b/c.txt', what: 'more than is looked at' }],
    })
    expect(readTree(folder, { ...limits, entries: 3 })).toMatchObject({
      files: [{ path: 'a/b/c.txt' }],
      others: [{ path: 'd.txt', what: 'more than is looked at' }],
    })
  })
})
