import { spawnSync } from 'node:child_process'

/** Enough for some 100,000 changed files. */
const maxBuffer = 32 * 1024 * 1024

/** The commit that is checked out and whether anything differs from it; null outside a repository or without git. */
export const gitState = (folder: string): { readonly commit: string; readonly dirty: boolean } | null => {
  // One process for both answers: the header of the short status names the commit.
  const args = [
    '-C',
    folder,
    '-c',
    'core.fsmonitor=false',
    'status',
    '--porcelain=v2',
    '--branch',
    '--untracked-files=no',
  ]
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
  const result = spawnSync('git', args, {
    encoding: 'utf8',
    timeout: 5000,
    maxBuffer,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const commit = /^# branch\.oid ([0-9a-f]{7,64})$/m.exec(result.stdout ?? '')?.[1]
  if (result.status !== 0 || commit === undefined) return null
  return { commit, dirty: result.stdout.split('\n').some((line) => line !== '' && !line.startsWith('# ')) }
}
