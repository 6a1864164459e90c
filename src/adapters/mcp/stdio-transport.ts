import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import type { Transport } from '@modelcontextprotocol/client'
import { visibleLine } from '../../lib/visible.ts'
import { endStrays } from '../process/end-strays.ts'
import { onExit } from '../process/on-exit.ts'

export type StdioServer = {
  readonly command: readonly string[]
  readonly cwd: string
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>
}

/** What is the matter with a connection that is of no more use; undefined while it is. */
export type Faulty = { fault(): string | undefined }

/** How much a server may send before the next request of ours: of one message, and in all. */
export const mostBytes = 16 * 1024 * 1024
const graceMs = 500
const stderrChars = 2000

type Message = Parameters<Transport['send']>[0]

/**
 * A server as a program, one JSON message on each line. It leads a process group of its own, and the group and what left
 * it are ended with the connection: the SDK's own transport ends the program alone.
 */
export const stdioTransport = ({ command, cwd, env }: StdioServer): Transport & Faulty => {
  const marker = ['SKILLS_EVAL_MCP_SERVER', randomUUID()] as const
  let child: ChildProcess | undefined
  let exited: Promise<void> | undefined
  let fault: string | undefined
  let received = 0
  let stderr = ''
  let rest = ''
  let isClosed = false
  let takeBack: () => void = () => undefined

  const end = (signal: NodeJS.Signals) => {
    const pid = child?.pid
    if (pid !== undefined) kill(-pid, signal)
  }
  const endTree = () => {
    const pid = child?.pid
    if (pid === undefined) return
    kill(-pid, 'SIGKILL')
    endStrays(marker.join('='), pid)
  }
  const closed = () => {
    if (isClosed) return
    isClosed = true
    transport.onclose?.()
  }
  const fail = (why: string) => {
    fault ??= why
    endTree()
    closed()
  }

  const decoder = new StringDecoder('utf8')
  const read = (chunk: Buffer) => {
    if (fault !== undefined) return
    received += chunk.length
    if (received > mostBytes) return fail(`it sent more than ${mostBytes / 1024 / 1024} MiB for one request`)
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') take(line)
  }
  const take = (line: string) => {
    const message = parsed(line)
    if (message === undefined) transport.onerror?.(new Error('it sent a line that is no JSON message'))
    else transport.onmessage?.(message)
  }

  const transport: Transport & Faulty = {
    start: () =>
      new Promise((resolve, reject) => {
        const [file = '', ...args] = command
        const started = spawn(file, args, {
          cwd,
          env: { ...env, [marker[0]]: marker[1] },
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: true,
        })
        child = started
        takeBack = onExit(endTree)
        exited = new Promise((done) => {
          started.once('error', (error) => {
            fault ??= `${file} could not be started: ${codeOf(error)}`
            done()
            reject(error)
          })
          started.once('exit', (code, signal) => {
            const how = signal === null ? `exit code ${code}` : signal
            const last = lastLines(stderr)
            fault ??= `it ended with ${how}${last === '' ? '' : `: ${last}`}`
            done()
            // What it wrote last may still be on its way; a child of its own may hold the pipe open for ever.
            setTimeout(() => fail(fault ?? ''), 50)
          })
        })
        started.once('spawn', () => resolve())
        started.stdout.on('data', read)
        started.stdout.on('error', () => undefined)
        started.stderr.setEncoding('utf8').on('data', (text: string) => {
          stderr = (stderr + text).slice(-stderrChars)
        })
        // A program that reads no more: its end is what is told.
        started.stdin.on('error', () => undefined)
      }),
    send: async (message) => {
      if (fault !== undefined || child === undefined) throw new Error(fault ?? 'it is not connected')
      if ('method' in message && 'id' in message) received = 0
      child.stdin?.write(`${JSON.stringify(message)}\n`)
    },
    close: async () => {
      child?.stdin?.end()
      if (child?.pid !== undefined && fault === undefined && !(await isOver(exited, graceMs))) {
        end('SIGTERM')
        await isOver(exited, graceMs)
      }
      endTree()
      await exited
      takeBack()
      child?.stdout?.destroy()
      child?.stderr?.destroy()
      closed()
    },
    fault: () => fault,
  }
  return transport
}

const mostLastLines = 5

/** What a program said last, on one line: its last words alone are often `}` or a version. */
const lastLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-mostLastLines)
    .map((line) => visibleLine(line.trim(), 300))
    .join(' / ')

const parsed = (line: string): Message | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    const isMessage =
      typeof value === 'object' && value !== null && (value as { readonly jsonrpc?: unknown }).jsonrpc === '2.0'
    return isMessage ? (value as Message) : undefined
  } catch (error) {
    // RangeError: nested beyond what can be read.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

const isOver = async (end: Promise<void> | undefined, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const over = await Promise.race([(end ?? Promise.resolve()).then(() => true), late])
  clearTimeout(timer)
  return over
}

const kill = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(group, signal)
  } catch {
    // The group is empty, or none of it is ours.
  }
}

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : error.message)
