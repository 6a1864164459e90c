import { expect, test } from 'vitest'
import type { ActionResult } from '../schema/run.ts'
import { actionLine } from './action-line.ts'

const action = (type: string, params: unknown, rest: Partial<ActionResult> = {}): ActionResult => ({
  turn: 3,
  action: type,
  params: params as ActionResult['params'],
  status: 'ok',
  observation: '',
  duration_ms: 12,
  ...rest,
})

test.each([
  [
    action('select_skills', { skills: [{ name: 'csv' }, { name: 'pdf', source: 'user' }] }),
    '3 select_skills csv, pdf → ok, 12 ms',
  ],
  [
    action(
      'run_script',
      { skill: { name: 'csv' }, path: 'scripts/top.py', args: ['--months', '3'] },
      { exit_code: 2, status: 'error' },
    ),
    '3 run_script scripts/top.py --months 3 → error, exit 2, 12 ms',
  ],
  [action('read_file', { path: 'a\nb' }), '3 read_file a\\nb → ok, 12 ms'],
  [
    action('write_file', { path: 'x', content: 'y' }, { status: 'denied', rule: 'default deny' }),
    '3 write_file x → denied by default deny, 12 ms',
  ],
  [action('call_tool', { tool: 'search', input: { q: 'x' } }), '3 call_tool search {"q":"x"} → ok, 12 ms'],
  [action('update_plan', { steps: [1, 2] }), '3 update_plan 2 steps → ok, 12 ms'],
  [action('final_answer', { text: 'It is "March".' }), '3 final_answer "It is \\"March\\"." → ok, 12 ms'],
  [action('final_answer', { json: { a: 1 } }), '3 final_answer {"a":1} → ok, 12 ms'],
  [action('unheard_of', { x: 1 }), '3 unheard_of {"x":1} → ok, 12 ms'],
  // What a model makes of it is nobody's to trust.
  [
    action('select_skills', { skills: [{ name: { toString: 1 } }, 5, 'csv'] }),
    '3 select_skills {"name":{"toString":1}}, 5, csv → ok, 12 ms',
  ],
  [action('select_skills', {}), '3 select_skills → ok, 12 ms'],
  [action('read_file', { path: { a: 1 } }), '3 read_file {"a":1} → ok, 12 ms'],
  [action('constructor', {}), '3 constructor {} → ok, 12 ms'],
])('%j', (result, line) => {
  expect(actionLine(result)).toBe(line)
})
