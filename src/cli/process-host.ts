import { existsSync, realpathSync, statSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { diskFiles } from '../adapters/files/disk-files.ts'
import type { Host } from '../app/host.ts'
import { UsageError } from '../core/errors.ts'
import { version } from './version.ts'

/** This process as a use case sees it. `dir` is `-C`; `signal` ends what it started. */
export const processHost = (dir: string | undefined, signal: AbortSignal = new AbortController().signal): Host => {
  const { env } = process
  return {
    cwd: workingFolder(dir),
    home: env.HOME || homedir(),
    env,
    isCi: isCi(env),
    cores: availableParallelism(),
    version,
    packageDir: packageFolder(),
    files: diskFiles(),
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    color: wantsColor(process.stdout.isTTY === true),
    // Asked for as it is needed: a terminal may have another size by the end of a run.
    get width() {
      return process.stdout.columns || columnsOf(env.COLUMNS) || 80
    },
    signal,
  }
}

export const isCi = ({ CI }: Readonly<Record<string, string | undefined>>): boolean =>
  CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0'

const columnsOf = (written: string | undefined): number => (/^[1-9]\d{1,3}$/.test(written ?? '') ? Number(written) : 0)

const workingFolder = (dir: string | undefined): string => {
  const folder = resolve(dir ?? '.')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError('no_folder', `there is no folder ${dir ?? folder}`)
  return realpathSync(folder)
}

/** The nearest folder upwards with a package.json: the sources and the bundle lie at different depths below it. */
const packageFolder = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

export const wantsColor = (isTty: boolean): boolean => {
  const { env } = process
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true
  return isTty && env.TERM !== 'dumb'
}
