import { type Command, Option } from 'commander'
import type { Done } from './command-line.ts'
import { withCommonOptions } from './common-options.ts'
import type { ValidateFlags } from './validate-from-cli.ts'

export const addValidateCommand = (skills: Command, done: Done): void => {
  withCommonOptions(
    skills
      .command('validate')
      .description('check skills by the standard; exit 1 on errors')
      .argument('<path...>', 'skill folders, their SKILL.md, or folders of skill folders')
      .option('--lenient', 'judge as loading does: cosmetic faults are warnings')
      .addOption(
        new Option('--profile <name>', 'judge by the rules of this system')
          .choices(['spec', 'hermes', 'saa', 'harness9', 'claude-code'])
          .default('spec'),
      )
      .option('--fix', 'mend what can be mended in one way only, then check')
      .option('--dry-run', 'with --fix: only say what would be mended')
      .option('--diff', 'with --fix: show the changed lines')
      .addOption(new Option('--format <name>', 'how findings are printed').choices(['text', 'github']).default('text')),
    `skills-eval skills validate skills/
  skills-eval skills validate skills/pdf-forms/SKILL.md --fix --diff --dry-run
  skills-eval skills validate .claude/skills --profile claude-code --format github`,
  ).action(async (paths: string[], flags: ValidateFlags) =>
    done(await (await import('./validate-from-cli.ts')).validateFromCli(paths, flags)),
  )
}
