import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { ScriptPlaces } from '../../core/ports.ts'
import { guardedEntries } from './guarded-entries.ts'
import type { Mount } from './mount.ts'
import { contains } from './paths.ts'

export type MountOptions = {
  /** Folders that are nobody's business: the home, the project. Hidden where they lie in a folder that is shown. */
  readonly private: readonly string[]
  /** Programs that scripts are run with, absolute. */
  readonly programs: readonly string[]
  readonly network: boolean
}

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'] as const
const systemFiles = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/ssl/certs', '/etc/ssl/openssl.cnf'] as const
const networkFiles = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'] as const
/** Folders with a `bin` of their own that hold keys and data of all kinds beside it. */
const sharedTrees = ['.local', '.cargo'] as const

/** The root of a script from nothing, in the order in which it must be mounted: a folder before what lies in it. */
export const scriptMounts = (places: ScriptPlaces, options: MountOptions): readonly Mount[] => {
  const mounts = new Map<string, Mount>()
  // Of two for one path the later holds.
  const add = (found: readonly Mount[]) => {
    for (const mount of found) mounts.set(mount.path, mount)
  }
  const system = [...systemMounts(), ...readable(options.network ? networkFiles : [])]
  add(system)
  add(hiddenIn(system, options.private))
  add(options.programs.flatMap((program) => programMounts(program, system, options.private)))
  add([
    { kind: 'write', path: places.workspace },
    { kind: 'write', path: places.home },
  ])
  add(guardedEntries(places.workspace))
  add(skillMounts(places))
  return [...mounts.values()].sort((a, b) => depth(a.path) - depth(b.path))
}

const depth = (path: string): number => path.split('/').length

const systemMounts = (): Mount[] => [
  ...systemFolders.flatMap((path): Mount[] => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats?.isSymbolicLink()) return [{ kind: 'link', path, to: readlinkSync(path) }]
    return stats ? [{ kind: 'read', path }] : []
  }),
  ...readable(systemFiles),
]

const readable = (paths: readonly string[]): Mount[] =>
  paths.filter((path) => existsSync(path)).map((path) => ({ kind: 'read', path }))

/** A project in /usr/src, as containers have it, would be shown with the system's programs. */
const hiddenIn = (shown: readonly Mount[], folders: readonly string[]): Mount[] =>
  folders
    .filter((folder) => shown.some(({ path }) => contains(path, folder)))
    .map((path): Mount => ({ kind: 'empty', path }))

/**
 * A program that lies outside the system's folders (nvm, pyenv, a virtual environment), with the tree it is installed
 * in, both as it is found and where its links lead. Of a tree that holds more than programs only the file is shown.
 */
const programMounts = (program: string, system: readonly Mount[], privateFolders: readonly string[]): Mount[] => {
  if (!existsSync(program)) return []
  const files = [...new Set([program, realpathSync(program)])]
  return files
    .filter((file) => !system.some(({ path }) => contains(path, file)))
    .map((file): Mount => {
      const tree = dirname(dirname(file))
      const isTree =
        ['bin', 'shims'].includes(basename(dirname(file))) &&
        tree !== '/' &&
        !sharedTrees.some((name) => basename(tree) === name) &&
        !privateFolders.some((folder) => contains(tree, folder))
      return { kind: 'read', path: isTree ? tree : file }
    })
}

/**
 * A skill in the workspace itself is shown with the skills beside it. Each folder on the way to it is mounted on itself:
 * a folder can't be moved away while something is mounted on it, but the one above it can, and another be put there.
 */
const skillMounts = ({ workspace, skill }: ScriptPlaces): Mount[] => {
  if (!contains(workspace, skill) || skill === workspace) return [{ kind: 'read', path: skill }]
  const root = dirname(skill) === workspace ? skill : dirname(skill)
  const guarded = guardedEntries(workspace)
  const above: Mount[] = []
  for (let path = dirname(root); path !== workspace; path = dirname(path)) {
    if (!guarded.some((entry) => contains(entry.path, path))) above.push({ kind: 'write', path })
  }
  return [...above, { kind: 'read', path: root }]
}
