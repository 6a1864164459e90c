import { dirname, join, relative, sep } from 'node:path'
import type { Files } from '../core/ports.ts'

export type Project = {
  /** Absolute, links resolved: fixtures stay inside it, reports go below it. */
  readonly dir: string
  /** Its configuration file, where it has one. */
  readonly configFile: string | undefined
}

const configNames = ['config.json', 'config.yaml', 'config.yml'] as const

/**
 * The project that `cwd` is in: the nearest folder upwards with `.agent/config.*`, else the one with `.git`, else the
 * one with package.json, else `cwd`. The home folder's `.agent` belongs to the user, not to a project.
 */
export const findProject = (cwd: string, home: string, files: Files): Project => {
  const folders = [...upwards(files.realPath(cwd) ?? cwd)]
  const realHome = files.realPath(home) ?? home
  for (const dir of folders.filter((folder) => folder !== realHome)) {
    const configFile = configFileIn(dir, files)
    if (configFile !== undefined) return { dir, configFile }
  }
  const marked = ['.git', 'package.json'].map((name) =>
    folders.find((dir) => files.stat(join(dir, name)) !== undefined),
  )
  return { dir: marked.find((dir) => dir !== undefined) ?? folders[0] ?? cwd, configFile: undefined }
}

export const configFileIn = (dir: string, files: Files): string | undefined =>
  configNames.map((name) => join(dir, '.agent', name)).find((path) => files.stat(path) !== undefined)

function* upwards(from: string): Iterable<string> {
  for (let dir = from; ; dir = dirname(dir)) {
    yield dir
    if (dirname(dir) === dir) return
  }
}

/** Where a command works, relative to the project, as a result tells it: left out where that is the project itself. */
export const workingFolder = ({ dir }: Project, { cwd }: { readonly cwd: string }): { readonly folder?: string } => {
  const folder = relative(dir, cwd).split(sep).join('/')
  return folder === '' ? {} : { folder }
}

/** A path as diagnostics and results show it: relative to the project with forward slashes, absolute outside of it. */
export const shownPath = (project: Pick<Project, 'dir'>, path: string): string => {
  const shown = relative(project.dir, path)
  return shown.startsWith('..') || shown === '' ? path : shown.split(sep).join('/')
}
