import type { Isolation, ScriptRunner } from '../../core/ports.ts'
import { type BubblewrapOptions, confine, findBubblewrap } from './bubblewrap.ts'
import type { Bubblewrap } from './bubblewrap-command.ts'
import { mountPoints } from './mount-points.ts'
import { limitCommand } from './resource-limits.ts'
import { workspaceFault } from './workspace-fault.ts'

export type SandboxMode = 'auto' | 'require' | 'off'

export type ScriptRunnerOptions = BubblewrapOptions & {
  readonly mode: SandboxMode
  /** Told once, when a first script is about to run without the isolation that was asked for. */
  notIsolated(isolation: Extract<Isolation, { kind: 'none' }>): void
}

/**
 * Scripts in bubblewrap where it holds; else as plain processes with limits (`auto`, `off`) or not at all (`require`).
 * Whether it holds is tried once, at the first script.
 */
export const scriptRunner = (options: ScriptRunnerOptions): ScriptRunner => {
  let finding: Promise<Bubblewrap | Extract<Isolation, { kind: 'none' }>> | undefined
  const found = () => {
    finding ??=
      options.mode === 'off'
        ? Promise.resolve({ kind: 'none', reason: 'the configuration says sandbox: off' })
        : findBubblewrap(options)
    return finding
  }
  const points = mountPoints()
  let isTold = options.mode === 'off'

  return {
    isolation: async () => {
      const isolation = await found()
      if ('kind' in isolation) return isolation
      return { kind: 'bubblewrap', version: isolation.version, network: options.network }
    },
    run: async (request, places) => {
      const isolation = await found()
      if ('kind' in isolation) {
        if (!isTold) options.notIsolated(isolation)
        isTold = true
        if (options.mode === 'require') {
          return {
            refused: `sandbox: require allows no script without isolation, and there is none: ${isolation.reason}`,
          }
        }
        const command = limitCommand(request.command, options.limits, options.prlimit)
        return options.processes.run({ ...request, command })
      }
      const fault = workspaceFault(places.workspace)
      if (fault !== undefined) return { refused: `it can't be isolated: ${fault}` }
      const release = points.claim(places.workspace)
      try {
        return await options.processes.run(confine(request, places, isolation, options))
      } finally {
        release()
      }
    },
  }
}
