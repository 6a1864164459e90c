import { Command } from 'commander'
import { addAgentCommands } from './agent-commands.ts'
import { addCassettesCommands } from './cassettes-commands.ts'
import type { Done, ProgramName } from './command-line.ts'
import { addCompareCommand } from './compare-command.ts'
import { addDoctorCommand } from './doctor-command.ts'
import { addJudgeCommand } from './judge-command.ts'
import { addMergeCommand } from './merge-command.ts'
import { addProjectCommands } from './project-commands.ts'
import { addReportCommands } from './report-command.ts'
import { addRunCommand } from './run-command.ts'
import { addRunsCommand } from './runs-command.ts'
import { addSkillsCommands } from './skills-commands.ts'
import { version } from './version.ts'

/** The whole command line. Actions load what they need when they are called: building this must stay cheap. */
export const buildProgram = (name: ProgramName, done: Done): Command => {
  const program = new Command(name)
    .version(version, '-V, --version')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: false })
    // So that --version of a command is its own.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
  if (name === 'skills-agent') {
    program.description('Runs an agent with the skills of the current folder.')
    addAgentCommands(program, done)
  } else {
    program.description('Tests Agent Skills: suites in YAML, one agent, verdicts that can be acted on.')
    addRunCommand(program, done)
    addMergeCommand(program, done)
    addReportCommands(program, done)
    addCompareCommand(program, done)
    addRunsCommand(program, done)
    addCassettesCommands(program, done)
    addJudgeCommand(program, done)
    addSkillsCommands(program, done)
    addProjectCommands(program, done)
    addDoctorCommand(program, done)
    const agent = program.command('agent').description('run an agent with the skills of the current folder')
    addAgentCommands(agent, done)
    program.addHelpText('after', '\nExample:\n  skills-eval run evals/')
  }
  return program
}
