import { describe, expect, test } from 'vitest'
import { memoryClock } from '../../adapters/memory/memory-clock.ts'
import type { MockJudge } from '../../schema/mock.ts'
import { judgeRequest } from './judge-request.ts'
import { mockJudge } from './mock-judge.ts'
import { readVerdicts } from './read-verdicts.ts'

const { signal } = new AbortController()

const judge = (rules: MockJudge | undefined, protocol: 'native' | 'text' = 'native') =>
  mockJudge(rules, { profile: 'judge', protocol, latencyMs: 0, price: { input: 1, output: 2 }, clock: memoryClock() })

const ask = async (model: ReturnType<typeof judge>, criteria: readonly string[], material = 'Feb\nand Mar') => {
  const question = { criteria, request: 'Which?', what: 'the answer', material }
  const response = await model.generate(judgeRequest(question, model.protocol), { signal })
  return response.error ?? readVerdicts(response, { protocol: model.protocol, count: criteria.length, material })
}

const short = (read: Awaited<ReturnType<typeof ask>>) =>
  'verdicts' in read ? read.verdicts.map(({ passed, quote }) => (passed ? `pass: ${quote}` : 'fail')) : read

describe('a scripted judge', () => {
  test.each(['native', 'text'] as const)('takes the first rule that fits each criterion (%s)', async (protocol) => {
    const model = judge(
      [
        { criterion: 'POLITE', verdict: 'fail' },
        { criterion: '/^names/', material: 'mar', verdict: 'pass', quote: 'and Mar' },
        { verdict: 'pass' },
      ],
      protocol,
    )
    expect(short(await ask(model, ['names months', 'is polite', 'is short']))).toEqual([
      'pass: and Mar',
      'fail',
      'pass: Feb',
    ])
  })

  test('takes a rule so many times, so that judges can differ', async () => {
    const model = judge([{ verdict: 'pass', times: 2 }, { verdict: 'fail' }])
    expect(short(await ask(model, ['a']))).toEqual(['pass: Feb'])
    expect(short(await ask(model, ['a', 'b']))).toEqual(['pass: Feb', 'fail'])
  })

  test('gives an answer as it is first, and in words', async () => {
    const model = judge([{ verdict: 'pass' }, { answer: '{"verdicts": []}', times: 1 }], 'text')
    expect(await ask(model, ['a'])).toEqual({ problem: 'criterion 1 has no verdict' })
    expect(short(await ask(model, ['a']))).toEqual(['pass: Feb'])
  })

  test.each<[MockJudge | undefined, string]>([
    [undefined, 'there is no mock_judge: write its verdicts, or choose another judge'],
    [[{ criterion: 'b', verdict: 'pass' }], 'no rule of mock_judge fits the criterion "a"'],
    [[{ material: 'May', verdict: 'pass' }], 'no rule of mock_judge fits the criterion "a"'],
  ])('says what is not written: %j', async (rules, message) => {
    expect(await ask(judge(rules), ['a'])).toEqual({ code: 'mock_exhausted', message })
  })

  test('counts what it reads and says, at its price', async () => {
    const response = await judge([{ verdict: 'pass' }]).generate(
      judgeRequest({ criteria: ['a'], request: '', what: 'x', material: 'y' }, 'native'),
      { signal },
    )
    const { input_tokens: input, output_tokens: output } = response.usage
    expect(input).toBeGreaterThan(200)
    expect(response.costUsd).toBeCloseTo((Number(input) + 2 * Number(output)) / 1e6, 12)
  })
})
