import type { Status } from '../core/results.ts'
import { foreignLine } from './foreign-text.ts'
import { formatDuration, formatNumber, plural } from './format-number.ts'

/** A run that goes on or was killed, as lists and reports speak of it. */
export type UnfinishedRunRow = {
  readonly id: string
  readonly startedAt: string
  readonly durationMs: number
  readonly command: readonly string[]
  readonly isGoingOn: boolean
  readonly ended: ReadonlyMap<Status, number>
  readonly trials: number
  readonly planned: number | undefined
  readonly resume: string
}

/** `3 of 12 trials`; only the first number where nobody noted the other. */
export const trialsThere = ({ trials, planned }: Pick<UnfinishedRunRow, 'trials' | 'planned'>): string =>
  planned === undefined ? plural(trials, 'trial') : `${formatNumber(trials)} of ${plural(planned, 'trial')}`

/** What `runs show` prints of it. */
export const unfinishedRunText = (run: UnfinishedRunRow): string => {
  const { id, startedAt, durationMs, command, ended } = run
  const counts = [...ended].map(([status, count]) => `${formatNumber(count)} ${status}`).join(', ')
  return [
    `${foreignLine(id, 60)} is ${run.isGoingOn ? 'going on' : 'unfinished'}: ${trialsThere(run)}${counts === '' ? '' : ` (${counts})`}`,
    `started ${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)}, ${formatDuration(durationMs)} of work: skills-eval ${foreignLine(command.join(' '), 160)}`,
    run.isGoingOn ? 'a process is at work on it' : `to go on: ${run.resume}`,
    '',
  ].join('\n')
}
