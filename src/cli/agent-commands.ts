import type { Command } from 'commander'
import type { AgentFlags } from './agent-from-cli.ts'
import type { Done } from './command-line.ts'
import { type CommonOptions, collect, wholeNumber, withCommonOptions } from './common-options.ts'

export const addAgentCommands = (parent: Command, done: Done): void => {
  withCommonOptions(
    parent
      .command('run')
      .description('do one task with the skills of the current folder')
      .argument('<prompt...>', 'the task')
      .option('--skill <name>', 'load this skill at once (repeatable)', collect)
      .option('--model <name>', 'the model profile')
      .option('--mock <file>', 'a YAML or JSON file with the turns of a scripted model')
      .option('--mcp <server>', 'start this MCP server of the configuration, for its tools (repeatable)', collect)
      .option('--yes', 'approve what would be asked, but for what is of high risk')
      .option('--allow <tool[:pattern]>', 'allow this, as write_file:out.txt (repeatable)', collect),
    'skills-agent run "How many rows has sales.csv?" --mock turns.yaml',
  ).action(async (words: string[], flags: AgentFlags) => {
    const { runAgentFromCli } = await import('./agent-from-cli.ts')
    done(await runAgentFromCli(words.join(' '), flags))
  })
  addRunsCommands(parent.command('runs').description('the records that agent runs left'), done)
}

const addRunsCommands = (runs: Command, done: Done): void => {
  withCommonOptions(
    runs
      .command('list')
      .description('what was run in this project, newest first')
      .option('-n, --limit <n>', 'how many', wholeNumber(1)),
    'skills-agent runs list -n 5',
  ).action(async (flags: CommonOptions & { readonly limit?: number }) => {
    const { listRunsFromCli } = await import('./agent-runs-from-cli.ts')
    done(await listRunsFromCli(flags))
  })
  withCommonOptions(
    runs
      .command('show')
      .description('one run: what was asked, loaded, done and decided, and how to repeat it')
      .argument('[id]', 'its id or how that starts; default: latest', 'latest'),
    'skills-agent runs show latest',
  ).action(async (id: string, flags: CommonOptions) => {
    const { showRunFromCli } = await import('./agent-runs-from-cli.ts')
    done(await showRunFromCli(id, flags))
  })
}
