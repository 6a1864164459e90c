import type { Command } from 'commander'
import type { AgentFlags } from './agent-from-cli.ts'
import type { PromoteFlags } from './agent-runs-from-cli.ts'
import type { ChatFlags } from './chat-from-cli.ts'
import type { Done } from './command-line.ts'
import { amount, type CommonOptions, collect, wholeNumber, withCommonOptions } from './common-options.ts'

export const addAgentCommands = (parent: Command, done: Done): void => {
  withCommonOptions(
    parent
      .command('run')
      .description('do one task with the skills of the current folder')
      .argument('[prompt...]', 'the task, or - to read it from standard input')
      .option('--prompt-file <path>', 'read the task from this file')
      .option('--skill <name>', 'load this skill at once (repeatable)', collect)
      .option('--model <name>', 'the model profile')
      .option('--mock <file>', 'a YAML or JSON file with the turns of a scripted model')
      .option('--mcp <server>', 'start this MCP server of the configuration, for its tools (repeatable)', collect)
      .option('--yes', 'approve what would be asked, but for what is of high risk')
      .option('--allow <tool[:pattern]>', 'allow this, as write_file:out.txt (repeatable)', collect)
      .option('--max-turns <n>', 'stop after so many answers of the model', wholeNumber(1))
      .option('--max-cost <usd>', 'ask for no answer that could cost more than what is left of this', amount)
      .option('--record', 'keep what the model said and what was touched: see runs promote')
      .option('--record-to <path>', 'write the recording to this file')
      .option('--replay <path>', 'take the answers of this recording instead of asking the model')
      .option('--save-case <suite>', 'put the run into this suite as a case')
      .option('--events', 'print what happens as lines of JSON on stdout'),
    `skills-agent run "How many rows has sales.csv?" --model sonnet --max-cost 0.20
  git diff | skills-agent run - --skill changelog --save-case evals/changelog.eval.yaml`,
  ).action(async (words: string[], flags: AgentFlags) => {
    const { runAgentFromCli } = await import('./agent-from-cli.ts')
    done(await runAgentFromCli(words, flags))
  })
  withCommonOptions(
    parent
      .command('chat')
      .description('talk with an agent that has the skills of the current folder')
      .option('--model <name>', 'the model profile')
      .option('--mock <file>', 'a YAML or JSON file with the turns of a scripted model')
      .option('--mcp <server>', 'start this MCP server of the configuration, for its tools (repeatable)', collect)
      .option('--continue [id]', 'go on with a stored chat; default: the latest')
      .option('--yes', 'approve what would be asked, but for what is of high risk')
      .option('--allow <tool[:pattern]>', 'allow this, as write_file:out.txt (repeatable)', collect)
      .option('--max-turns <n>', 'stop a request after so many answers of the model', wholeNumber(1))
      .option('--max-cost <usd>', 'ask for no answer that could cost more than what is left of this', amount)
      .option('--record', 'keep what the model said and what was touched: see runs promote'),
    `skills-agent chat --model sonnet --max-cost 1
  printf 'Hello.\\n/cost\\n' | skills-agent chat`,
    false,
  ).action(async (flags: ChatFlags) => {
    const { runChatFromCli } = await import('./chat-from-cli.ts')
    done(await runChatFromCli(flags))
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
  withCommonOptions(
    runs
      .command('promote')
      .description('put a recorded run into a suite as a case, with its files and its recording')
      .argument('[id]', 'its id or how that starts; default: latest', 'latest')
      .requiredOption('--to <suite>', 'the suite; it is made where it is not there')
      .option('--id <id>', 'what the case is called; default: from the first words of the task'),
    'skills-agent runs promote latest --to evals/sales.eval.yaml',
    false,
  ).action(async (id: string, flags: PromoteFlags) => {
    const { promoteRunFromCli } = await import('./agent-runs-from-cli.ts')
    done(await promoteRunFromCli(id, flags))
  })
}
