import type { Command } from 'commander'
import type { Done } from './command-line.ts'
import { type CommonOptions, partOf, wholeNumber, withCommonOptions } from './common-options.ts'
import { addHubCommands } from './hub-commands.ts'
import { addPackCommands } from './packs-commands.ts'
import { addScanCommand } from './scan-command.ts'
import { addValidateCommand } from './validate-command.ts'

type Flags = CommonOptions & {
  readonly source?: string
  readonly limit?: number
  readonly all?: boolean
}
type CoverageFlags = CommonOptions & { readonly min?: number; readonly runs: number }

export const addSkillsCommands = (program: Command, done: Done): void => {
  const skills = program.command('skills').description('look at skills, check, pack and install them')
  const load = () => import('./skills-from-cli.ts')
  const sourceOption = ['--source <name>', 'only from this layer: project, user or builtin'] as const

  withCommonOptions(
    skills
      .command('list')
      .description('the index: every skill with its source, and what is shadowed')
      .option(...sourceOption),
    'skills-eval skills list --json',
  ).action(async (flags: Flags) => done(await (await load()).listSkills(flags)))

  withCommonOptions(
    skills
      .command('inspect')
      .description("a skill's metadata, files, token costs and controls")
      .argument('<name>', 'NAME or NAME@SOURCE, or a folder'),
    'skills-eval skills inspect csv-analyzer',
  ).action(async (name: string, flags: Flags) => done(await (await load()).inspectOneSkill(name, flags)))

  withCommonOptions(
    skills
      .command('search')
      .description('rank skills by keywords')
      .argument('<query...>', 'keywords')
      .option('--limit <n>', 'how many', wholeNumber(1), 10),
    'skills-eval skills search spreadsheet totals',
  ).action(async (words: string[], flags: Flags) => done(await (await load()).searchSkills(words.join(' '), flags)))

  addValidateCommand(skills, done)
  addScanCommand(skills, done)

  withCommonOptions(
    skills
      .command('coverage')
      .description('which instructions, scripts and files of skills no eval uses')
      .argument('[path...]', 'suite files, or folders with *.eval.yaml (default: evals)')
      .option('--min <share>', 'exit 1 where fewer of the parts are used, as 80%', partOf)
      .option('--runs <n>', 'look into so many of the newest stored runs', wholeNumber(0), 10),
    'skills-eval skills coverage evals/ --min 80%',
  ).action(async (paths: string[], flags: CoverageFlags) =>
    done(await (await import('./coverage-from-cli.ts')).coverageFromCli(paths.length === 0 ? ['evals'] : paths, flags)),
  )
  addPackCommands(skills, done)
  addHubCommands(skills, done)
}
