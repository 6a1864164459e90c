import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RawCall } from '../../core/actions.ts'
import type { ModelResponse } from '../../core/model.ts'
import { readVerdicts } from './read-verdicts.ts'

const response = (text: string, calls: readonly RawCall[] = []): ModelResponse => ({
  text,
  calls,
  stop: 'end',
  usage: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, reasoning_tokens: 0 },
  costUsd: 0,
  latencyMs: 0,
  model: 'm',
})
const call = (input: unknown, change: Partial<RawCall> = {}): RawCall => ({
  id: '1',
  name: 'give_verdicts',
  input,
  ...change,
})
const pass = (criterion: number) => ({ criterion, quote: 'q', reason: 'r', verdict: 'pass' })
const fail = (criterion: number) => ({ criterion, quote: '', reason: 'r', verdict: 'fail' })
const json = (...verdicts: readonly object[]): string => JSON.stringify({ verdicts })

describe('verdicts are read', () => {
  const both = [
    { passed: true, quote: 'q', reason: 'r' },
    { passed: false, quote: '', reason: 'r' },
  ]

  test.each([
    ['from the call of the tool', response('I think…', [call({ verdicts: [pass(1), fail(2)] })])],
    ['from several calls of it', response('', [call({ verdicts: [fail(2)] }), call({ verdicts: [pass(1)] })])],
    ['from a text of JSON', response(json(pass(1), fail(2)))],
    ['from the one JSON block in a text', response(`Here:\n\`\`\`json\n${json(pass(1), fail(2))}\n\`\`\``)],
    ['in another order', response(json(fail(2), pass(1)))],
    ['with keys that nobody asked for', response(json({ ...pass(1), score: 9 }, fail(2)))],
  ])('%s', (_, said) => {
    expect(readVerdicts(said, 2)).toEqual({ verdicts: both })
  })

  test('without quote or reason there is none', () => {
    expect(readVerdicts(response(json({ criterion: 1, verdict: 'pass', quote: null })), 1)).toEqual({
      verdicts: [{ passed: true, quote: '', reason: '' }],
    })
  })
})

describe('what is none is a problem, never a verdict', () => {
  test.each([
    ['no JSON', response('All good!'), 'it is not JSON: expected a value'],
    ['a call of something else', response('', [call({}, { name: 'final_answer' })]), 'there is no tool "final_answer"'],
    ['a broken call', response('', [call({}, { problem: 'bad arguments' })]), 'bad arguments'],
    ['no verdicts', response('{}'), 'verdicts: '],
    ['a verdict that is missing', response(json(pass(1))), 'criterion 2 has no verdict'],
    ['one that is too much', response(json(pass(1), pass(2), pass(3))), 'there is no criterion 3'],
    ['two on the same', response(json(pass(1), fail(1), pass(2))), 'criterion 1 has two verdicts'],
    ['criterion 0', response(json(pass(0), pass(1))), 'there is no criterion 0'],
    ['another word', response(json({ ...pass(1), verdict: 'PASS' }, pass(2))), 'verdicts.0.verdict'],
    ['a yes', response(json({ ...pass(1), verdict: true }, pass(2))), 'verdicts.0.verdict'],
    ['a number as a text', response(json({ ...pass(1), criterion: '1' }, pass(2))), 'verdicts.0.criterion'],
  ])('%s', (_, said, problem) => {
    const read = readVerdicts(said, 2)
    expect(read).not.toHaveProperty('verdicts')
    expect('problem' in read && read.problem).toContain(problem)
  })

  test('whatever a judge says, it is read or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.jsonValue(), (text, input) => {
        for (const said of [response(text), response('', [call(input)])]) {
          const read = readVerdicts(said, 2)
          expect('verdicts' in read ? read.verdicts.length : read.problem.length).toBeGreaterThan(0)
        }
      }),
    )
  })
})
