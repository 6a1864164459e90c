import { expect, test } from 'vitest'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import { readFileTool } from './read-file.ts'
import { useTool } from './tool.test-support.ts'

const kib = 1024
const workspace = memoryWorkspace({
  'a.txt': 'one\ntwo\nthree\n',
  'empty.txt': '',
  'one-line.txt': 'alone',
  'image.png': Uint8Array.of(0x89, 0x50, 0, 1),
  'long.txt': `${'0123456789abcde\n'.repeat(16 * kib)}and more\n`,
  // The last byte that is read is the first of three of a '€'.
  'wide.txt': `${'x'.repeat(256 * kib - 1)}€uro`,
  'dir/b.txt': 'b',
})

const read = (path: string, lines?: string) =>
  useTool(readFileTool(), { path, ...(lines === undefined ? {} : { lines }) }, workspace)

const ok = (text: string) => ({ status: 'ok', text })
const error = (text: string) => ({ status: 'error', text })

test.each([
  ['a file', 'a.txt', undefined, ok('one\ntwo\nthree\n')],
  ['an empty file in words', 'empty.txt', undefined, ok('empty.txt is empty')],
  [
    'a binary file in words',
    'image.png',
    undefined,
    ok('image.png is a binary file of 4 bytes; its content is not shown'),
  ],
  ['some lines', 'a.txt', '2-3', ok('two\nthree')],
  ['one line', 'a.txt', '2', ok('two')],
  ['the lines to the end', 'a.txt', '2-', ok('two\nthree')],
  ['as many lines as there are', 'a.txt', '2-99', ok('two\nthree')],
  ['no lines behind the end', 'a.txt', '4-5', error('lines 4-5: a.txt has 3 lines')],
  ['no lines behind the only one', 'one-line.txt', '2', error('lines 2: one-line.txt has 1 line')],
  ['no lines before the first', 'a.txt', '0-2', error('lines 0-2: give "first-last", counted from 1')],
  ['no lines backwards', 'a.txt', '3-2', error('lines 3-2: give "first-last", counted from 1')],
  ['no file that is not there', 'nope.txt', undefined, error('nope.txt does not exist')],
  ['no folder', 'dir', undefined, error('dir is a folder, not a file')],
  ['nothing outside', '../a.txt', undefined, error('../a.txt: the path has "..", which would leave the folder')],
])('reads %s', async (_, path, lines, result) => {
  expect(await read(path, lines)).toEqual(result)
})

const goOn = 'go on with lines "16385-"'

test('says what it cut, and how to go on', async () => {
  const { text } = await read('long.txt')
  const note = `\n[cut: the first 262144 of 262153 bytes are shown; ${goOn}]`
  expect(text).toBe(`${'0123456789abcde\n'.repeat(16 * kib)}${note}`)
  expect((await read('long.txt', '16385-')).text).toBe('and more')
})

test('shows no half characters where it cut, and says that there is no going on in a line', async () => {
  const note = '[cut: the first 262144 of 262149 bytes are shown; line 1 alone is longer than that]'
  expect((await read('wide.txt')).text).toBe(`${'x'.repeat(256 * kib - 1)}\n${note}`)
  expect((await read('wide.txt', '1')).text).toBe(
    `${'x'.repeat(256 * kib - 1)}\n[cut: the lines are more than 262144 bytes; line 1 alone is longer than that]`,
  )
})

test('says that it cut only where that touches the lines that were asked for', async () => {
  expect((await read('long.txt', '2-3')).text).toBe('0123456789abcde\n0123456789abcde')
  expect((await read('long.txt', '16384-')).text).toBe('0123456789abcde\nand more')
  expect((await read('long.txt', '2-')).text).toMatch(/\nand more$/)
})

test('shows no more than it may of the lines that were asked for, and how to go on', async () => {
  const line = `${'y'.repeat(99)}\n`
  const large = memoryWorkspace({ 'large.txt': line.repeat(4000) })
  const ask = async (lines: string) => (await useTool(readFileTool(), { path: 'large.txt', lines }, large)).text
  const first = await ask('11-')
  expect(first).toMatch(/\n\[cut: the lines are more than 262144 bytes; go on with lines "2632-"\]$/)
  // 2,621 whole lines and a part of the next, which is where to go on.
  expect(
    first
      .split('\n')
      .slice(2620, 2622)
      .map((shown) => shown.length),
  ).toEqual([99, 44])
  expect((await ask('2632-')).split('\n').length).toBe(4000 - 2631)
})

test('does not look for lines further than 8 MiB', async () => {
  const huge = memoryWorkspace({ 'huge.txt': '0123456789abcde\n'.repeat(600 * kib) })
  const ask = (lines: string) => useTool(readFileTool(), { path: 'huge.txt', lines }, huge)
  const head = 'its first 8388608 bytes, further than which is not read'
  expect(await ask('524288-')).toEqual(ok(`0123456789abcde\n[cut: these are the last lines of ${head}]`))
  expect(await ask('524289')).toEqual(error(`lines 524289: huge.txt has 524288 lines in ${head}`))
})

test('decodes what is no UTF-8 without failing', async () => {
  const odd = memoryWorkspace({ 'latin.txt': Uint8Array.of(0x61, 0xe9, 0x62), 'bom.txt': '\ufeffa' })
  expect(await useTool(readFileTool(), { path: 'latin.txt' }, odd)).toEqual(ok('a\ufffdb'))
  expect(await useTool(readFileTool(), { path: 'bom.txt' }, odd)).toEqual(ok('a'))
})
