import { liveRegion } from '../adapters/terminal/live-region.ts'
import type { Approver } from '../core/ports.ts'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { agentProgress } from '../report/agent-progress.ts'
import { formatCost } from '../report/format-number.ts'
import { fitEnd, textWidth } from '../report/text-width.ts'
import { wantsColor } from './process-host.ts'

export type AgentView = {
  event(event: TrajectoryEvent): void
  /** Takes the live line away while something else is on the terminal; the next event brings it back. */
  pause(): void
  close(): void
  costUsd(): number | null
}

/** What a sub-agent does is told when it is over: its questions come before the event that announces them. */
export const pausing = (approver: Approver, view: AgentView): Approver => ({
  ask: (question, options) => {
    view.pause()
    return approver.ask(question, options)
  },
})

const redrawMs = 500
const nothing = (): void => undefined

/** An agent run on stderr as it happens: a line for each event, and on a terminal what is under way below them. */
export const agentView = (isQuiet: boolean, redact: (event: TrajectoryEvent) => TrajectoryEvent): AgentView => {
  const { stderr, env } = process
  const isTerminal = stderr.isTTY === true
  const progress = agentProgress(wantsColor(isTerminal))
  if (isQuiet) {
    return { event: (event) => void progress.line(event), pause: nothing, close: nothing, costUsd: progress.costUsd }
  }
  const isLive = isTerminal && env.TERM !== 'dumb' && !env.CI
  if (!isLive) {
    const event = (event: TrajectoryEvent): void => {
      const line = progress.line(redact(event))
      if (line !== undefined) stderr.write(`${line}\n`)
    }
    return { event, pause: nothing, close: nothing, costUsd: progress.costUsd }
  }
  const region = liveRegion(stderr, textWidth, 0)
  const started = performance.now()
  let isPaused = true
  const draw = (): void => {
    if (isPaused) return
    const seconds = Math.floor((performance.now() - started) / 1000)
    const text = `${progress.now()}, ${formatCost(progress.costUsd())}, ${seconds} s`
    region.update(fitEnd(text, (stderr.columns ?? 80) - 1))
  }
  const pause = (): void => {
    isPaused = true
    region.close()
  }
  const timer = setInterval(draw, redrawMs)
  timer.unref()
  return {
    event: (event) => {
      const line = progress.line(redact(event))
      if (line !== undefined) region.print(`${line}\n`)
      // The question of an approval stands on lines of its own.
      if (event.type === 'decision' && event.verdict === 'ask' && event.parent === undefined) return pause()
      isPaused = event.type === 'answer' && event.parent === undefined
      if (isPaused) pause()
      else draw()
    },
    pause,
    close: () => {
      clearInterval(timer)
      pause()
    },
    costUsd: progress.costUsd,
  }
}
