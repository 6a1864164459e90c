import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { makeFolder, notWritten } from '../files/output-file.ts'

export type ZipFile = {
  readonly path: string
  readonly mode: '0644' | '0755'
  /** Asked for when its turn has come. */
  content(): Uint8Array
}

/**
 * Writes a zip whose bytes depend on nothing but what is in it: in this order, one date, two modes, and stored, since
 * packing differs between versions and processors. The file appears whole or not at all; its folder is made.
 */
export const writeZip = async (to: string, files: readonly ZipFile[], folders: readonly string[]): Promise<void> => {
  const { ZipArchive } = await import('archiver')
  makeFolder(dirname(to))
  const temporary = join(dirname(to), `.${basename(to)}.${process.pid}.tmp`)
  const archive = new ZipArchive({ store: true, statConcurrency: 1 })
  const output = createWriteStream(temporary, { flags: 'wx' })
  // A file that can't be read is only a warning to the archiver.
  const failed = new Promise<never>((_, reject) => {
    archive.on('warning', reject)
    archive.on('error', reject)
    output.on('error', reject)
  })
  const date = new Date('1980-01-01T00:00:00Z')
  const write = async () => {
    archive.pipe(output)
    for (const { path, mode, content } of files) {
      const taken = new Promise((done) => archive.once('entry', done))
      archive.append(Buffer.from(content()), { name: path, date, mode: Number.parseInt(mode, 8) })
      await taken
    }
    for (const path of folders)
      archive.append(Buffer.alloc(0), { name: `${path}/`, type: 'directory', date, mode: 0o755 })
    await archive.finalize()
    await finished(output)
  }
  try {
    await Promise.race([write(), failed])
    renameSync(temporary, to)
  } catch (cause) {
    archive.abort()
    output.destroy()
    rmSync(temporary, { force: true })
    throw notWritten(to, cause)
  }
}
