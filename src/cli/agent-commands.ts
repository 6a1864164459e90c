import type { Command } from 'commander'
import type { AgentFlags } from './agent-from-cli.ts'
import type { Done } from './command-line.ts'
import { collect, withCommonOptions } from './common-options.ts'

export const addAgentCommands = (parent: Command, done: Done): void => {
  withCommonOptions(
    parent
      .command('run')
      .description('do one task with the skills of the current folder')
      .argument('<prompt...>', 'the task')
      .option('--skill <name>', 'load this skill at once (repeatable)', collect)
      .option('--model <name>', 'the model profile')
      .option('--allow <tool[:pattern]>', 'let this be done without asking (repeatable)', collect)
      .option('--yes', 'answer yes to what is of medium risk')
      .option('--mock <file>', 'a YAML or JSON file with the turns of a scripted model'),
    'skills-agent run "How many rows has sales.csv?" --mock turns.yaml',
  ).action(async (words: string[], flags: AgentFlags) => {
    const { runAgentFromCli } = await import('./agent-from-cli.ts')
    done(await runAgentFromCli(words.join(' '), flags))
  })
}
