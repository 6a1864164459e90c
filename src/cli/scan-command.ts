import { type Command, Option } from 'commander'
import type { Done } from './command-line.ts'
import { collect, withCommonOptions } from './common-options.ts'
import type { ScanFlags } from './scan-from-cli.ts'

export const addScanCommand = (skills: Command, done: Done): void => {
  withCommonOptions(
    skills
      .command('scan')
      .description('what to know of a skill before using it: what its scripts reach for, text that commands the agent')
      .argument(
        '[target...]',
        'skill folders, folders of them, or NAMEs (default: the skills of the project and yours)',
      )
      .addOption(
        new Option('--fail-on <severity>', 'exit 1 from this severity on').choices(['info', 'low', 'medium', 'high']),
      )
      .option('--accept-risk <rule>', 'findings of this rule do not count (repeatable)', collect)
      .addOption(new Option('--format <name>', 'how findings are printed').choices(['text', 'github']).default('text')),
    `skills-eval skills scan .claude/skills/pdf-forms --fail-on high
  skills-eval skills scan --format github --fail-on medium --accept-risk network-access`,
  ).action(async (targets: string[], flags: ScanFlags) =>
    done(await (await import('./scan-from-cli.ts')).scanFromCli(targets, flags)),
  )
}
