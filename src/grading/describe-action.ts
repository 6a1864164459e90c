import { actionTypeOf, mainParam } from '../core/actions.ts'
import type { ActionRecord } from '../core/trajectory.ts'
import { jsonText } from '../lib/match-value.ts'
import { excerpt, quote } from './excerpt.ts'
import { skillText } from './skill-name.ts'

/** An action on one line: `run_script scripts/top.py ["sales.csv"] (csv-analyzer) → error, exit 3`. */
export const describeAction = (record: ActionRecord): string => {
  const main = describeMain(record)
  const skill = nameOf(record.params.skill)
  const what = `${record.action}${main === '' ? '' : ` ${main}`}${skill === '' ? '' : ` (${skill})`}`
  const exit = record.exit_code === undefined ? '' : `, exit ${record.exit_code}`
  const rule = record.status === 'denied' && record.rule !== undefined ? ` by ${oneLine(record.rule)}` : ''
  const who = record.agent === undefined ? '' : `${oneLine(record.agent)}: `
  return `${who}${what} → ${record.status}${rule}${exit}`
}

const describeMain = ({ action, params }: ActionRecord): string => {
  switch (action) {
    case 'select_skills':
      return Array.isArray(params.skills) ? params.skills.map(nameOf).join(', ') : ''
    case 'run_script':
      return joined(params.path, params.args)
    case 'call_tool':
      return joined(params.tool, params.input)
    case 'update_plan':
      return Array.isArray(params.steps) ? `${params.steps.length} ${params.steps.length === 1 ? 'step' : 'steps'}` : ''
    case 'final_answer':
      return typeof params.text === 'string' ? quote(params.text, 0, 60) : joined(params.json, undefined)
    default: {
      const type = actionTypeOf(action)
      return joined(type === undefined ? undefined : params[mainParam(type)], undefined)
    }
  }
}

const joined = (main: unknown, more: unknown): string =>
  [main, more].flatMap((part) => (part === undefined ? [] : [oneLine(part)])).join(' ')

const nameOf = (skill: unknown): string => oneLine(skillText(skill))

const oneLine = (value: unknown): string => {
  const text = typeof value === 'string' ? value : jsonText(value)
  const short = excerpt(text, 0, 80)
  return /[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(short) ? JSON.stringify(short) : short
}
