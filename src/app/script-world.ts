import { programFinder } from '../adapters/process/find-program.ts'
import { processRunner } from '../adapters/process/process-runner.ts'
import type { Config } from '../schema/config.ts'
import type { Host } from './host.ts'

/** What scripts need of this machine: interpreters, a clean environment, a time limit. */
export const scriptWorld = (host: Host, config: Config) => {
  const searchPath = host.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'
  const passed = (config.permissions?.env ?? []).flatMap((name) => {
    const value = host.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    files: host.files,
    processes: processRunner(),
    findProgram: programFinder(searchPath),
    nodeRunsTypeScript: 'typescript' in process.features && process.features.typescript !== false,
    environment: { PATH: searchPath, LANG: 'C.UTF-8', ...Object.fromEntries(passed) },
    timeoutMs: (config.limits?.script_seconds ?? 30) * 1000,
  }
}
