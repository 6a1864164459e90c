import type { Isolation, ProcessRequest, ProcessRunner, ScriptPlaces } from '../../core/ports.ts'
import { type Bubblewrap, bubblewrapCommand } from './bubblewrap-command.ts'
import { explainFailure } from './explain-failure.ts'
import { limitCommand, type ResourceLimits } from './resource-limits.ts'
import { type MountOptions, scriptMounts } from './script-mounts.ts'
import { tryIsolation } from './try-isolation.ts'

export type BubblewrapOptions = Omit<MountOptions, 'programs'> & {
  readonly processes: ProcessRunner
  readonly find: (name: string) => string | undefined
  /** bwrap and prlimit, where they were found. */
  readonly bwrap: string | undefined
  readonly prlimit: string | undefined
  readonly limits: ResourceLimits
}

/** Programs that scripts call by name: shown where they are installed outside the system's folders. */
const usualPrograms = ['bash', 'node', 'python3'] as const

/** A request as bubblewrap must be started for it; `cwd` is that of the request. */
export const confine = (
  request: ProcessRequest,
  places: ScriptPlaces,
  found: Pick<Bubblewrap, 'program' | 'isCurrent'>,
  options: BubblewrapOptions,
): ProcessRequest => {
  const programs = [request.command[0], ...usualPrograms.map(options.find)].filter((path) => path !== undefined)
  const mounts = scriptMounts(places, { ...options, programs })
  const command = bubblewrapCommand(request.command, found, mounts, { cwd: request.cwd, network: options.network })
  return {
    ...request,
    command: limitCommand(command, options.limits, options.prlimit),
    // bwrap needs no folder of its own, and a workspace is no place to start a trusted program in.
    cwd: '/',
    watchesNamespace: true,
  }
}

/** The bubblewrap of this machine where a script can't get out of it, else why there is none. */
export const findBubblewrap = async (
  options: BubblewrapOptions,
): Promise<Bubblewrap | Extract<Isolation, { kind: 'none' }>> => {
  if (process.platform !== 'linux') {
    return { kind: 'none', reason: `bubblewrap isolates on Linux only, and this is ${process.platform}` }
  }
  const { bwrap: program } = options
  if (program === undefined) {
    return {
      kind: 'none',
      reason: 'bwrap is not installed',
      hint: 'Install the package bubblewrap, or set sandbox: require to refuse scripts instead.',
    }
  }
  const bash = options.find('bash')
  if (bash === undefined) {
    return { kind: 'none', reason: 'bwrap is installed, but not bash, which it is tried with', hint: 'Install bash.' }
  }
  const attempt = (isCurrent: boolean) =>
    tryIsolation({
      bash,
      // What is found out is whether the fence holds: the gate for the network is opened later, on purpose.
      run: (request, places) =>
        options.processes.run(confine(request, places, { program, isCurrent }, { ...options, network: false })),
    })
  let isCurrent = true
  let result = await attempt(isCurrent)
  if (result.kind === 'failed') {
    const older = await attempt(false)
    if (older.kind !== 'failed') [isCurrent, result] = [false, older]
  }
  switch (result.kind) {
    case 'holds':
      return { program, version: await versionOf(program, options.processes), isCurrent }
    case 'leaks':
      return { kind: 'none', reason: `bwrap is installed, but does not stop ${result.what.join(', ')} here` }
    case 'failed':
      return { kind: 'none', ...explainFailure(result.said) }
  }
}

const versionOf = async (program: string, processes: ProcessRunner): Promise<string> => {
  const { stdout } = await processes.run({
    command: [program, '--version'],
    cwd: '/',
    env: {},
    timeoutMs: 5000,
    keepBytes: 1024,
    signal: new AbortController().signal,
  })
  return /\d+(\.\d+)+/.exec(stdout.text)?.[0] ?? 'unknown'
}
