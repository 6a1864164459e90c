import { Argument, type Command } from 'commander'
import { type SchemaName, schemaNames } from '../core/schema-names.ts'
import type { Done } from './command-line.ts'
import { type CommonOptions, withCommonOptions } from './common-options.ts'

type Flags = CommonOptions & { readonly root?: string }

export const addProjectCommands = (program: Command, done: Done): void => {
  const load = () => import('./project-from-cli.ts')

  withCommonOptions(
    program
      .command('init')
      .description('make a first skill, a suite for it and a CI workflow, all passing')
      .argument('[dir]', 'the folder', '.'),
    'skills-eval init my-skills',
    false,
  ).action(async (dir: string, flags: Flags) => done(await (await load()).initProject(dir, flags)))

  const made = program.command('new').description('make a skill or a suite')
  withCommonOptions(
    made
      .command('skill')
      .description('a skill folder with a SKILL.md')
      .argument('<name>', "the skill's name")
      .option('--root <dir>', 'the skill root', 'skills'),
    'skills-eval new skill invoice-checker',
    false,
  ).action(async (name: string, flags: Flags) => done(await (await load()).newSkill(name, flags)))
  withCommonOptions(
    made
      .command('eval')
      .description('a suite for a skill')
      .argument('<name>', "the skill's name")
      .option('--root <dir>', 'the skill root', 'skills'),
    'skills-eval new eval invoice-checker',
    false,
  ).action(async (name: string, flags: Flags) => done(await (await load()).newEval(name, flags)))

  withCommonOptions(
    program
      .command('schema')
      .description('print the JSON Schema of a format')
      .addArgument(new Argument('<format>', 'which format').choices(schemaNames)),
    'skills-eval schema suite > suite.schema.json',
    false,
  ).action(async (format: SchemaName) => done(await (await load()).printSchema(format)))
}
