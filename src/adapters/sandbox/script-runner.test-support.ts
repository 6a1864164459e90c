import { mkdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { FileEntries } from '../../core/ports.contract.test-support.ts'
import type { ProcessRequest, ScriptPlaces, ScriptRunner } from '../../core/ports.ts'
import { tempFolder } from '../files/temp-folder.test-support.ts'
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

/** A workspace, a home, a skill and a secret beside them, in a folder of their own; `run` takes the text of a bash script. */
export const scriptBench = (scripts: ScriptRunner, files: FileEntries = {}) => {
  const folder = tempFolder({ 'secret.txt': 'bait\n', 'skill/SKILL.md': '# Skill\n', ...files })
  const places = { workspace: join(folder, 'workspace'), home: join(folder, 'home'), skill: join(folder, 'skill') }
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true })
  const run = async (code: string, change: Partial<ProcessRequest> = {}, where: Partial<ScriptPlaces> = {}) => {
    const all = { ...places, ...where }
    const result = await scripts.run(
      {
        command: ['/bin/bash', '-c', code, 'script'],
        cwd: all.workspace,
        env: { PATH: '/usr/bin:/bin', HOME: all.home, OUTSIDE: folder, SKILL_DIR: all.skill, WORKSPACE: all.workspace },
        marker: 'HOME',
        timeoutMs: 20_000,
        keepBytes: 64 * 1024,
        signal: new AbortController().signal,
        ...change,
      },
      all,
    )
    if ('refused' in result) return { refused: result.refused, out: '', err: '', result: undefined }
    return { refused: undefined, out: result.stdout.text, err: result.stderr.text, result }
  }
  return { run, folder, places }
}
