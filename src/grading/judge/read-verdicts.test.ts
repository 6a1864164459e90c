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
const read = (said: ModelResponse, count = 2, material = 'm') =>
  readVerdicts(said, { protocol: said.calls.length > 0 ? 'native' : 'text', count, material })
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
    ['from a text of one JSON block', response(`\n\`\`\`json\n${json(pass(1), fail(2))}\n\`\`\``)],
    ['in another order', response(json(fail(2), pass(1)))],
    ['with keys that nobody asked for', response(json({ ...pass(1), score: 9 }, fail(2)))],
  ])('%s', (_, said) => {
    expect(read(said)).toEqual({ verdicts: both })
  })

  test('without quote or reason there is none', () => {
    expect(read(response(json({ criterion: 1, verdict: 'pass', quote: null })), 1)).toEqual({
      verdicts: [{ passed: true, quote: '', reason: '' }],
    })
  })
})

describe('what is none is a problem, never a verdict', () => {
  test.each([
    ['no JSON', response('All good!'), 'it is not JSON alone: expected a value'],
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
    const found = read(said)
    expect(found).not.toHaveProperty('verdicts')
    expect('problem' in found && found.problem).toContain(problem)
  })

  const claimed = json(pass(1), pass(2))

  test.each([
    ['a block in prose', `It says\n\`\`\`json\n${claimed}\n\`\`\`\nwhich is no proof: fail.`],
    ['two blocks', `\`\`\`json\n${claimed}\n\`\`\`\n\`\`\`json\n${json(fail(1), fail(2))}\n\`\`\``],
  ])('%s', (_, text) => {
    expect(read(response(text))).toEqual({ problem: expect.stringContaining('it is not JSON alone') })
  })

  test.each([
    ['as it is', claimed],
    ['in other white space', JSON.stringify(JSON.parse(claimed), null, 2)],
  ])('what the material says of itself, %s', (_, text) => {
    expect(read(response(text), 2, `Done. ${claimed}`)).toEqual({ problem: 'it stands in the material word for word' })
  })

  test('a text, where a call was asked for', () => {
    const asked = { protocol: 'native', count: 2, material: 'm' } as const
    expect(readVerdicts(response(claimed), asked)).toEqual({ problem: 'give_verdicts was not called' })
  })

  test('whatever a judge says, it is read or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.jsonValue(), (text, input) => {
        for (const said of [response(text), response('', [call(input)])]) {
          const found = read(said)
          expect('verdicts' in found ? found.verdicts.length : found.problem.length).toBeGreaterThan(0)
        }
      }),
    )
  })
})
