import type { Command } from 'commander'
import type { Done } from './command-line.ts'
import { type CommonOptions, partOf, wholeNumber, withCommonOptions } from './common-options.ts'
import { addPackCommands } from './packs-commands.ts'

type Flags = CommonOptions & {
  readonly source?: string
  readonly limit?: number
  readonly lenient?: boolean
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

  withCommonOptions(
    skills
      .command('validate')
      .description('check skills by the standard; exit 1 on errors')
      .argument('<path...>', 'skill folders, their SKILL.md, or folders of skill folders')
      .option('--lenient', 'judge as loading does: cosmetic faults are warnings'),
    'skills-eval skills validate skills/',
  ).action(async (paths: string[], flags: Flags) => done(await (await load()).validateSkills(paths, flags)))

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
}
