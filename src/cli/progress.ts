import { stripVTControlCharacters } from 'node:util'
import { liveRegion } from '../adapters/terminal/live-region.ts'
import type { RunListener } from '../core/ports.ts'
import { failureLine, finishedLine, progressLine } from '../report/progress.ts'
import { textWidth } from '../report/text-width.ts'
import { isCi, wantsColor } from './process-host.ts'

/** How long a run without a terminal may be silent before it says that it is alive. */
const heartbeatMs = 30_000
/** Lines for cases that passed or were not run stop here: a log of 100,000 of them helps nobody. */
const quietLines = 200
const tickMs = 500

export type Progress = RunListener & { close(): void }

/** A live line on a terminal, else a line for each finished case; failures are shown as they happen. */
export const progressOnStderr = (showModel: boolean): Progress => {
  const { stderr, env } = process
  const color = wantsColor(stderr.isTTY === true)
  const isLive = stderr.isTTY === true && env.TERM !== 'dumb' && !isCi(env)
  return isLive ? liveProgress(color, showModel) : plainProgress(color, showModel)
}

const liveProgress = (color: boolean, showModel: boolean): Progress => {
  const region = liveRegion(process.stderr, (line) => textWidth(stripVTControlCharacters(line)))
  const width = () => process.stderr.columns ?? 80
  const started = performance.now()
  /** How many trials of a case are under way. */
  const running = new Map<string, number>()
  let total = 0
  let done = 0
  let failed = 0
  let errors = 0
  let costUsd: number | null = 0
  const draw = () => {
    if (total === 0) return
    region.update(
      progressLine({
        done,
        total,
        running: [...running.keys()],
        failed,
        errors,
        costUsd,
        elapsedMs: performance.now() - started,
        // A line that fills the last column would be wrapped by some terminals.
        width: width() - 1,
        color,
      }),
    )
  }
  // The time goes on while nothing else does.
  const tick = setInterval(draw, tickMs)
  tick.unref()
  return {
    started: ({ cases }) => {
      total = cases
    },
    trialStarted: (at) => {
      const name = `${at.suite}/${at.case}`
      running.set(name, (running.get(name) ?? 0) + 1)
      draw()
    },
    trialFinished: (row) => {
      const name = `${row.suite}/${row.case}`
      const left = (running.get(name) ?? 0) - 1
      if (left > 0) running.set(name, left)
      else running.delete(name)
      costUsd = costUsd === null || row.cost_usd === null ? null : costUsd + row.cost_usd
    },
    caseFinished: (suite, result) => {
      done += 1
      if (result.status === 'failed') failed += 1
      if (result.status === 'error') errors += 1
      if (result.status === 'failed' || result.status === 'error' || result.status === 'stale') {
        region.print(`${failureLine(suite, result, { color, showModel, width: width() })}\n`)
      }
      draw()
    },
    close: () => {
      clearInterval(tick)
      region.close()
    },
  }
}

const plainProgress = (color: boolean, showModel: boolean): Progress => {
  let total = 0
  let done = 0
  let quiet = 0
  let heard = performance.now()
  const say = (text: string) => {
    heard = performance.now()
    process.stderr.write(`${text}\n`)
  }
  const heartbeat = setInterval(() => {
    if (performance.now() - heard >= heartbeatMs) say(`${done}/${total} cases done`)
  }, heartbeatMs)
  heartbeat.unref()
  return {
    started: ({ cases }) => {
      total = cases
    },
    caseFinished: (suite, result) => {
      done += 1
      if (result.status === 'passed' || result.status === 'skipped') {
        quiet += 1
        if (quiet > quietLines) return
        if (quiet === quietLines) return say(`… further cases without a problem are not listed (${total} in all)`)
      }
      say(finishedLine(suite, result, { color, showModel }))
    },
    close: () => clearInterval(heartbeat),
  }
}
