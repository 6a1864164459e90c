import type { Command } from 'commander'
import type { AuditRunsFlags } from './audit-runs-from-cli.ts'
import type { Done } from './command-line.ts'
import { type CommonOptions, wholeNumber, withCommonOptions } from './common-options.ts'
import type { PruneFlags, RunsFlags } from './runs-from-cli.ts'

export const addRunsCommand = (program: Command, done: Done): void => {
  const runs = program.command('runs').description('the runs that are stored below reports/')
  const load = () => import('./runs-from-cli.ts')
  withCommonOptions(
    runs
      .command('list')
      .description('stored runs, newest first')
      .option('-n, --limit <n>', 'how many', wholeNumber(1), 20),
    'skills-eval runs list -n 5',
  ).action(async (flags: RunsFlags) => done(await (await load()).listFromCli(flags)))
  withCommonOptions(
    runs
      .command('show')
      .description('the report of a stored run')
      .argument('[run]', 'its id or how it starts, `latest`, `previous`, or a run.json', 'latest'),
    'skills-eval runs show previous',
  ).action(async (wanted: string, flags: CommonOptions) => done(await (await load()).showFromCli(wanted, flags)))
  withCommonOptions(
    runs
      .command('audit')
      .description('checks that never failed in stored runs, and checks that always did')
      .argument('[run...]', 'as for show; all stored runs without one')
      .option('--min-trials <n>', 'list checks with at least so many trials', wholeNumber(1), 20),
    'skills-eval runs audit --min-trials 50',
  ).action(async (wanted: string[], flags: AuditRunsFlags) =>
    done(await (await import('./audit-runs-from-cli.ts')).auditRunsFromCli(wanted, flags)),
  )
  withCommonOptions(
    runs
      .command('prune')
      .description('delete all runs but the newest')
      .option('--keep <n>', 'how many stay', wholeNumber(1), 20)
      .option('--yes', 'do not ask'),
    'skills-eval runs prune --keep 50 --yes',
  ).action(async (flags: PruneFlags) => done(await (await load()).pruneFromCli(flags)))
}
