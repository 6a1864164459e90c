import { StringDecoder } from 'node:string_decoder'

const START = '\u001b[200~'
const END = '\u001b[201~'

/**
 * What is typed at a terminal, line by line: `take` hands on all that belongs to the line that is being written, and
 * keeps what was typed ahead for the next. What was pasted (bracketed) goes through `paste` first, whole, whatever the
 * pieces that it came in.
 */
export const pasteKeys = (paste: (text: string) => string) => {
  const decoder = new StringDecoder('utf8')
  let waiting = ''
  return {
    add: (chunk: Buffer): void => {
      waiting += decoder.write(chunk)
    },
    /** Up to the end of a line, which is given too; '' while nothing, or a part of a paste, is there. */
    take: (): { readonly text: string; readonly isLine: boolean } => {
      let text = ''
      for (;;) {
        const start = waiting.indexOf(START)
        const plain = start < 0 ? waiting.slice(0, waiting.length - cutMarker(waiting)) : waiting.slice(0, start)
        const line = /[\r\n]/.exec(plain)
        if (line) {
          const end = line.index + (plain.startsWith('\r\n', line.index) ? 2 : 1)
          text += plain.slice(0, end)
          waiting = waiting.slice(end)
          return { text, isLine: true }
        }
        text += plain
        waiting = waiting.slice(plain.length)
        const end = waiting.indexOf(END)
        if (start < 0 || end < 0) return { text, isLine: false }
        text += paste(waiting.slice(START.length, end).replaceAll(/\r\n?/g, '\n'))
        waiting = waiting.slice(end + END.length)
      }
    },
  }
}

/** How much of the end may be the beginning of a marker: an escape waits for what follows it, as its key does. */
const cutMarker = (text: string): number => {
  for (let length = START.length - 1; length > 0; length -= 1) {
    if (text.endsWith(START.slice(0, length))) return length
  }
  return 0
}
