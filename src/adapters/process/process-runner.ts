import type { Readable } from 'node:stream'
import type { ProcessRequest, ProcessResult, ProcessRunner } from '../../core/ports.ts'
import { outputCapture } from './output-capture.ts'

const graceMs = 2000
/** How long the pipes of a killed tree may stay open (somebody left the group and holds them) before we let go. */
const drainMs = 500

/**
 * Programs as children in a process group of their own. On the time limit the group gets SIGTERM, after 2 s SIGKILL;
 * when the program itself ends, what it left in its group is killed too.
 */
export const processRunner = (): ProcessRunner => ({ run })

const run = async (request: ProcessRequest): Promise<ProcessResult> => {
  request.signal.throwIfAborted()
  const { execa } = await import('execa')
  const [file = '', ...args] = request.command
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
  const stdout = capture(child.stdout, request.keepBytes)
  const stderr = capture(child.stderr, request.keepBytes)

  let timedOut = false
  const killGroup = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  const end = () => {
    killGroup('SIGTERM')
    killTimer ??= setTimeout(() => killGroup('SIGKILL'), graceMs)
  }
  let killTimer: NodeJS.Timeout | undefined
  const timer = setTimeout(() => {
    timedOut = true
    end()
  }, request.timeoutMs)
  request.signal.addEventListener('abort', end, { once: true })

  const exited = await exitOf(child)
  clearTimeout(timer)
  clearTimeout(killTimer)
  request.signal.removeEventListener('abort', end)
  killGroup('SIGKILL')
  await Promise.race([Promise.all([stdout.closed, stderr.closed]), delay(drainMs)])
  child.stdout?.destroy()
  child.stderr?.destroy()
  child.catch(() => undefined)
  request.signal.throwIfAborted()
  return {
    ...exited,
    stdout: stdout.result(),
    stderr: stderr.result(),
    timedOut,
    durationMs: performance.now() - started,
  }
}

const exitOf = (child: {
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown
  once(event: 'error', listener: (error: Error) => void): unknown
}) =>
  new Promise<{ exitCode: number | null; signal: string | null; startError?: string }>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    child.once('error', (error) => resolve({ exitCode: null, signal: null, startError: error.message }))
  })

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

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
