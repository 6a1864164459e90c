/** One line at the bottom of a terminal that is redrawn in place; what is printed goes above it. */
export type LiveRegion = { update(line: string): void; print(text: string): void; close(): void }

type Terminal = {
  write(text: string): unknown
  /** Its width now. */
  readonly columns?: number | undefined
}

/**
 * Redraws at most every `intervalMs`, so that a fast run neither flickers nor waits for its terminal; what came between is
 * shown once the interval is over. `widthOf` tells how many columns a line takes.
 */
export const liveRegion = (terminal: Terminal, widthOf: (line: string) => number, intervalMs = 80): LiveRegion => {
  let shown = ''
  let waiting: string | undefined
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  /** To the start of the line: of its first row, where the terminal has become too narrow for it. */
  const home = () => {
    const rows = Math.max(1, Math.ceil(widthOf(shown) / (terminal.columns || Number.POSITIVE_INFINITY)))
    return rows > 1 ? `\r\x1b[${rows - 1}A` : '\r'
  }
  const draw = (line: string) => {
    waiting = undefined
    if (line === shown) return
    last = performance.now()
    // Written over, and only the rest of the line cleared: an empty line is never seen.
    terminal.write(`${home()}${line}\x1b[J`)
    shown = line
  }
  return {
    update: (line) => {
      const left = intervalMs - (performance.now() - last)
      if (left <= 0) return draw(line)
      waiting = line
      timer ??= setTimeout(() => {
        timer = undefined
        if (waiting !== undefined) draw(waiting)
      }, left)
      timer.unref()
    },
    print: (text) => void terminal.write(shown === '' ? text : `${home()}\x1b[J${text}${shown}`),
    close: () => {
      clearTimeout(timer)
      waiting = undefined
      if (shown !== '') terminal.write(`${home()}\x1b[J`)
      shown = ''
    },
  }
}
