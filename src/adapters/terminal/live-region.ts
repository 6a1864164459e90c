/** One line at the bottom of a terminal that is redrawn in place; what is printed goes above it. */
export type LiveRegion = { update(line: string): void; print(text: string): void; close(): void }

type Terminal = { write(text: string): unknown }

/** Redraws at most every `intervalMs`, so that a fast run neither flickers nor waits for its terminal. */
export const liveRegion = (terminal: Terminal, intervalMs = 80): LiveRegion => {
  let shown = ''
  let last = Number.NEGATIVE_INFINITY
  const clear = '\r\x1b[2K'
  return {
    update: (line) => {
      const now = performance.now()
      if (now - last < intervalMs) return
      last = now
      shown = line
      terminal.write(`${clear}${line}`)
    },
    print: (text) => void terminal.write(`${shown === '' ? '' : clear}${text}${shown}`),
    close: () => {
      if (shown !== '') terminal.write(clear)
      shown = ''
    },
  }
}
