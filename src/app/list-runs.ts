import { join } from 'node:path'
import { SkillsEvalError, UsageError } from '../core/errors.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import type { PlaceWords } from '../report/place-words.ts'
import { shellLine } from '../report/shell-line.ts'
import { type AgentRun, agentRunSchema } from '../schema/audit.ts'
import type { Host } from './host.ts'
import { findProject } from './project.ts'
import { onlyRun } from './run-folders.ts'

/** A record as it was found; `problem` where it is none that we can read. */
export type ListedRun = { readonly id: string } & ({ readonly run: AgentRun } | { readonly problem: string })

export type RunList = { readonly runs: readonly ListedRun[]; readonly total: number }

const maxBytes = 64 * 1024 * 1024

/** The newest records of the project that the working folder is in, newest first. */
export const listRuns = (limit: number, host: Host): RunList => {
  const ids = runIds(host)
  return { runs: ids.slice(0, limit).map((id) => readRun(id, host)), total: ids.length }
}

/** The record with this id, the only one whose id starts so, or the `latest`. Throws a UsageError where there is none. */
export const findRun = (wanted: string, host: Host, place?: PlaceWords): AgentRun => {
  const ids = runIds(host)
  const found = readRun(chosen(wanted, ids, place), host)
  if ('run' in found) return found.run
  throw new UsageError('unreadable_run', `the record of run ${found.id} can't be shown: ${found.problem}`)
}

const chosen = (wanted: string, ids: readonly string[], place: PlaceWords | undefined): string => {
  const [latest] = ids
  if (latest === undefined) {
    throw new UsageError('no_runs', 'this project has no records of agent runs', {
      hint: '`skills-agent run` leaves one each time.',
    })
  }
  if (wanted === 'latest') return latest
  const matching = ids.includes(wanted) ? [wanted] : ids.filter((id) => id.startsWith(wanted))
  const list = shellLine(['skills-agent', 'runs', 'list', ...(place?.folder ?? [])])
  return onlyRun(wanted, matching, `\`${list}\` shows all.`)
}

/** Newest first: an id starts with its time. */
const runIds = (host: Host): readonly string[] =>
  host.files
    .list(runsFolder(host))
    .flatMap(({ name, kind, isLink }) => (kind === 'dir' && !isLink ? [name] : []))
    .reverse()

/** Where the record of a run lies, and what was kept beside it. */
export const runFolder = (id: string, host: Host): string => join(runsFolder(host), id)

const runsFolder = (host: Host): string => join(findProject(host.cwd, host.home, host.files).dir, '.agent', 'runs')

const readRun = (id: string, host: Host): ListedRun => {
  let value: unknown
  try {
    value = JSON.parse(host.files.readText(join(runsFolder(host), id, 'run.json'), maxBytes))
  } catch (error) {
    if (error instanceof SyntaxError) return { id, problem: 'it is not JSON' }
    if (error instanceof SkillsEvalError) return { id, problem: error.message }
    throw error
  }
  const checked = checkedBy(agentRunSchema, value)
  return checked.ok ? { id, run: checked.data } : { id, problem: 'it is not a record of skills-eval/agent-run@1' }
}
