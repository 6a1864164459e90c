import type { Command } from 'commander'
import type { Done } from './command-line.ts'
import { type CommonOptions, collect, withCommonOptions } from './common-options.ts'

type Flags = CommonOptions & { readonly skill?: string[]; readonly model?: string; readonly mock?: string }

export const addAgentCommands = (parent: Command, done: Done): void => {
  withCommonOptions(
    parent
      .command('run')
      .description('do one task with the skills of the current folder')
      .argument('<prompt...>', 'the task')
      .option('--skill <name>', 'load this skill at once (repeatable)', collect)
      .option('--model <name>', 'the model profile')
      .option('--mock <file>', 'a YAML or JSON file with the turns of a scripted model'),
    'skills-agent run "How many rows has sales.csv?" --mock turns.yaml',
  ).action(async (words: string[], flags: Flags) => {
    const { runAgentFromCli } = await import('./agent-from-cli.ts')
    done(await runAgentFromCli(words.join(' '), flags))
  })
}
