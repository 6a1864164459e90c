import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../files/temp-folder.test-support.ts'
import { programFinder } from './find-program.ts'

const program = (folder: string, name: string): string => {
  chmodSync(join(folder, name), 0o755)
  return join(folder, name)
}

test('finds the first program of a name on the search path', () => {
  const folder = tempFolder({ 'one/other': '', 'two/tool': '', 'three/tool': '' })
  const tool = program(folder, 'two/tool')
  program(folder, 'three/tool')
  const find = programFinder(['one', 'two', 'three', 'nope'].map((name) => join(folder, name)).join(delimiter))
  expect(find('tool')).toBe(tool)
})

test.each([
  ['what is not there', 'missing'],
  ['what may not be run', 'plain'],
  ['a folder', 'folder'],
  ['the folder above', '..'],
  ['nothing', ''],
  ['a name with a NUL', 'to\0ol'],
  ['a name that is too long', 'n'.repeat(300)],
  ['a link round in circles', 'loop'],
])('does not take %s for a program', (_, name) => {
  const folder = tempFolder({ plain: '', 'folder/x': '', loop: { link: 'loop' } })
  expect(programFinder(folder)(name)).toBeUndefined()
})

test('looks in no folder that is relative to where we are', () => {
  expect(programFinder(['.', '', 'node_modules/.bin'].join(delimiter))('vitest')).toBeUndefined()
})

test('takes an absolute path as it is', () => {
  const folder = tempFolder({ tool: '', plain: '' })
  const tool = program(folder, 'tool')
  expect([programFinder('')(tool), programFinder('')(join(folder, 'plain'))]).toEqual([tool, undefined])
})

test('always finds node: it is what runs us', () => {
  expect(programFinder('')('node')).toBe(process.execPath)
})
