import { relative } from 'node:path'
import { readCassette } from '../cassette/cassette-file.ts'
import { UsageError } from '../core/errors.ts'
import { textDiff } from '../lib/text-diff.ts'
import { visibleLine } from '../lib/visible.ts'
import { cassetteText } from '../report/cassettes-report.ts'
import { maxCassetteBytes } from './cassette-limits.ts'
import type { Host } from './host.ts'

/** How the conversations of two recordings differ, as a diff; '' where they do not. Paths are absolute. */
export const compareCassettes = async (before: string, after: string, host: Host): Promise<string> => {
  const [was, is] = [before, after].map((file) => {
    const read = readCassette(host.files.readText(file, maxCassetteBytes))
    if ('cassette' in read) return cassetteText('', { ...read.cassette, recorded: '' }, { color: false })
    throw new UsageError('bad_cassette', `${visibleLine(file, 500)} is no recording: ${read.problem}`)
  })
  return textDiff(was ?? '', is ?? '', [relative(host.cwd, before), relative(host.cwd, after)])
}
