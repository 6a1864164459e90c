import { createInterface } from 'node:readline'
import { askLine } from '../adapters/terminal/ask-line.ts'
import { pasteKeys } from '../adapters/terminal/paste-keys.ts'
import { promptHistory } from '../adapters/terminal/prompt-history.ts'
import { plural } from '../report/format-number.ts'

/** What a person says, one entry after another; undefined at the end. */
export type ChatLines = {
  next(): Promise<string | undefined>
  close(): void
}

/** A line is an entry; a `\` at its end goes on with the next one. */
export const pipedLines = (input: NodeJS.ReadableStream, signal: AbortSignal): ChatLines => {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  const iterator = lines[Symbol.asyncIterator]()
  signal.addEventListener('abort', () => lines.close(), { once: true })
  const next = async (before = ''): Promise<string | undefined> => {
    const { value, done } = await iterator.next()
    if (done === true || signal.aborted) return before === '' ? undefined : before
    const text = `${before}${String(value)}`
    return text.endsWith('\\') ? next(`${text.slice(0, -1)}\n`) : text
  }
  return { next: () => next(), close: () => lines.close() }
}

// Longer, or of several lines: a mark stands for it, which is easier to edit around.
const SHORT_PASTE = 400

/** Entries that are typed at a terminal. Ctrl-C takes back what was begun; where nothing was, the second one ends the chat. */
export const typedLines = (options: {
  readonly historyFile: string
  complete(line: string): readonly [readonly string[], string]
  readonly signal: AbortSignal
  say(text: string): void
}): ChatLines => {
  const { complete, signal, say } = options
  const terminal = { input: process.stdin, output: process.stderr }
  const history = promptHistory(options.historyFile)
  const pasted: string[] = []
  const keys = pasteKeys((text) => {
    // The keys of the terminal are no part of what was copied.
    const plain = text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, '').replace(/\n$/, '')
    if (!plain.includes('\n') && plain.length <= SHORT_PASTE) return plain.replaceAll('\t', ' ')
    pasted.push(plain)
    return `[pasted ${pasted.length}: ${plural(plain.split('\n').length, 'line')}]`
  })
  const whole = (line: string): string =>
    line.replaceAll(/\[pasted (\d+): [\d,]+ lines?\]/g, (mark, n: string) => pasted[Number(n) - 1] ?? mark)

  const next = async (before: string, wasInterrupted: boolean): Promise<string | undefined> => {
    const prompt = before === '' ? '> ' : '… '
    const asked = await askLine(terminal, keys, { prompt, history: history.lines(), complete, signal })
    if (asked.kind === 'end') return undefined
    if (asked.kind === 'interrupt') {
      const isNothing = asked.isEmpty && before === ''
      if (isNothing && wasInterrupted) return undefined
      if (isNothing) say('Ctrl-C again, or /quit, ends the chat\n')
      return next('', isNothing)
    }
    if (!asked.text.includes('[pasted ')) history.add(asked.text)
    const text = `${before}${whole(asked.text)}`
    return asked.text.endsWith('\\') ? next(`${text.slice(0, -1)}\n`, false) : text
  }
  return { next: () => next('', false), close: () => undefined }
}
