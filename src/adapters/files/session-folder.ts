import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import { privateFolder } from './audit-folder.ts'
import { onDisk } from './on-disk.ts'
import { claimLock } from './run-lock.ts'

/** Writes `.agent/sessions/<id>.json` of a project, for its owner alone, whole or not at all. Throws a FileError. */
export const writeSession = (projectDir: string, id: string, text: string): void =>
  onDisk(
    join(projectDir, '.agent/sessions'),
    () => {
      const folder = privateFolder(projectDir, 'sessions')
      const temporary = join(folder, `.${id}.${process.pid}.tmp`)
      writeFileSync(temporary, text, { mode: 0o600 })
      renameSync(temporary, join(folder, `${id}.json`))
    },
    'written',
  )

/**
 * Makes this process the only one that goes on with a chat, until the returned function is called. Throws a UsageError
 * where another one is at it, a FileError where that can't be known.
 */
export const lockSession = (projectDir: string, id: string): (() => void) => {
  const at = join(projectDir, '.agent/sessions')
  const folder = onDisk(at, () => privateFolder(projectDir, 'sessions'), 'written')
  return claimLock(
    join(folder, `.${id}.lock`),
    (path) =>
      new UsageError('session_in_use', `the chat ${id} is going on elsewhere`, {
        hint: `End it there first. If nothing runs, delete ${path}.`,
      }),
  )
}
