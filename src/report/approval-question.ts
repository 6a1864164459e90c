import type { ApprovalQuestion } from '../core/ports.ts'
import { visible } from '../lib/visible.ts'
import { foreignLine } from './foreign-text.ts'
import { formatNumber } from './format-number.ts'
import { painter } from './tone.ts'

const MAX_VALUE = 1_000
const MAX_PARAMS = 20

/**
 * What a person is asked, in lines. All of it came from a model or a skill: nothing in it is obeyed, what can't be seen
 * is written out, and where something is cut it says how much.
 */
export const approvalQuestionText = (question: ApprovalQuestion, color: boolean): string => {
  const paint = painter(color)
  const params = Object.entries(question.params)
  const left = params.length - MAX_PARAMS
  const rows: (readonly [string, string])[] = [
    ...params.slice(0, MAX_PARAMS).map(([name, value]) => [foreignLine(name, 40), valueText(value)] as const),
    ...(left > 0 ? [['…', `${formatNumber(left)} more parameters`] as const] : []),
    ...(question.skill === undefined ? [] : [['skill', foreignLine(question.skill)] as const]),
    ['rule', foreignLine(question.rule, 500)],
    ['risk', paint(question.risk, question.risk === 'high' ? 'bad' : 'warn')],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `  ${paint(name.padEnd(width), 'faint')}  ${value}`)
  return [paint(`The agent wants to ${question.action}:`, 'strong'), ...lines, ''].join('\n')
}

/** As JSON, so that a blank at an end, a quote and a line break can be told from what only looks like one. */
const valueText = (value: unknown): string => {
  if (typeof value === 'string' && /^[\w./@:+-][\w ./@:+-]{0,200}(?<! )$/.test(value)) return value
  const json = JSON.stringify(value) ?? ''
  if (json.length <= MAX_VALUE) return visible(json)
  const left = formatNumber(json.length - MAX_VALUE)
  return `${visible(json.slice(0, MAX_VALUE))} … (${left} more characters, not shown)`
}
