import { programFinder } from '../adapters/process/find-program.ts'
import { processRunner } from '../adapters/process/process-runner.ts'
import { limitCommand } from '../adapters/sandbox/resource-limits.ts'
import { scriptRunner } from '../adapters/sandbox/script-runner.ts'
import { trustedProgram } from '../adapters/sandbox/trusted-program.ts'
import type { ProcessRunner } from '../core/ports.ts'
import { notIsolatedText } from '../report/isolation-text.ts'
import type { Config } from '../schema/config.ts'
import type { Host } from './host.ts'
import { findProject } from './project.ts'

/** What scripts need of this machine: interpreters, a clean environment, limits, and the isolation that is in force. */
export const scriptWorld = (host: Host, config: Config) => {
  const searchPath = host.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'
  const passed = (config.permissions?.env ?? []).flatMap((name) => {
    const value = host.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const processes = processRunner()
  const find = programFinder(searchPath)
  const real = (folder: string) => host.files.realPath(folder) ?? folder
  const privateFolders = [real(host.home), findProject(host.cwd, host.home, host.files).dir, real(host.cwd)]
  // A home of / is that of a user without one.
  const avoided = privateFolders.slice(1)
  const prlimit = trustedProgram('prlimit', searchPath, avoided)
  const bwrap = trustedProgram('bwrap', searchPath, avoided)
  const limits = {
    memoryMb: config.limits?.script_memory_mb ?? 1024,
    fileMb: config.limits?.script_file_mb ?? 256,
    processes: config.limits?.script_processes,
  }
  const mode = config.sandbox ?? 'auto'
  const scripts = scriptRunner({
    mode,
    network: config.sandbox_network ?? false,
    processes,
    find,
    bwrap,
    prlimit,
    limits,
    private: privateFolders.filter((folder) => folder !== '/'),
    notIsolated: (isolation) => host.stderr(notIsolatedText(isolation, mode)),
  })
  // A grader must see the suite's files, so it has limits and no fence.
  const graders: ProcessRunner = {
    run: (request) => processes.run({ ...request, command: limitCommand(request.command, limits, prlimit) }),
  }
  return {
    files: host.files,
    scripts,
    graders,
    /** What is in force for scripts, for the record of a run: tried where it was not yet. */
    isolation: scripts.isolation,
    tools: { bwrap, prlimit },
    limits,
    findProgram: find,
    nodeRunsTypeScript: 'typescript' in process.features && process.features.typescript !== false,
    environment: { PATH: searchPath, LANG: 'C.UTF-8', ...Object.fromEntries(passed) },
    timeoutMs: (config.limits?.script_seconds ?? 30) * 1000,
  }
}
