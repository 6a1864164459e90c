import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../files/temp-folder.test-support.ts'
import { gitState } from './git-state.ts'

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

test('names the commit and whether anything differs from it', async () => {
  const folder = tempFolder({ 'a.txt': 'alpha', 'sub/b.txt': 'beta' })
  git(folder, 'init', '-q')
  git(folder, 'add', '.')
  git(folder, 'commit', '-q', '-m', 'first')
  const commit = git(folder, 'rev-parse', 'HEAD').trim()
  expect(await gitState(folder)).toEqual({ commit, dirty: false })
  expect(await gitState(join(folder, 'sub'))).toEqual({ commit, dirty: false })
  writeFileSync(join(folder, 'untracked.txt'), 'x')
  expect(await gitState(folder)).toEqual({ commit, dirty: false })
  writeFileSync(join(folder, 'a.txt'), 'changed')
  expect(await gitState(folder)).toEqual({ commit, dirty: true })
})

test('knows nothing outside a repository, nor before the first commit', async () => {
  const folder = tempFolder()
  expect(await gitState(folder)).toBeNull()
  git(folder, 'init', '-q')
  expect(await gitState(folder)).toBeNull()
  expect(await gitState(join(folder, 'nope'))).toBeNull()
})
