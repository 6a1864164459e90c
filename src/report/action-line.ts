import { actionTypeOf, mainParam } from '../core/actions.ts'
import type { ActionResult } from '../schema/run.ts'
import { foreignLine } from './foreign-text.ts'
import { formatDuration } from './format-number.ts'
import { valueLine } from './value-text.ts'

const MAX_PARAM = 120

type OneAction = Omit<ActionResult, 'subagents' | 'actions'>

/** An action in short: `3 run_script scripts/top.py --months 3 → ok, exit 0, 12 ms`; a sub-agent's with its name in front. */
export const actionLine = (action: OneAction): string => {
  const who = action.agent === undefined ? '' : `${foreignLine(action.agent, 60)}:`
  const said = [who, String(action.turn), foreignLine(action.action, 60), paramText(action)].filter(
    (part) => part !== '',
  )
  return `${said.join(' ')} → ${outcome(action)}`
}

const outcome = ({ status, rule, exit_code, duration_ms }: OneAction): string => {
  const by = status === 'denied' && rule !== undefined ? ` by ${foreignLine(rule, MAX_PARAM)}` : ''
  const exit = exit_code === undefined ? '' : `, exit ${exit_code}`
  return `${status}${by}${exit}, ${formatDuration(duration_ms)}`
}

/** The main parameter of an action, on one line. */
export const paramText = ({ action, params }: Pick<ActionResult, 'action' | 'params'>): string => {
  const type = actionTypeOf(action)
  if (type === undefined) return valueLine(params, MAX_PARAM)
  const main = Object.hasOwn(params, mainParam(type)) ? params[mainParam(type)] : undefined
  if (type === 'final_answer') return valueLine(main ?? params.json ?? '', MAX_PARAM)
  if (type === 'update_plan') return Array.isArray(main) ? `${main.length} steps` : ''
  if (type === 'select_skills') return foreignLine(Array.isArray(main) ? main.map(nameOf).join(', ') : '', MAX_PARAM)
  if (type === 'disable_skill' || type === 'enable_skill') return foreignLine(nameOf(main), MAX_PARAM)
  const rest = type === 'call_tool' ? params.input : type === 'run_script' ? params.args : undefined
  return [main, rest].flatMap((value) => (value === undefined ? [] : [bare(value)])).join(' ')
}

const nameOf = (ref: unknown): string => {
  if (typeof ref === 'string') return ref
  const name = typeof ref === 'object' && ref !== null && 'name' in ref ? ref.name : undefined
  return typeof name === 'string' ? name : valueLine(ref, MAX_PARAM)
}

const bare = (value: unknown): string => {
  if (typeof value === 'string') return foreignLine(value, MAX_PARAM)
  const isWords = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isWords ? foreignLine(value.join(' '), MAX_PARAM) : valueLine(value, MAX_PARAM)
}
