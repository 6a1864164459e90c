import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import type { ProcessRequest, ProcessResult, ProcessRunner } from '../../core/ports.ts'
import { endStrays } from './end-strays.ts'
import { onExit } from './on-exit.ts'
import { outputCapture } from './output-capture.ts'

const graceMs = 2000
/** How long the pipes of a killed tree may stay open (somebody that we did not find holds them) before we let go. */
const drainMs = 500

/**
 * Programs as children in a process group of their own. On the time limit the group gets SIGTERM, after 2 s SIGKILL;
 * when the program itself ends, what it left in its group is killed, and what left the group as far as it is found.
 */
export const processRunner = (): ProcessRunner => ({ run })

const run = async (request: ProcessRequest): Promise<ProcessResult> => {
  const { execa } = await import('execa')
  request.signal.throwIfAborted()
  const [file = '', ...args] = request.command
  const impossible = nulIn(request)
  if (impossible !== undefined) return notStarted(impossible, 0, request)
  const started = performance.now()
  // execa's own timeout and cancellation reach the direct child only: the group is ours to end.
  const child = execa(file, args, {
    cwd: request.cwd,
    env: request.env,
    extendEnv: false,
    detached: true,
    cleanup: false,
    reject: false,
    buffer: false,
    stripFinalNewline: false,
    ...(request.stdin === undefined ? { stdin: 'ignore' as const } : { input: request.stdin }),
  })
  if (child.pid === undefined) {
    const { code, originalMessage = 'unknown reason' } = await child
    const why = code === 'E2BIG' ? 'the arguments are too long' : (originalMessage.split('\n', 1)[0] ?? '')
    return notStarted(why, performance.now() - started, request)
  }
  const { pid } = child
  const group = -pid
  const endTree = () => {
    kill(group, 'SIGKILL')
    if (request.marker !== undefined) endStrays(`${request.marker}=${request.env[request.marker]}`, pid)
  }
  // A group of its own outlives us otherwise.
  const takeBack = onExit(endTree)
  const stdout = capture(child.stdout, request.keepBytes)
  const stderr = capture(child.stderr, request.keepBytes)

  let timedOut = false
  let killTimer: NodeJS.Timeout | undefined
  const end = () => {
    kill(request.watchesNamespace ? -firstChild(pid) || group : group, 'SIGTERM')
    killTimer ??= setTimeout(() => kill(group, 'SIGKILL'), graceMs)
  }
  const timer = setTimeout(() => {
    timedOut = true
    end()
  }, request.timeoutMs)
  request.signal.addEventListener('abort', end, { once: true })

  const exit = await exitOf(child)
  const exited = request.watchesNamespace ? exitInside(exit) : exit
  clearTimeout(timer)
  clearTimeout(killTimer)
  request.signal.removeEventListener('abort', end)
  endTree()
  takeBack()
  await closedOrLate([stdout.closed, stderr.closed])
  child.stdout?.destroy()
  child.stderr?.destroy()
  request.signal.throwIfAborted()
  return {
    ...exited,
    stdout: stdout.result(),
    stderr: stderr.result(),
    timedOut,
    durationMs: performance.now() - started,
  }
}

/** No program can be given a NUL: the system ends its strings with it. */
const nulIn = ({ command, env }: ProcessRequest): string | undefined => {
  if (command.some((word) => word.includes('\0'))) return 'an argument has a NUL character'
  return Object.values(env).some((value) => value.includes('\0')) ? 'the environment has a NUL character' : undefined
}

const notStarted = (startError: string, durationMs: number, { keepBytes }: ProcessRequest): ProcessResult => {
  const nothing = outputCapture(keepBytes).result()
  return { exitCode: null, signal: null, stdout: nothing, stderr: nothing, timedOut: false, durationMs, startError }
}

const kill = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(group, signal)
  } catch (error) {
    // The group is empty, or none of it is ours (any more): there is nothing left that we could end.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

const exitOf = (child: {
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown
}) =>
  new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })

/** The first process of the namespace that `pid` watches over, which leads what runs in it; 0 where none is found. */
const firstChild = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')[0])
  } catch {
    // Gone, or a system that does not tell.
    return 0
  }
}

const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
)

/** A watcher tells a program's end by a signal as a shell does, with 128 and its number. */
const exitInside = (exit: { exitCode: number | null; signal: string | null }) => {
  const signal = signalNames.get((exit.exitCode ?? 0) - 128)
  return signal === undefined ? exit : { exitCode: null, signal }
}

const capture = (stream: Readable | null | undefined, keepBytes: number) => {
  const kept = outputCapture(keepBytes)
  const closed = new Promise<void>((resolve) => {
    if (!stream) return resolve()
    stream.on('data', (chunk: Uint8Array) => kept.push(chunk))
    stream.once('close', resolve)
    stream.once('error', () => resolve())
  })
  return { closed, result: kept.result }
}

const closedOrLate = async (streams: readonly Promise<void>[]): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs)
  })
  await Promise.race([Promise.all(streams), late])
  clearTimeout(timer)
}
