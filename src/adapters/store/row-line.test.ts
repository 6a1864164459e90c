import { expect, test } from 'vitest'
import { aRow } from '../../core/ports.contract.test-support.ts'
import { rowLine } from './row-line.ts'

test('is the row as JSON on one line', () => {
  const row = aRow({ output: 'two\nlines, 😀, \\ud83d as it is written' })
  expect(rowLine(row)).toBe(JSON.stringify(row))
  expect(rowLine(row)).not.toContain('\n')
})

test('has no half of a surrogate pair, in no text and in no name', () => {
  const params = JSON.parse('{"\\ud83d": ["\\ude00 x"], "__proto__": {"a": "\\ud83d"}}')
  const action = { turn: 1, action: 'call_tool', params, status: 'ok', observation: '\ud83d', duration_ms: 0 } as const
  const line = rowLine(aRow({ actions: [action] }))
  expect(JSON.stringify(JSON.parse(line).actions[0])).toBe(
    '{"turn":1,"action":"call_tool","params":{"\ufffd":["\ufffd x"],"__proto__":{"a":"\ufffd"}},"status":"ok","observation":"\ufffd","duration_ms":0}',
  )
  expect(line).not.toMatch(/\\ud/)
})
