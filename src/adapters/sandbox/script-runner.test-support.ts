import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { programFinder } from '../process/find-program.ts'
import { processRunner } from '../process/process-runner.ts'
import { type ScriptRunnerOptions, scriptRunner } from './script-runner.ts'
import { trustedProgram } from './trusted-program.ts'

const searchPath = process.env.PATH ?? '/usr/bin:/bin'

/** How scripts are run here by default, with `change`. */
export const runnerOptions = (change: Partial<ScriptRunnerOptions> = {}): ScriptRunnerOptions => ({
  mode: 'auto',
  network: false,
  processes: processRunner(),
  find: programFinder(searchPath),
  bwrap: trustedProgram('bwrap', searchPath, []),
  prlimit: trustedProgram('prlimit', searchPath, []),
  limits: { memoryMb: 1024, fileMb: 256 },
  private: [realpathSync(homedir()), realpathSync('.')],
  notIsolated: () => undefined,
  ...change,
})

/** Why tests of the isolation can't run here; undefined where they can. */
export const noIsolationHere = async (): Promise<string | undefined> => {
  const isolation = await scriptRunner(runnerOptions()).isolation()
  return isolation.kind === 'none' ? isolation.reason : undefined
}
