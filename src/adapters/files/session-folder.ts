import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateFolder } from './audit-folder.ts'
import { onDisk } from './on-disk.ts'

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
