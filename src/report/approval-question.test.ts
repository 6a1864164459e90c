import { expect, test } from 'vitest'
import type { ApprovalQuestion } from '../core/ports.ts'
import { approvalQuestionText } from './approval-question.ts'

const question: ApprovalQuestion = {
  action: 'write_file',
  target: 'out.txt',
  params: { path: 'out.txt', content: 'a\nb' },
  skill: 'one',
  rule: 'configuration: ask write_file',
  risk: 'high',
}

test('shows tool, parameters, skill, rule and risk', () => {
  expect(approvalQuestionText(question, false)).toBe(`The agent wants to write_file:
  path     out.txt
  content  "a\\nb"
  skill    one
  rule     configuration: ask write_file
  risk     high
`)
})

test('what a terminal would obey or hide is written out, in names as in values', () => {
  const text = approvalQuestionText(
    {
      ...question,
      params: { 'p\u001b[2J': '\u001b]0;x\u0007\r\u202e\u200b' },
      skill: 's\u001b[1m',
      rule: 'r\nrule  none',
    },
    false,
  )
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/)
  expect(text.split('\n')).toHaveLength(6)
})

test('a value that only looks like another is quoted', () => {
  const shown = (value: unknown) => approvalQuestionText({ ...question, params: { value } }, false).split('\n')[1]
  expect(shown('a ')).toBe('  value  "a "')
  expect(shown('"a"')).toBe('  value  "\\"a\\""')
  expect(shown(['-rf', '/'])).toBe('  value  ["-rf","/"]')
})

test('what is cut says how much', () => {
  const params = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`p${i}`, i === 0 ? 'x'.repeat(5_000) : i]))
  const text = approvalQuestionText({ ...question, params }, false)
  expect(text).toContain('5 more parameters')
  expect(text).toContain('4,002 more characters, not shown')
})
