import { type Command, Option } from 'commander'
import type { RunOptions } from '../app/run-options.ts'
import { type RecordMode, recordModes } from '../core/record-mode.ts'
import type { Done } from './command-line.ts'
import { amount, type CommonOptions, collect, wholeNumber, withCommonOptions } from './common-options.ts'

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
  readonly reporter?: string[]
  readonly list?: boolean
  readonly dryRun?: boolean
  readonly passWithNoCases?: boolean
  readonly trustSuites?: boolean
  readonly record?: RecordMode
  readonly allowStale?: boolean
}

export const addRunCommand = (program: Command, done: Done): void => {
  const start = async (paths: readonly string[], flags: Flags) => {
    const { runFromCli } = await import('./run-from-cli.ts')
    done(await runFromCli(toOptions(paths, flags), flags))
  }
  const run = withRunOptions(program.command('run').description('run suites'))
    .addOption(new Option('--record <mode>', 'what is done with recordings (default: replay)').choices(recordModes))
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
    .argument('[path...]', 'suite files, or folders with *.eval.yaml', ['evals'])
    .option('--model <name>', 'run on this model profile (repeatable)', collect)
    .option('--filter <text>', 'only cases whose id has this text, or matches this glob (repeatable)', collect)
    .option('--tag <tag>', 'only cases with this tag (repeatable)', collect)
    .option('--skill <name>', 'only cases about this skill (repeatable)', collect)
    .option('--trials <n>', 'run each case so many times', wholeNumber(1))
    .option('--concurrency <n>', 'how many trials run at a time', wholeNumber(1))
    .option('--bail [n]', 'stop after so many failed cases (1)', wholeNumber(1))
    .option('--max-cost <usd>', 'ask live models for no answer that could cost more than is left of this', amount)
    .option('--seed <n>', 'seed of the intervals', wholeNumber(0))
    .option('--reporter <name[=path]>', 'terminal, json, jsonl, junit, html, markdown, github (repeatable)', collect)
    .option('--list', 'print the cases and run nothing')
    .option('--dry-run', 'print the run plan and run nothing')
    .option('--pass-with-no-cases', 'no suite or no case left is no mistake')
    .option('--trust-suites', 'let permissions in suites open what is closed by default')

const toOptions = (
  paths: readonly string[],
  flags: Flags,
): Omit<RunOptions, 'reporters' | 'command'> & { reporters: string[] } => ({
  paths,
  ...(flags.config === undefined ? {} : { config: flags.config }),
  ...(flags.model ? { models: flags.model } : {}),
  ...(flags.filter ? { filter: flags.filter } : {}),
  ...(flags.tag ? { tags: flags.tag } : {}),
  ...(flags.skill ? { skills: flags.skill } : {}),
  ...(flags.trials === undefined ? {} : { trials: flags.trials }),
  ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
  ...(flags.bail === undefined ? {} : { bail: flags.bail === true ? 1 : flags.bail }),
  ...(flags.maxCost === undefined ? {} : { maxCostUsd: flags.maxCost }),
  ...(flags.seed === undefined ? {} : { seed: flags.seed }),
  reporters: flags.reporter ?? [],
  json: flags.json === true,
  quiet: flags.quiet === true,
  list: flags.list === true,
  dryRun: flags.dryRun === true,
  passWithNoCases: flags.passWithNoCases === true,
  trustSuites: flags.trustSuites === true,
  ...(flags.record === undefined ? {} : { record: flags.record }),
  allowStale: flags.allowStale === true,
})
