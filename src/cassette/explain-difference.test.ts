import { describe, expect, test } from 'vitest'
import { explainDifference } from './explain-difference.ts'
import type { Part } from './read-request.ts'

const part = (name: string, kind: Part['kind'], content: Part['content'], label?: string): Part => ({
  name,
  kind,
  content,
  fingerprint: '0',
  ...(label === undefined ? {} : { label }),
})

describe('a difference in words', () => {
  test.each<[string, string, Part['content'] | undefined, Part | undefined, string]>([
    [
      'an observation',
      'observation:2',
      'Mar 1200',
      part('observation:2', 'observation', 'March 1200', 'scripts/top.py'),
      'observation 2 (scripts/top.py): "Mar 1200" → "March 1200"',
    ],
    ['texts where there were parts', 'index', 'text', part('index', 'index', { a: 'A' }), 'index of skills changed'],
    ['parts where there was a text', 'input', { a: 'A' }, part('input', 'input', 'text'), 'input changed'],
    ['only the line that differs', 'input', 'a\nb\nc', part('input', 'input', 'a\nB\nc'), 'input: "b" → "B"'],
    [
      'a description',
      'index',
      { csv: 'Old.', pdf: 'P' },
      part('index', 'index', { csv: 'New.', pdf: 'P' }),
      'description of csv: "Old." → "New."',
    ],
    [
      'skills that came and went',
      'index',
      { a: 'A', b: 'B' },
      part('index', 'index', { b: 'B', c: 'C' }),
      'skill a is gone\nskill c is new',
    ],
    [
      'an index that only looks different',
      'index',
      { a: 'A' },
      part('index', 'index', { a: 'A' }),
      'index of skills is written otherwise',
    ],
    [
      'a tool',
      'tools',
      { t: '1' },
      part('tools', 'tools', { t: '2', constructor: '3' }),
      'tool constructor is new\ntool t takes other parameters or is described otherwise',
    ],
    ['a parameter', 'params', { model: 'a' }, part('params', 'params', { model: 'b' }), 'parameter model: "a" → "b"'],
    ['a body that is gone', 'body:csv', 'x', undefined, 'body of csv is no longer there'],
    ['one that is new', 'body:csv', undefined, part('body:csv', 'body', 'x'), 'body of csv was not there'],
    ['an end', 'input', 'a', part('input', 'input', ''), 'input: "a" → nothing'],
    ['control characters', 'input', 'a', part('input', 'input', '\u001b[31m'), 'input: "a" → "\\x1b[31m"'],
  ])('%s', async (_, name, was, is, told) => {
    expect(await explainDifference(name, was, is)).toBe(told)
  })

  test('many lines are a diff, and not without end', async () => {
    const lines = (word: string) => Array.from({ length: 500 }, (_, i) => `${word} ${i}`).join('\n')
    const told = await explainDifference('system', lines('a'), part('system', 'system', lines('b')))
    expect(told).toMatch(/^system prompt: \n {2}@@/)
    expect(told.split('\n').length).toBeLessThan(50)
  })
})
