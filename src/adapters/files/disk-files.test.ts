import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeOf, filesContract } from '../../core/ports.contract.test-support.ts'
import { diskFiles } from './disk-files.ts'
import { tempFolder } from './temp-folder.test-support.ts'

const files = diskFiles()

filesContract((entries) => ({ files, at: tempFolder(entries) }))

describe('files on disk', () => {
  test('that are pipes are not waited for', () => {
    const path = join(tempFolder(), 'pipe')
    execFileSync('mkfifo', [path])
    const readers = [
      () => files.readText(path, 10),
      () => files.readBytes(path, 10),
      () => files.readHead(path, 10),
      () => [...files.lines(path)],
    ]
    expect(readers.map(codeOf)).toEqual(['not_a_file', 'not_a_file', 'not_a_file', 'not_a_file'])
    expect(files.stat(path)?.kind).toBe('other')
  })

  test.each([
    ['a device without end', '/dev/zero', 'not_a_file'],
    ['a path with a NUL', '/tmp/a\0b', 'file_unreadable'],
    ['a name that is too long', `/tmp/${'n'.repeat(300)}`, 'file_unreadable'],
  ])('refuse %s', (_, path, code) => {
    const readers = [() => files.readText(path, 10), () => files.readHead(path, 10), () => [...files.lines(path)]]
    expect(readers.map(codeOf)).toEqual([code, code, code])
  })

  test('are not there where their names can’t be', () => {
    const paths = ['/tmp/a\0b', `/tmp/${'n'.repeat(300)}`]
    expect(paths.map((path) => [files.stat(path), files.realPath(path), files.list(path)])).toEqual([
      [undefined, undefined, []],
      [undefined, undefined, []],
    ])
  })

  test('say in words what is wrong with a link round in circles', () => {
    const folder = tempFolder({ loop: { link: 'loop' } })
    expect(() => files.readText(join(folder, 'loop'), 10)).toThrow(
      `${folder}/loop can't be read: a link in it leads round in circles`,
    )
  })
})

describe('the lines of a file on disk', () => {
  const chunk = 64 * 1024

  test('are whole where characters and line ends lie across the chunks in which they are read', () => {
    const path = join(tempFolder(), 'a.txt')
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\r', ' '), maxLength: 30 })
    // What lies in front moves the text over the boundary, byte by byte.
    const shift = fc.integer({ min: chunk - 60, max: chunk + 1 })
    fc.assert(
      fc.property(shift, fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), (before, parts, end) => {
        const lines = ['x'.repeat(before), ...parts.map((part) => part.replace(/\r+$/, ''))]
        writeFileSync(path, lines.map((part) => part + end).join(''))
        expect([...files.lines(path)]).toEqual(lines)
      }),
      { numRuns: 200 },
    )
  })

  test('are read only as far as they are asked for', () => {
    const path = join(tempFolder(), 'a.txt')
    writeFileSync(path, Buffer.concat([Buffer.from('first\nsecond\n'), Buffer.alloc(chunk, 'x'), Buffer.of(0xff)]))
    const lines = files.lines(path)[Symbol.iterator]()
    expect([lines.next().value, lines.next().value]).toEqual(['first', 'second'])
    expect(codeOf(() => lines.next())).toBe('not_utf8')
  })

  test('end in an error where the file ends within a character', () => {
    const path = join(tempFolder(), 'a.txt')
    writeFileSync(path, Buffer.from('one\n€').subarray(0, -1))
    expect(codeOf(() => [...files.lines(path)])).toBe('not_utf8')
  })

  test('may be long, but not without end', () => {
    const path = join(tempFolder(), 'a.txt')
    writeFileSync(path, `${'x'.repeat(5_000_000)}\nnext\n`)
    expect([...files.lines(path)].map((line) => line.length)).toEqual([5_000_000, 4])
    execFileSync('truncate', ['-s', '1T', path])
    expect(codeOf(() => [...files.lines(path)])).toBe('line_too_long')
  })
})
