import type { Command } from 'commander'
import type { CassetteFlags } from './cassettes-from-cli.ts'
import type { Done } from './command-line.ts'
import { collect, withCommonOptions } from './common-options.ts'

export const addCassettesCommands = (program: Command, done: Done): void => {
  const cassettes = program.command('cassettes').description('look at and check recordings')
  const load = () => import('./cassettes-from-cli.ts')
  const add = (name: string, description: string, example: string): Command =>
    withCommonOptions(
      cassettes
        .command(name)
        .description(description)
        .argument('[recording...]', 'SUITE/CASE, a part of that, or a file; default: all')
        .option('--suites <path>', 'where the suites are (repeatable; default: evals)', collect),
      example,
    )

  add('list', 'every recording, with its trials and size', 'skills-eval cassettes list').action(
    async (wanted: string[], flags: CassetteFlags) => done(await (await load()).listFromCli(wanted, flags)),
  )
  add('show', 'the conversation that was recorded', 'skills-eval cassettes show csv-analyzer/top-months').action(
    async (wanted: string[], flags: CassetteFlags) => done(await (await load()).showFromCli(wanted, flags)),
  )
  add(
    'diff',
    'what has changed since it was recorded; of two files, how they differ',
    'skills-eval cassettes diff top-months',
  ).action(async (wanted: string[], flags: CassetteFlags) => done(await (await load()).diffFromCli(wanted, flags)))
  add(
    'verify',
    'format, orphans, staleness and secrets, without asking a model',
    'skills-eval cassettes verify',
  ).action(async (wanted: string[], flags: CassetteFlags) => done(await (await load()).verifyFromCli(wanted, flags)))
  add('prune', 'delete the recordings of cases that are no more', 'skills-eval cassettes prune --yes')
    .option('--yes', 'do not ask')
    .action(async (wanted: string[], flags: CassetteFlags) => done(await (await load()).pruneFromCli(wanted, flags)))
}
