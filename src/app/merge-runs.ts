import { join, resolve } from 'node:path'
import { systemClock, systemIds } from '../adapters/clock/system-clock.ts'
import { makeFolder } from '../adapters/files/output-file.ts'
import { jsonlStore } from '../adapters/store/jsonl-store.ts'
import { UsageError } from '../core/errors.ts'
import type { RunHead } from '../core/results.ts'
import { visibleLine } from '../lib/visible.ts'
import { interference } from '../metrics/interference.ts'
import { exitCode } from '../report/exit-code.ts'
import { chosenReporters } from './chosen-reporters.ts'
import type { Host } from './host.ts'
import { loadConfig } from './load-config.ts'
import { type MergedCase, mergedCases, type ShardFile } from './merged-cases.ts'
import { mergedTotals } from './merged-totals.ts'
import { planDifferences } from './plan-difference.ts'
import { findProject, type Project, workingFolder } from './project.ts'
import { rowsFile } from './run-folders.ts'
import type { RunOptions } from './run-options.ts'
import { readHeadAt, type StoredHead, storedRunPath } from './stored-runs.ts'
import { writeReports } from './write-reports.ts'

export type MergeOptions = Pick<RunOptions, 'config' | 'reporters' | 'json' | 'quiet' | 'command'> & {
  readonly runs: readonly string[]
  /** Shards may be missing. */
  readonly partial: boolean
}

/**
 * `skills-eval merge`: the shards of one plan as one run in a folder of its own, with all reports; returns the exit code
 * that the whole run would have had. Reads each case as it is needed. Throws a UsageError for what is no whole.
 */
export const mergeRuns = async (options: MergeOptions, host: Host): Promise<number> => {
  const project = findProject(host.cwd, host.home, host.files)
  const config = loadConfig(project, host, options.config === undefined ? undefined : resolve(host.cwd, options.config))
  const reports = resolve(project.dir, config.reports ?? 'reports')
  const reporters = chosenReporters(options, config, project, host)
  const shards = options.runs.map((wanted) => openShard(storedRunPath(wanted, reports, host), host))
  const missing = missingShards(shards, options.partial)
  const cases = () => mergedCases(shards, host)
  const totals = mergedTotals(shards, host)
  const expected = shards[0]?.shard.cases ?? 0
  const { summary } = totals
  if (missing.length === 0 && summary.cases !== expected) {
    throw refused(`the shards have ${summary.cases} cases together, the plan has ${expected}`)
  }
  const clock = systemClock()
  const id = systemIds(clock).run()
  const folder = join(reports, id)
  makeFolder(folder)
  const store = jsonlStore(join(folder, rowsFile))
  const head = headOf(shards, { id, missing, summary, suites: totals.suites, project, host, command: options.command })
  try {
    const unwritten = await writeReports(head, stored(cases(), store), {
      folder,
      choices: reporters,
      // Each run has taken the secrets out of what it kept.
      redact: (value) => value,
      host,
    })
    if (!options.json && !options.quiet) host.stderr(`results: ${folder}\n`)
    for (const problem of unwritten) host.stderr(`error: ${visibleLine(problem, 2000)}\n`)
    const code = exitCode({
      summary,
      suites: totals.suites,
      interrupted: head.interrupted,
      errorCodes: totals.errorCodes,
    })
    return code === 0 && unwritten.length > 0 ? 3 : code
  } finally {
    store.close()
  }
}

function* stored(cases: Iterable<MergedCase>, store: ReturnType<typeof jsonlStore>): Generator<MergedCase> {
  let at = 0
  for (const one of cases) {
    const { id, model, trials, rows_of } = one.result
    const about = { ...(one.xfail ? { xfail: true as const } : {}), ...(rows_of === undefined ? {} : { rows_of }) }
    for (const trial of trials) store.append(at++, { suite: one.suite, case: id, model, ...about, ...trial })
    yield one
  }
}

const openShard = (path: string, host: Host): ShardFile => {
  const found = readHeadAt(path, path, host)
  if ('problem' in found) throw refused(`${visibleLine(path, 500)} can't be used: ${visibleLine(found.problem, 500)}`)
  const { shard } = found.head
  if (!shard) throw refused(`${visibleLine(path, 500)} is a whole run, no shard`)
  return { path, head: found.head, shard }
}

/** Throws unless all are different parts of one plan, and together the whole of it where that is asked. */
const missingShards = (shards: readonly ShardFile[], isPartial: boolean): readonly number[] => {
  const [first, ...others] = shards
  if (!first) return []
  for (const other of others) {
    const differences = planDifferences(first, other)
    if (differences.length === 0) continue
    throw new UsageError(
      'other_plan',
      `${visibleLine(other.path, 500)} is a shard of another plan than ${visibleLine(first.path, 500)}: ${differences.join('; ')}`,
      {
        hint: 'All shards must run the same files with the same options and the same version of skills-eval.',
      },
    )
  }
  const seen = new Set<number>()
  for (const { shard, path } of shards) {
    if (seen.has(shard.index))
      throw refused(`shard ${shard.index} of ${shard.total} is there twice (${visibleLine(path, 500)})`)
    seen.add(shard.index)
  }
  const all = Array.from({ length: first.shard.total }, (_, i) => i + 1)
  const missing = all.filter((index) => !seen.has(index))
  if (missing.length === 0 || isPartial) return missing
  const which =
    missing.length === 1
      ? `shard ${missing[0]} of ${all.length} is`
      : `shards ${missing.join(', ')} of ${all.length} are`
  throw new UsageError('missing_shards', `${which} missing`, { hint: '--partial merges what is there.' })
}

const refused = (message: string): UsageError => new UsageError('bad_shards', message)

const headOf = (
  shards: readonly ShardFile[],
  about: Pick<RunHead, 'id' | 'summary' | 'suites'> & {
    readonly command: readonly string[]
    readonly missing: readonly number[]
    readonly project: Project
    readonly host: Host
  },
): RunHead => {
  const heads = shards.map(({ head }) => head)
  const interrupted = heads.find((head) => head.interrupted !== undefined)?.interrupted
  return {
    format: 'skills-eval/run@1',
    id: about.id,
    started_at: heads.map((head) => head.started_at).toSorted()[0] ?? new Date(0).toISOString(),
    duration_ms: Math.max(...heads.map((head) => head.duration_ms)),
    tool: { name: 'skills-eval', version: about.host.version },
    command: [...about.command],
    ...workingFolder(about.project, about.host),
    git: commonGit(heads),
    seed: heads[0]?.seed ?? 1,
    ...(interrupted === undefined ? {} : { interrupted }),
    ...(about.missing.length === 0 ? {} : { missing_shards: [...about.missing] }),
    merged_from: shards
      .map(({ head, shard }) => ({ index: shard.index, id: head.id }))
      .sort((a, b) => a.index - b.index),
    ...mistaken(heads, about.summary),
    summary: about.summary,
    suites: about.suites,
  }
}

/** The words that two skills share are those that a shard has found: no skill is read here. */
const mistaken = (heads: readonly StoredHead[], { trigger }: RunHead['summary']): Pick<RunHead, 'interference'> => {
  const words = new Map(
    heads.flatMap((head) =>
      (head.interference ?? []).map(({ skills, shared_words }) => [JSON.stringify(skills), shared_words] as const),
    ),
  )
  const pairs = interference(trigger.confusion, new Map()).map((pair) => ({
    ...pair,
    shared_words: words.get(JSON.stringify(pair.skills)) ?? [],
  }))
  return pairs.length === 0 ? {} : { interference: pairs }
}

/** The commit, where all shards ran on the same. */
const commonGit = (heads: readonly StoredHead[]): RunHead['git'] => {
  const commit = heads[0]?.git?.commit
  if (commit === undefined || heads.some(({ git }) => git?.commit !== commit)) return null
  return { commit, dirty: heads.some(({ git }) => git?.dirty) }
}
