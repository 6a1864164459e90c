import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import type { pasteKeys } from './paste-keys.ts'

export type AskedLine =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-C; whether something had been written. */
  | { readonly kind: 'interrupt'; readonly isEmpty: boolean }
  /** Ctrl-D, or the terminal is gone. */
  | { readonly kind: 'end' }

export type LineOptions = {
  readonly prompt: string
  /** Newest first. */
  readonly history: readonly string[]
  /** What may stand for the end of the line, and that end. */
  complete(line: string): readonly [readonly string[], string]
  readonly signal: AbortSignal
}

/**
 * Reads one line at the terminal, with its keys for editing, history and completion. The terminal is in raw mode only
 * while it is read: between two lines Ctrl-C is a signal. Resolves with `end` once `signal` is aborted.
 */
export const askLine = (
  terminal: { readonly input: ReadStream; readonly output: WriteStream },
  keys: ReturnType<typeof pasteKeys>,
  options: LineOptions,
): Promise<AskedLine> =>
  new Promise((resolve) => {
    if (options.signal.aborted) resolve({ kind: 'end' })
    else readLine(terminal, keys, options, resolve)
  })

const readLine = (
  { input, output }: Parameters<typeof askLine>[0],
  keys: ReturnType<typeof pasteKeys>,
  { prompt, history, complete, signal }: LineOptions,
  resolve: (asked: AskedLine) => void,
): void => {
  const typed = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (mode: boolean) => input.setRawMode(mode),
  })
  const lines = createInterface({
    input: typed,
    output,
    terminal: true,
    prompt,
    history: [...history],
    historySize: 1000,
    removeHistoryDuplicates: true,
    completer: (line: string) => complete(line),
  })
  let isOver = false
  const feed = (): void => {
    const { text, isLine } = keys.take()
    if (text !== '') typed.write(text)
    if (isLine) input.pause()
  }
  const onData = (chunk: Buffer): void => {
    keys.add(chunk)
    feed()
  }
  const onEnd = (): void => over({ kind: 'end' })
  const over = (asked: AskedLine): void => {
    if (isOver) return
    isOver = true
    input.off('data', onData)
    input.off('end', onEnd)
    signal.removeEventListener('abort', onEnd)
    lines.close()
    input.setRawMode(false)
    input.pause()
    output.write(BRACKETED_OFF)
    resolve(asked)
  }
  lines.on('line', (text) => over({ kind: 'line', text }))
  lines.on('SIGINT', () => {
    const isEmpty = lines.line === ''
    output.write('^C\n')
    over({ kind: 'interrupt', isEmpty })
  })
  lines.on('close', () => {
    if (!isOver) output.write('\n')
    over({ kind: 'end' })
  })
  signal.addEventListener('abort', onEnd, { once: true })
  output.write(BRACKETED_ON)
  lines.prompt()
  input.on('data', onData)
  input.on('end', onEnd)
  input.resume()
  feed()
}

const BRACKETED_ON = '\u001b[?2004h'
const BRACKETED_OFF = '\u001b[?2004l'
