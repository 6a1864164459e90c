import { execFile } from 'node:child_process'

export type GitState = { readonly commit: string; readonly dirty: boolean } | null

/** Enough for some 100,000 changed files. */
const maxBuffer = 32 * 1024 * 1024

/** The commit that is checked out and whether anything differs from it; null outside a repository or without git. */
export const gitState = async (folder: string): Promise<GitState> => {
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
  const output = await new Promise<string>((resolve) => {
    execFile('git', args, { timeout: 5000, maxBuffer, env }, (error, stdout) => resolve(error ? '' : stdout))
  })
  const commit = /^# branch\.oid ([0-9a-f]{7,64})$/m.exec(output)?.[1]
  if (commit === undefined) return null
  return { commit, dirty: output.split('\n').some((line) => line !== '' && !line.startsWith('# ')) }
}
