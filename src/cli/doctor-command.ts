import type { Command } from 'commander'
import type { Done } from './command-line.ts'
import { type CommonOptions, withCommonOptions } from './common-options.ts'

export const addDoctorCommand = (program: Command, done: Done): void => {
  withCommonOptions(
    program
      .command('doctor')
      .description('what works here: node, interpreters, isolation of scripts, configuration; exit 1 if it needs more'),
    'skills-eval doctor --json',
  ).action(async (flags: CommonOptions) => {
    const { doctorFromCli } = await import('./doctor-from-cli.ts')
    done(await doctorFromCli(flags))
  })
}
