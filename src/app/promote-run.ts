import { dirname, join } from 'node:path'
import { readCassette } from '../cassette/cassette-file.ts'
import { FileError, UsageError } from '../core/errors.ts'
import { visibleLine } from '../lib/visible.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import type { PlaceWords } from '../report/place-words.ts'
import { shellLine } from '../report/shell-line.ts'
import { agentCaseSchema } from '../schema/agent-case.ts'
import { maxCassetteBytes } from './cassette-limits.ts'
import { optionsOf, withOptions } from './grant.ts'
import type { Host } from './host.ts'
import { findRun, runFolder } from './list-runs.ts'
import type { RecordedRun } from './recorded-run.ts'

/** What a recorded run left beside its record. Throws a UsageError for a run that was not recorded. */
export const recordedRunOf = (wanted: string, host: Host, place?: PlaceWords): RecordedRun => {
  const run = findRun(wanted, host, place)
  const folder = runFolder(run.id, host)
  const text = textIfThere(join(folder, 'case.json'), host)
  if (text === undefined) {
    const reason = textIfThere(join(folder, 'no-case.txt'), host)?.trim()
    if (reason !== undefined)
      throw new UsageError('no_case', `no case can be made of run ${run.id}: ${visibleLine(reason, 1000)}`)
    const isRecorded = optionsOf(run.command).includes('--record')
    const again = isRecorded ? run.command : withOptions(run.command, ['--record'])
    const hint =
      run.stop.kind === 'answered'
        ? `Run it again and keep it: ${shellLine(['skills-agent', ...again])}`
        : 'Only a run that came to its answer makes a case.'
    throw new UsageError('not_recorded', `run ${run.id} was not recorded to its end, so no case can be made of it`, {
      hint,
    })
  }
  const checked = checkedBy(agentCaseSchema, jsonOf(text))
  if (!checked.ok)
    throw new UsageError('bad_case', `${dirname(folder)}/${run.id}/case.json is not skills-eval/agent-case@1`)
  const recording = textIfThere(join(folder, 'recording.json'), host)
  const read = recording === undefined ? undefined : readCassette(recording)
  if (read && 'problem' in read)
    throw new UsageError('bad_cassette', `the recording of run ${run.id} can't be used: ${read.problem}`)
  return { draft: checked.data, cassette: read?.cassette }
}

const textIfThere = (path: string, { files }: Host): string | undefined => {
  try {
    return files.readText(path, maxCassetteBytes)
  } catch (error) {
    if (error instanceof FileError && error.code === 'file_missing') return undefined
    throw error
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
