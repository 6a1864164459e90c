import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { FileEntries } from '../../core/ports.contract.test-support.ts'

/** A folder of its own for one test, links resolved, removed when the test has finished. */
export const tempFolder = (entries: FileEntries = {}): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skills-eval-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, value] of Object.entries(entries)) {
    const place = join(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    if (typeof value === 'string' || value instanceof Uint8Array) writeFileSync(place, value)
    else symlinkSync(value.link, place)
  }
  return folder
}
