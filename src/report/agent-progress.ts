import { isFree } from '../core/tool-rule.ts'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { allInput, allOutput } from '../core/usage.ts'
import { paramText } from './action-line.ts'
import { foreignLine } from './foreign-text.ts'
import { formatCost, formatNumber, UNKNOWN } from './format-number.ts'
import { painter } from './tone.ts'

export type AgentProgress = {
  /** The line that an event adds, without its end; undefined where it adds none. */
  line(event: TrajectoryEvent): string | undefined
  /** What is under way, for a line that is redrawn. */
  now(): string
  /** USD so far; null where a price is not known. */
  costUsd(): number | null
}

const MAX_LINE = 300

/** An agent run told line by line: the answers of the model with the cost so far, and each action with its decision. */
export const agentProgress = (color: boolean): AgentProgress => {
  const paint = painter(color)
  let costUsd: number | null = 0
  let doing = 'starting'
  let decision: Extract<TrajectoryEvent, { type: 'decision' }> | undefined
  let approval: Extract<TrajectoryEvent, { type: 'approval' }> | undefined

  const decided = (): string => {
    if (decision === undefined) return ''
    const asked = approval === undefined ? '' : `, ${approval.answer === 'nobody' ? 'nobody there' : approval.answer}`
    return `${decision.verdict}${asked} (${foreignLine(decision.rule, MAX_LINE)})`
  }
  return {
    costUsd: () => costUsd,
    now: () => doing,
    line: (event) => {
      const line = isOwnStart(event) ? undefined : own(event)
      const whose = subagentOf(event)
      return line === undefined || whose === undefined ? line : `  ${foreignLine(whose, 60)}: ${line}`
    },
  }

  function own(event: TrajectoryEvent): string | undefined {
    switch (event.type) {
      case 'state':
        if (event.state === 'decide') doing = `turn ${event.turn}: waiting for the model`
        return undefined
      case 'model': {
        costUsd = costUsd === null || event.cost_usd === null ? null : costUsd + event.cost_usd
        const tokens = [allInput(event.usage), allOutput(event.usage)].map((n) =>
          n === null ? UNKNOWN : formatNumber(n),
        )
        return paint(
          `${event.turn}. ${foreignLine(event.model, 60)}: ${tokens[0]} tokens in, ${tokens[1]} out, ${formatCost(costUsd)} so far`,
          'faint',
        )
      }
      case 'repair':
        return paint(`${event.turn}. not valid, sent back: ${foreignLine(event.message, MAX_LINE)}`, 'warn')
      case 'decision':
        decision = event
        approval = undefined
        doing = `turn ${event.turn}: ${foreignLine(event.action, 60)} ${foreignLine(event.target, 60)}`
        return undefined
      case 'approval':
        approval = event
        return undefined
      case 'selected':
        return `${event.turn}. skill ${foreignLine(event.skill)} (${foreignLine(event.source, 20)}), chosen by the ${event.by}`
      case 'action': {
        const { record } = event
        const what = [foreignLine(record.action, 60), shownParams(record)].filter((part) => part !== '').join(' ')
        const whose = decision?.skill === undefined ? '' : ` [${foreignLine(decision.skill)}]`
        // Every run allows what is free: to say so each time would hide what was decided.
        const by = isFree(record.action) ? '' : decided()
        decision = undefined
        approval = undefined
        const exit = record.exit_code === undefined ? '' : `, exit ${record.exit_code}`
        const end = paint(`${record.status}${exit}`, record.status === 'ok' ? 'good' : 'bad')
        return `${record.turn}. ${what}${whose}${by === '' ? '' : `  ${by}`}  ${end}${whyNot(record)}`
      }
      case 'index':
        return paint(`${event.turn}. the skills have changed`, 'faint')
      case 'subagent':
        doing = `turn ${event.turn}: ${foreignLine(event.skill, 60)} runs on its own`
        return `${event.turn}. runs on its own: ${foreignLine(firstLine(event.task), MAX_LINE)}`
      case 'compacted':
        return paint(
          `${event.turn}. shortened: ${formatNumber(event.tokens.before)} → ${formatNumber(event.tokens.after)} tokens`,
          'faint',
        )
      case 'input':
      case 'disclosed':
      case 'plan':
      case 'answer':
        return undefined
    }
  }
}

/** The skill that runs on its own whose line it is: the first one, that it starts, stands behind its name too. */
const subagentOf = (event: TrajectoryEvent): string | undefined => {
  if (event.type !== 'subagent') return event.parent
  return event.parent === undefined ? event.skill : `${event.parent}/${event.skill}`
}

/** That a sub-agent loads its own skill: that it was started says it already. */
const isOwnStart = (event: TrajectoryEvent): boolean =>
  event.type === 'selected' && event.turn === 0 && event.parent?.split('/').at(-1) === event.skill

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

/** The answer itself is printed elsewhere. */
const shownParams = (record: Parameters<typeof paramText>[0]): string =>
  record.action === 'final_answer' ? '' : paramText(record)

/** The first line of what the model was told. */
const whyNot = ({
  status,
  observation,
  rule,
}: {
  readonly status: string
  readonly observation: string
  readonly rule?: string | undefined
}): string => {
  const [first = ''] = observation.split('\n', 1)
  if (status === 'ok' || (status === 'denied' && rule !== undefined && first.includes(rule))) return ''
  return `: ${foreignLine(first, MAX_LINE)}`
}
