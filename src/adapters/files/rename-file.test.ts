import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addRunBit } from './add-run-bit.ts'
import { diskFiles } from './disk-files.ts'
import { renameFile } from './rename-file.ts'
import { tempFolder } from './temp-folder.test-support.ts'

test('a file gets its new name, and nothing is left beside it', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'Skill.md'), 'text')
  renameFile(join(folder, 'Skill.md'), 'SKILL.md')
  expect(readdirSync(folder)).toEqual(['SKILL.md'])
  expect(readFileSync(join(folder, 'SKILL.md'), 'utf8')).toBe('text')
})

test.each(['file', 'folder', 'link'])('a %s that has the name keeps it', (kind) => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'skill.md'), 'mine')
  const there = join(folder, 'SKILL.md')
  if (kind === 'file') writeFileSync(there, 'other')
  if (kind === 'folder') mkdirSync(there)
  if (kind === 'link') symlinkSync('nowhere', there)
  expect(() => renameFile(join(folder, 'skill.md'), 'SKILL.md')).toThrow(/is there already/)
  expect(readdirSync(folder)).toEqual(['SKILL.md', 'skill.md'])
  expect(readFileSync(join(folder, 'skill.md'), 'utf8')).toBe('mine')
})

test.skipIf(process.platform === 'win32')('whoever may read a file may run it', () => {
  const folder = tempFolder()
  const file = join(folder, 'a.sh')
  for (const [before, after] of [
    [0o640, 0o750],
    [0o604, 0o705],
  ] as const) {
    writeFileSync(file, '')
    chmodSync(file, before)
    expect(diskFiles().canRun(file)).toBe(false)
    addRunBit(file)
    expect(statSync(file).mode & 0o777).toBe(after)
    expect(diskFiles().canRun(file)).toBe(true)
  }
  symlinkSync(file, join(folder, 'link'))
  expect(() => addRunBit(join(folder, 'link'))).toThrow(/can't be written/)
  expect(() => addRunBit(folder)).toThrow(/was left as it is/)
  expect(diskFiles().canRun(folder)).toBeUndefined()
})
