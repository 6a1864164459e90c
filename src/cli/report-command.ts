import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { Done } from './command-line.ts'
import { collect, withCommonOptions } from './common-options.ts'
import type { ReportFlags } from './report-from-cli.ts'
import type { ViewFlags } from './view-from-cli.ts'

const meant = 'an id or how it starts, `latest`, `previous`, a folder, or a run.json; also one that has not ended'

export const addReportCommands = (program: Command, done: Done): void => {
  withCommonOptions(
    program
      .command('report')
      .description('the reports of a stored run again: its files and the terminal report, or those of --reporter')
      .argument('[run]', meant, 'latest')
      .option(
        '--reporter <name[=path]>',
        'terminal, json, jsonl, junit, html, markdown, github, gitlab (repeatable)',
        collect,
      ),
    'skills-eval report latest --reporter markdown=summary.md',
  ).action(async (run: string, flags: ReportFlags) => {
    const { reportFromCli } = await import('./report-from-cli.ts')
    done(await reportFromCli(run, flags))
  })
  withCommonOptions(
    program
      .command('view')
      .description('the HTML report of a stored run at an address of this machine, until Ctrl-C; live while it runs')
      .argument('[run]', meant, 'latest')
      .option('--port <n>', 'at this port (default: any that is free)', portNumber)
      .option('--open', 'open it in a browser'),
    'skills-eval view latest --open',
    false,
  ).action(async (run: string, flags: ViewFlags) => {
    const { viewFromCli } = await import('./view-from-cli.ts')
    done(await viewFromCli(run, flags))
  })
}

const portNumber = (value: string): number => {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    throw new InvalidArgumentError('It must be a port: 0 (any that is free) to 65535.')
  return Number(value)
}
