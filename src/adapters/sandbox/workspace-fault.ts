import { type Dirent, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { guardedLink } from './guarded-entries.ts'
import { contains } from './paths.ts'

const systemFolders = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var',
] as const
const maxEntries = 200_000

/** Why a script can't be confined to this workspace, in words; undefined where it can. */
export const workspaceFault = (workspace: string): string | undefined => {
  const held = systemFolders.find((folder) => contains(workspace, folder))
  if (held !== undefined) return `the workspace ${workspace} holds the system folder ${held}`
  const link = guardedLink(workspace)
  if (link !== undefined) return `${link} in the workspace is a link, which can't be kept from a script`
  return socketFault(workspace)
}

/** A Unix socket is a door to the program behind it, whatever network the script has. */
const socketFault = (workspace: string): string | undefined => {
  const waiting = [workspace]
  let seen = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(folder)) {
      seen += 1
      const path = join(folder, entry.name)
      if (entry.isSocket()) {
        return `the workspace holds the Unix socket ${relative(workspace, path)}: a script could talk to the program behind it`
      }
      if (entry.isDirectory()) waiting.push(path)
    }
    if (seen > maxEntries) {
      return `the workspace holds more than ${maxEntries.toLocaleString('en')} files: too many to look for sockets among them`
    }
  }
  return undefined
}

const entriesOf = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Not ours to read, and the script has no more rights than we have.
    return []
  }
}
