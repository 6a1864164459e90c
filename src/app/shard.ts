import { UsageError } from '../core/errors.ts'
import type { PlannedCase, RunPlan } from '../core/plan.ts'
import type { RunHead } from '../core/results.ts'
import { sha256 } from '../lib/hash.ts'
import { narrowPlan } from '../suite/narrow-plan.ts'
import type { CaseInputs } from './case-inputs.ts'
import type { Host } from './host.ts'
import { reportsFolder } from './run-folders.ts'
import type { RunOptions, Shard } from './run-options.ts'
import { findStoredRun } from './stored-runs.ts'

/**
 * One of `total` parts of a plan, which together are the whole. A case goes, on all of its models, by a hash of its suite
 * and id, so that it stays where it is when others come and go; only where the durations of a run are given, by what
 * it took there. The digest is of the whole plan and of who gets what.
 */
export const shardOf = (
  plan: RunPlan,
  { index, total }: Shard,
  inputsOf: CaseInputs,
  options: Pick<RunOptions, 'timings' | 'config' | 'seed'>,
  host: Host,
): { readonly plan: RunPlan; readonly shard: NonNullable<RunHead['shard']> } => {
  const assigned = options.timings === undefined ? undefined : balanced(plan, total, options.timings, options, host)
  const shardIndex = (planned: PlannedCase) => assigned?.get(keyOf(planned)) ?? hashed(planned, total)
  let digest = sha256(JSON.stringify([options.seed ?? 1, total]))
  const perSuite = new Map<string, string>()
  for (const planned of plan.cases()) {
    const { evalCase, model, trials, adaptive } = planned
    const { description, tags, line, pass_threshold, skip, xfail, golden } = evalCase
    const counted = [description, tags, line, pass_threshold, skip, xfail, golden]
    const told = [keyOf(planned), model, inputsOf(planned), trials, adaptive, counted, shardIndex(planned)]
    digest = sha256(`${digest}${JSON.stringify(told)}`)
    const { name } = planned.suite
    // Who gets what is no part of a suite: --timings decides about that.
    perSuite.set(name, sha256(`${perSuite.get(name) ?? ''}${JSON.stringify(told.slice(0, -1))}`))
  }
  const thresholds = plan.suites.flatMap(({ name, thresholds: limits }) => (limits ? [[name, limits] as const] : []))
  digest = sha256(`${digest}${JSON.stringify(thresholds)}`)
  return {
    plan: {
      ...narrowPlan(plan, (planned) => shardIndex(planned) === index, {
        change: (planned, place) => ({ ...planned, place }),
        keepSuites: true,
      }),
      isPart: true,
    },
    shard: {
      index,
      total,
      plan: digest.slice(0, 16),
      cases: plan.counts.cases,
      suites: Object.fromEntries([...perSuite].map(([name, made]) => [name, made.slice(0, 16)])),
      thresholds: Object.fromEntries(thresholds),
    },
  }
}

const keyOf = ({ suite, evalCase }: Pick<PlannedCase, 'suite' | 'evalCase'>): string =>
  JSON.stringify([suite.name, evalCase.id])

const hashed = (planned: PlannedCase, total: number): number =>
  1 + (Number.parseInt(sha256(keyOf(planned)).slice(0, 12), 16) % total)

/** The longest first, each to the shard that has least to do; a case that the run did not know is taken to be average. */
const balanced = (
  plan: RunPlan,
  total: number,
  wanted: string,
  { config }: Pick<RunOptions, 'config'>,
  host: Host,
): ReadonlyMap<string, number> => {
  const took = durations(wanted, config, host)
  const mean = [...took.values()].reduce((sum, ms) => sum + ms, 0) / Math.max(1, took.size)
  const keys = new Set<string>()
  for (const planned of plan.cases()) keys.add(keyOf(planned))
  const ordered = [...keys]
    .map((key) => ({ key, ms: took.get(key) ?? mean }))
    .sort((a, b) => b.ms - a.ms || (a.key < b.key ? -1 : 1))
  const loads = Array.from({ length: total }, () => ({ ms: 0, cases: 0 }))
  return new Map(
    ordered.map(({ key, ms }) => {
      let least = 0
      for (const [i, load] of loads.entries()) {
        const best = loads[least]
        if (best && (load.ms < best.ms || (load.ms === best.ms && load.cases < best.cases))) least = i
      }
      const load = loads[least]
      if (load) {
        load.ms += ms
        load.cases += 1
      }
      return [key, least + 1]
    }),
  )
}

const durations = (wanted: string, config: string | undefined, host: Host): ReadonlyMap<string, number> => {
  if (wanted === 'latest' || wanted === 'previous') {
    throw new UsageError('moving_timings', `--timings ${wanted} may be another run on each shard`, {
      hint: 'Give the same run.json, or the id of a run, to all of them.',
    })
  }
  const took = new Map<string, number>()
  for (const { name, cases } of findStoredRun(wanted, reportsFolder(host, config), host).suites) {
    for (const { id, trials } of cases) {
      const key = JSON.stringify([name, id])
      took.set(
        key,
        trials.reduce((sum, trial) => sum + trial.duration_ms, took.get(key) ?? 0),
      )
    }
  }
  return took
}
