import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RunOptions, Shard } from '../app/run-options.ts'
import { type RecordMode, recordModes } from '../core/record-mode.ts'
import type { Done } from './command-line.ts'
import { amount, type CommonOptions, collect, partOf, wholeNumber, withCommonOptions } from './common-options.ts'

type Flags = CommonOptions & {
  readonly model?: string[]
  readonly filter?: string[]
  readonly tag?: string[]
  readonly skill?: string[]
  readonly trials?: number
  readonly concurrency?: number
  readonly bail?: number | true
  readonly maxCost?: number
  readonly seed?: number
  readonly baseline?: string
  readonly freshBaseline?: boolean
  readonly minLift?: number
  readonly reporter?: string[]
  readonly retries?: number
  readonly shard?: Shard
  readonly timings?: string
  readonly resume?: string | true
  readonly rerun?: string[]
  readonly rerunOf?: string
  readonly watch?: boolean
  readonly list?: boolean
  readonly dryRun?: boolean
  readonly passWithNoCases?: boolean
  readonly trustSuites?: boolean
  readonly record?: RecordMode
  readonly allowStale?: boolean
  readonly audit?: 'warn' | 'fail' | true
}

export const addRunCommand = (program: Command, done: Done): void => {
  const start = async (paths: readonly string[], flags: Flags) => {
    if (flags.watch) {
      const { watchFromCli } = await import('./watch-from-cli.ts')
      return done(await watchFromCli(toOptions(paths, flags), flags))
    }
    const { runFromCli } = await import('./run-from-cli.ts')
    done(await runFromCli(toOptions(paths, flags), flags))
  }
  const run = withRunOptions(program.command('run').description('run suites'))
    .addOption(new Option('--record <mode>', 'what is done with recordings (default: replay)').choices(recordModes))
    .option(
      '--audit [mode]',
      'also try the checks on agents that do nothing; `fail`: a case that passes so is a failure',
      auditMode,
    )
    .option('--allow-stale', 'go on where a recording is to another request, by turn order')
  withCommonOptions(run, 'skills-eval run evals/ --filter top-months --reporter junit=junit.xml').action(start)
  const record = withRunOptions(
    program.command('record').description('run suites and record every model: run --record all'),
  )
  withCommonOptions(record, 'skills-eval record evals/ --filter top-months').action(
    (paths: readonly string[], flags: Flags) => start(paths, { ...flags, record: 'all' }),
  )
}

const withRunOptions = (command: Command): Command =>
  command
    .argument('[path...]', 'suite files, or folders with *.eval.yaml (default: evals)')
    .option('--model <name>', 'run on this model profile (repeatable)', collect)
    .option(
      '--filter <text>',
      'only cases whose id has this text, matches this glob, or is that of =ID (repeatable)',
      collect,
    )
    .option('--tag <tag>', 'only cases with this tag (repeatable)', collect)
    .option('--skill <name>', 'only cases about this skill (repeatable)', collect)
    .option('--trials <n>', 'run each case so many times', wholeNumber(1))
    .option('--concurrency <n>', 'how many trials run at a time', wholeNumber(1))
    .option('--bail [n]', 'stop after so many failed cases (1)', wholeNumber(1))
    .option('--max-cost <usd>', 'ask live models for no answer that could cost more than is left of this', amount)
    .option(
      '--baseline <arm>',
      'also run without_skills, without:NAME, or with the skills in a folder, and tell the lift',
      once,
    )
    .option('--fresh-baseline', 'run the baseline also where an earlier run has it')
    .option('--min-lift <share>', 'fail where the skills add less to the pass rate, as 10%', partOf)
    .option('--seed <n>', 'seed of the intervals', wholeNumber(0))
    .option(
      '--reporter <name[=path]>',
      'terminal, json, jsonl, junit, html, markdown, github, gitlab (repeatable)',
      collect,
    )
    .option('--retries <n>', 'try a trial again so often where its live model failed (0)', wholeNumber(0))
    .option('--shard <i/n>', 'run the i-th of n parts; `merge` makes one run of them', shardOption)
    .option('--timings <run>', 'balance the shards by the durations of this run')
    .option('--resume [run]', 'go on with a run that was interrupted: its id, `latest` (the default), `previous`')
    .option('--rerun <status>', 'only cases that ended as failed, error or stale before (repeatable)', collect)
    .option('--rerun-of <run>', 'in which run (default: latest)')
    .option('--watch', 'run again what a change of files touches, until Ctrl-C')
    .option('--list', 'print the cases and run nothing')
    .option('--dry-run', 'print the run plan and run nothing')
    .option('--pass-with-no-cases', 'no suite or no case left is no mistake')
    .option('--trust-suites', 'let permissions in suites open what is closed by default')

/** One of two values would be dropped without a word. */
const once = (value: string, previous: string | undefined): string => {
  if (previous === undefined || previous === value) return value
  throw new InvalidArgumentError(`There is ${previous} already, and a run has one baseline.`)
}

const auditMode = (value: string): 'warn' | 'fail' => {
  if (value === 'warn' || value === 'fail') return value
  throw new InvalidArgumentError('It must be warn or fail; paths stand before --audit, or behind --audit=warn.')
}

const toOptions = (
  paths: readonly string[],
  flags: Flags,
): Omit<RunOptions, 'reporters' | 'command'> & { reporters: string[] } => ({
  paths,
  ...given({
    config: flags.config,
    models: flags.model,
    filter: flags.filter,
    tags: flags.tag,
    skills: flags.skill,
    trials: flags.trials,
    concurrency: flags.concurrency,
    bail: flags.bail === true ? 1 : flags.bail,
    maxCostUsd: flags.maxCost,
    seed: flags.seed,
    baseline: flags.baseline,
    freshBaseline: flags.freshBaseline,
    minLift: flags.minLift,
    rerun: flags.rerun,
    rerunOf: flags.rerunOf,
    shard: flags.shard,
    timings: flags.timings,
    retries: flags.retries,
    resume: flags.resume === true ? 'latest' : flags.resume,
    record: flags.record,
    audit: flags.audit === true ? 'warn' : flags.audit,
  }),
  reporters: flags.reporter ?? [],
  json: flags.json === true,
  quiet: flags.quiet === true,
  list: flags.list === true,
  dryRun: flags.dryRun === true,
  passWithNoCases: flags.passWithNoCases === true,
  trustSuites: flags.trustSuites === true,
  allowStale: flags.allowStale === true,
})

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without what was not said: an option that is there counts as chosen. */
const given = <T extends object>(options: T): Given<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>

const shardOption = (value: string): Shard => {
  const [, index, total] = /^(\d{1,4})\/(\d{1,4})$/.exec(value)?.map(Number) ?? []
  if (!index || !total || index > total) throw new InvalidArgumentError('It must be I/N with 1 ≤ I ≤ N, as 2/4.')
  return { index, total }
}
