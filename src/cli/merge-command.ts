import type { Command } from 'commander'
import type { Done } from './command-line.ts'
import { collect, withCommonOptions } from './common-options.ts'
import type { MergeFlags } from './merge-from-cli.ts'

export const addMergeCommand = (program: Command, done: Done): void => {
  withCommonOptions(
    program
      .command('merge')
      .description('one run out of its shards')
      .argument('<run...>', 'the run.json of each shard, its folder, or its id')
      .option('--partial', 'shards may be missing')
      .option(
        '--reporter <name[=path]>',
        'terminal, json, jsonl, junit, markdown, github, gitlab (repeatable)',
        collect,
      ),
    'skills-eval merge shards/*/run.json --reporter junit=junit.xml',
  ).action(async (runs: readonly string[], flags: MergeFlags) => {
    const { mergeFromCli } = await import('./merge-from-cli.ts')
    done(await mergeFromCli(runs, flags))
  })
}
