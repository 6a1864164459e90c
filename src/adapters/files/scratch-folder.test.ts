import { existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { FileError } from '../../core/errors.ts'
import { scratchFolder } from './scratch-folder.ts'

const prefix = `skills-eval-scratch-test-${process.pid}-`
afterEach(() => vi.unstubAllEnvs())

const made = () => readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))

test('is made when it is first needed, private, and removed with all that is in it', () => {
  const scratch = scratchFolder(prefix)
  expect(made()).toEqual([])
  const one = scratch.folder('1')
  writeFileSync(join(one, 'a.txt'), 'x')
  expect(made().length).toBe(1)
  expect((lstatSync(one).mode & 0o777).toString(8)).toBe('700')
  expect((lstatSync(scratch.path()).mode & 0o777).toString(8)).toBe('700')
  scratch.remove()
  scratch.remove()
  expect(made()).toEqual([])
})

test('is removed also where the process exits on the spot', () => {
  const before = process.listeners('exit')
  const scratch = scratchFolder(prefix)
  writeFileSync(join(scratch.folder('1'), 'a.txt'), 'x')
  for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(130)
  expect(made()).toEqual([])
  scratch.remove()
  expect(process.listeners('exit')).toEqual(before)
})

test('removes one of its folders and keeps the others', () => {
  const scratch = scratchFolder(prefix)
  const [one, two] = [scratch.folder('1'), scratch.folder('2')]
  scratch.removeFolder('1')
  scratch.removeFolder('3')
  expect([existsSync(one), existsSync(two)]).toEqual([false, true])
  scratch.remove()
})

test.skipIf(process.platform === 'win32')('says which folder it can not be made in, and what names that', () => {
  vi.stubEnv('TMPDIR', '/nowhere/tmp')
  const scratch = scratchFolder(prefix)
  let found: unknown
  try {
    scratch.path()
  } catch (error) {
    found = error
  }
  expect(found).toBeInstanceOf(FileError)
  expect(found).toMatchObject({
    message: 'no folder can be made in /nowhere/tmp (TMPDIR): ENOENT',
    hint: expect.stringContaining('TMPDIR'),
  })
  scratch.remove()
})
