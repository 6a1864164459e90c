import { describe, expect, test } from 'vitest'
import type { ModelRequest, ModelResponse } from '../../core/model.ts'
import type { Check } from '../../schema/check.ts'
import { GraderError } from '../grader-error.ts'
import type { GradingPorts } from '../ports.ts'
import { runCheck } from '../run-check.ts'
import { textSubject } from '../subject.ts'

const material = 'The best months were Feb and Mar.'

const response = (text: string, change: Partial<ModelResponse> = {}): ModelResponse => ({
  text,
  calls: [],
  stop: 'end',
  usage: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, reasoning_tokens: 0 },
  costUsd: 0,
  latencyMs: 0,
  model: 'm',
  ...change,
})

type Said = readonly ('pass' | 'fail' | 'bare pass' | 'made up')[]

/** An answer with these verdicts, in order: a pass with a quote that stands there, none, or another. */
const verdicts = (...said: Said): ModelResponse =>
  response(
    JSON.stringify({
      verdicts: said.map((one, i) => ({
        criterion: i + 1,
        quote: one === 'pass' ? 'Feb and Mar' : one === 'made up' ? 'With kind regards' : '',
        reason: `because ${i + 1}`,
        verdict: one === 'fail' ? 'fail' : 'pass',
      })),
    }),
  )

const judged = async (check: object, answers: readonly ModelResponse[], text = material) => {
  const asked: ModelRequest[] = []
  const ports: GradingPorts = {
    runScript: () => Promise.reject(new Error('no script')),
    readSchema: () => ({}),
    judge: {
      request: 'Which months?',
      signal: new AbortController().signal,
      model: {
        profile: 'judge',
        protocol: 'text',
        generate: async (request) => {
          asked.push(request)
          const answer = answers[asked.length - 1]
          if (answer === undefined) throw new Error('asked once too often')
          return answer
        },
        close: async () => undefined,
      },
    },
  }
  return { asked, run: () => runCheck(check as Check, textSubject(text, 'the answer'), ports) }
}

const resultOf = async (check: object, answers: readonly ModelResponse[], text?: string) => {
  const { run, asked } = await judged(check, answers, text)
  const [result, ...parts] = await run()
  expect(parts).toEqual([])
  expect(asked).toHaveLength(answers.length)
  return result
}

const faultOf = async (answers: readonly ModelResponse[], check: object = { rubric: ['a'] }) => {
  const { run } = await judged(check, answers)
  const error = await run().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GraderError)) throw new Error(`not a GraderError: ${error}`)
  return [error.fault, error.message]
}

describe('one judge', () => {
  test('all criteria met is a pass, and the result says why', async () => {
    expect(await resultOf({ rubric: ['names months', 'is short'] }, [verdicts('pass', 'pass')])).toEqual({
      name: 'meets "names months", "is short"',
      kind: 'rubric',
      passed: true,
      score: 1,
      weight: 1,
      message: `2 of 2 criteria met
1. met: names months — because 1; evidence: "Feb and Mar"
2. met: is short — because 2; evidence: "Feb and Mar"`,
      actual: ['names months', 'is short'].map((criterion, i) => ({
        criterion,
        met: true,
        passes: 1,
        judges: 1,
        verdicts: [{ verdict: 'pass', reason: `because ${i + 1}`, quote: 'Feb and Mar', supported: true }],
      })),
    })
  })

  test('one that is not met is a failure that scores the share of the others', async () => {
    const result = await resultOf({ rubric: ['a', 'b', 'c', 'd'] }, [verdicts('pass', 'fail', 'pass', 'pass')])
    expect(result).toMatchObject({ passed: false, score: 0.75, expected: ['a', 'b', 'c', 'd'] })
    expect(result.message).toMatch(/^3 of 4 criteria met; not met: 2\. b\n/)
    expect(result.message).toContain('2. not met: b — because 2')
  })

  test.each(['bare pass', 'made up'] as const)('a %s is a fail for unsupported evidence', async (said) => {
    const result = await resultOf({ rubric: 'names months' }, [verdicts(said)])
    expect(result).toMatchObject({ passed: false, score: 0 })
    expect(result.message).toMatch(
      /1\. not met: names months — because 1; unsupported evidence: (no quote|"With kind regards")/,
    )
  })

  test('a quote from the request is no evidence', async () => {
    const answer = response('{"verdicts":[{"criterion":1,"quote":"Which months?","reason":"","verdict":"pass"}]}')
    expect(await resultOf({ rubric: 'asks' }, [answer])).toMatchObject({ passed: false })
  })

  test('nothing is asked where there is nothing to judge', async () => {
    const result = await resultOf({ rubric: 'says nothing wrong' }, [], ' \n')
    expect(result).toMatchObject({ passed: false, score: 0, message: 'the answer is empty: there is nothing to judge' })
  })

  test('below a JSONPath the selected value is judged', async () => {
    const { run, asked } = await judged(
      { json_path: { path: '$.summary', rubric: 'x' } },
      [verdicts('pass')],
      '{"summary": "Feb and Mar", "rest": "secret"}',
    )
    expect((await run())[0]).toMatchObject({ passed: true })
    expect(asked[0]?.judge).toMatchObject({ what: '$.summary of the answer', material: 'Feb and Mar' })
    expect(JSON.stringify(asked)).not.toContain('secret')
  })
})

describe('several judges', () => {
  test.each<[string, number, Said[number][], boolean, string]>([
    ['two of three', 3, ['pass', 'fail', 'pass'], true, '(2 of 3 judges)'],
    ['one of three', 3, ['fail', 'fail', 'pass'], false, '(1 of 3 judges)'],
    ['two of three, one of them without evidence', 3, ['pass', 'made up', 'fail'], false, '(1 of 3 judges)'],
    ['half is no majority', 2, ['pass', 'fail'], false, '(1 of 2 judges)'],
    ['half of four', 4, ['pass', 'fail', 'pass', 'fail'], false, '(2 of 4 judges)'],
    ['three of four', 4, ['pass', 'fail', 'pass', 'pass'], true, '(3 of 4 judges)'],
  ])('%s', async (_, judges, votes, passed, split) => {
    const result = await resultOf(
      { rubric: ['x'], judges },
      votes.map((vote) => verdicts(vote)),
    )
    expect(result.passed).toBe(passed)
    expect(result.message).toContain(split)
  })

  test('each criterion has its own majority, and each judge is asked anew', async () => {
    const { run, asked } = await judged({ rubric: ['a', 'b'], judges: 3 }, [
      verdicts('pass', 'fail'),
      verdicts('pass', 'pass'),
      verdicts('fail', 'fail'),
    ])
    const [result] = await run()
    expect(result).toMatchObject({ passed: false, score: 0.5 })
    expect(result.message).toContain('1. met (2 of 3 judges): a')
    expect(result.message).toContain('2. not met (1 of 3 judges): b')
    expect(new Set(asked.map(({ messages }) => JSON.stringify(messages))).size).toBe(1)
    expect(asked.map(({ messages }) => messages.length)).toEqual([1, 1, 1])
  })
})

describe('an answer that can not be read', () => {
  test('is asked for once more, and then counts', async () => {
    const { run, asked } = await judged({ rubric: ['a'] }, [response('fine!'), verdicts('pass')])
    expect((await run())[0]).toMatchObject({ passed: true })
    expect(asked[1]?.messages).toHaveLength(3)
    expect(asked[1]?.judge?.repair).toContain('it is not JSON')
  })

  test('twice, it is an error of the judge and no failure', async () => {
    expect(await faultOf([response('fine!'), response('really!')])).toEqual([
      'judge_error',
      `meets "a": the judge's answer can't be read: it is not JSON alone: expected a value`,
    ])
  })

  test.each([
    ['refusal', 'the judge refused to judge'],
    ['content_filter', "the provider filtered the judge's answer"],
    ['context_overflow', 'the question is too long for the judge'],
    ['max_tokens', "the judge's answer was cut off: raise params.max_tokens of its profile"],
  ] as const)('because of %s is not asked for again', async (stop, message) => {
    expect(await faultOf([{ ...verdicts('pass'), stop }])).toEqual(['judge_error', `meets "a": ${message}`])
  })
})

describe('a judge that does not answer', () => {
  const failing = (code: 'rate_limited' | 'stale' | 'missing_cassette' | 'budget_exceeded'): ModelResponse =>
    response('', { stop: 'error', error: { code, message: 'so it is' } })

  test.each([
    ['rate_limited', 'judge_error', 'meets "a": the judge gave no answer: rate_limited: so it is'],
    ['budget_exceeded', 'budget_exceeded', 'meets "a": so it is'],
    ['missing_cassette', 'missing_cassette', 'so it is'],
    ['stale', 'stale', 'so it is'],
  ] as const)('%s is %s', async (code, fault, message) => {
    expect(await faultOf([failing(code)])).toEqual([fault, message])
  })

  test('that is not there is an error', async () => {
    const ports: GradingPorts = { runScript: () => Promise.reject(new Error('no script')), readSchema: () => ({}) }
    await expect(runCheck({ rubric: 'a' }, textSubject('x'), ports)).rejects.toMatchObject({
      fault: 'judge_error',
      message: 'meets "a": there is no judge',
    })
  })

  test('a text that is too long is not judged in part', async () => {
    const { run, asked } = await judged({ rubric: 'a' }, [], 'x'.repeat(400_001))
    await expect(run()).rejects.toMatchObject({ fault: 'judge_error' })
    expect(asked).toEqual([])
  })
})
