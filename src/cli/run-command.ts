import type { Command } from 'commander'
import type { RunOptions } from '../app/run-options.ts'
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
}

export const addRunCommand = (program: Command, done: Done): void => {
  const command = program
    .command('run')
    .description('run suites')
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
    .option('--reporter <name[=path]>', 'terminal, json, jsonl, junit, markdown, github (repeatable)', collect)
    .option('--list', 'print the cases and run nothing')
    .option('--dry-run', 'print the run plan and run nothing')
    .option('--pass-with-no-cases', 'no suite or no case left is no mistake')
    .option('--trust-suites', 'let permissions in suites open what is closed by default')
  withCommonOptions(command, 'skills-eval run evals/ --filter top-months --reporter junit=junit.xml').action(
    async (paths: string[], flags: Flags) => {
      const { runFromCli } = await import('./run-from-cli.ts')
      done(await runFromCli(toOptions(paths, flags), flags))
    },
  )
}

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
})
