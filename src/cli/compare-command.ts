import { type Command, Option } from 'commander'
import type { Done } from './command-line.ts'
import { collect, partOf, share, wholeNumber, withCommonOptions } from './common-options.ts'
import type { CompareFlags } from './compare-from-cli.ts'

export const addCompareCommand = (program: Command, done: Done): void => {
  const policy = (name: string, what: string) =>
    new Option(`--${name} <policy>`, `whether ${what} are a missed gate`).choices(['fail', 'warn']).default('warn')
  withCommonOptions(
    program
      .command('compare')
      .description('two stored runs, case by case: what broke, and whether it can be told from chance')
      .argument('<base>', 'a run id or how it starts, `latest`, `previous`, or a run.json')
      .argument('[head]', 'the same', 'latest')
      .option('--delta <share>', 'a difference of the pass rate within this is no change (default: 5%)', partOf)
      .option('--max-regression <share>', 'fail where the pass rate fell by more, as 2%', partOf)
      .option('--max-cost <share>', 'fail where the cost grew by more, as +10%', share)
      .addOption(policy('new', 'new cases'))
      .addOption(policy('gone', 'missing cases'))
      .option('--seed <n>', 'seed of interval and tests', wholeNumber(0), 1)
      .option('--force', 'compare runs of different models or suites')
      .option('--reporter <name[=path]>', 'terminal, json, markdown, html (repeatable)', collect),
    'skills-eval compare previous latest --max-regression 2% --max-cost +10%',
  ).action(async (base: string, head: string, flags: CompareFlags) => {
    const { compareFromCli } = await import('./compare-from-cli.ts')
    done(await compareFromCli(base, head, flags))
  })
}
