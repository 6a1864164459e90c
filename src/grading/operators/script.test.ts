import { describe, expect, test } from 'vitest'
import { GraderError } from '../grader-error.ts'
import type { ScriptRun } from '../ports.ts'
import { runCheck } from '../run-check.ts'
import { textSubject } from '../subject.ts'

const ended = (more: Partial<ScriptRun>): ScriptRun => ({
  exitCode: 0,
  stdout: '',
  stderr: '',
  timedOut: false,
  ...more,
})

const run = (more: Partial<ScriptRun>, check: object = {}) =>
  runCheck({ script: { run: 'graders/check.py' }, ...check }, textSubject('the answer'), {
    runScript: async () => ended(more),
    readSchema: () => true,
  })

describe('without a verdict the exit code decides', () => {
  test.each([
    [0, '', true],
    [1, '', false],
    [0, 'all fine\n', true],
    [0, '{"rows": 3}', true],
    [1, '{"message": "ok"}', false],
    [0, '["score", 1]', true],
  ])('%j, output %j: %j', async (exitCode, stdout, passed) => {
    const [result] = await run({ exitCode, stdout })
    expect([result.passed, result.score]).toEqual([passed, passed ? 1 : 0])
  })

  test('a failure has the last words of the program', async () => {
    const [result] = await run({ exitCode: 2, stderr: `${'x'.repeat(5000)}\nAssertionError: no March\n` })
    expect(result).toMatchObject({
      name: 'graders/check.py holds',
      kind: 'script',
      passed: false,
      message: expect.stringMatching(/^exit code 2; its last words:\n…x+\nAssertionError: no March$/),
      expected: 0,
      actual: 2,
    })
    expect(result.message?.length).toBeLessThan(1100)
  })
})

describe('with a verdict', () => {
  test.each([
    ['pass decides', '{"pass": true}', 0, true, 1],
    ['pass decides against the exit code', '{"pass": true}', 1, true, 1],
    ['pass decides against the score', '{"pass": false, "score": 1}', 0, false, 1],
    ['pass decides for a low score', '{"pass": true, "score": 0.4}', 0, true, 0.4],
    ['without pass a score of 1 holds', '{"score": 1}', 0, true, 1],
    ['without pass a score below 1 does not', '{"score": 0.99}', 0, false, 0.99],
    ['without pass the exit code must be 0 too', '{"score": 1}', 1, false, 1],
    ['without pass and score all checks must hold', '{"checks": [{"name": "a", "pass": true}]}', 0, true, 1],
    [
      'else the score is their share',
      '{"checks": [{"name": "a", "passed": true}, {"name": "b", "score": 0}]}',
      0,
      false,
      0.5,
    ],
    ['the last object counts', 'log\n{"pass": false}\n{"pass": true}\n', 0, true, 1],
    ['it may be followed by other lines', '{"pass": false}\nbye', 0, false, 0],
    ['it may have several lines', 'log {\n{\n  "pass": false,\n  "more": {\n    "a": 1\n  }\n}\n', 0, false, 0],
    ['it may be followed by other objects', '{"pass": false}\n{"rows": 3}\n', 0, false, 0],
  ])('%s', async (_, stdout, exitCode, passed, score) => {
    const [result] = await run({ stdout, exitCode })
    expect([result.passed, result.score]).toEqual([passed, score])
  })

  test('its message is told, also where it holds', async () => {
    expect((await run({ stdout: '{"pass": true, "message": "3 of 3"}' }))[0].message).toBe('3 of 3')
    expect((await run({ stdout: '{"pass": false, "message": "2 of 3"}' }))[0].message).toBe('2 of 3')
    expect((await run({ stdout: '{"score": 0.5, "checks": [{"name": "a", "pass": false}]}' }))[0].message).toBe(
      'score 0.5, exit code 0; failed: a',
    )
  })

  test('its own checks are further results of no weight', async () => {
    const checks = [
      { name: 'sum', pass: true },
      { name: 'rows', passed: false, message: 'one is missing' },
      { name: 'style', score: 0.5 },
    ]
    const [, ...parts] = await run({ stdout: JSON.stringify({ pass: true, checks }) })
    expect(parts).toEqual([
      { name: 'script/sum', kind: 'script', passed: true, score: 1, weight: 0 },
      { name: 'script/rows', kind: 'script', passed: false, score: 0, weight: 0, message: 'one is missing' },
      { name: 'script/style', kind: 'script', passed: false, score: 0.5, weight: 0 },
    ])
  })

  test('not inverts the verdict, and leaves its own checks as they are', async () => {
    const [result, part] = await run(
      { stdout: '{"pass": true, "score": 0.7, "checks": [{"name": "a", "pass": true}]}' },
      { not: true },
    )
    expect([result.passed, result.score, part?.passed]).toEqual([false, 0, true])
  })
})

describe('a grader that can’t judge is no failed check', () => {
  test.each([
    ['it could not be started', { startError: 'ENOENT', exitCode: null }, 'could not be started: ENOENT'],
    [
      'it took too long',
      { timedOut: true, exitCode: null, stderr: 'waiting' },
      'took too long and was stopped; its last words:\nwaiting',
    ],
    ['it was killed', { exitCode: null }, 'was killed'],
    ['a score over 1', { stdout: '{"score": 5}' }, 'score: '],
    ['a score that is no number', { stdout: '{"score": "high"}' }, 'score: '],
    ['a pass that is no boolean', { stdout: '{"pass": "yes"}' }, 'pass: '],
    ['checks that are no list', { stdout: '{"checks": 3}' }, 'checks: '],
    [
      'a check without a verdict',
      { stdout: '{"pass": true, "checks": [{"name": "a"}]}' },
      'checks.0: needs pass or score',
    ],
    ['a check without a name', { stdout: '{"pass": true, "checks": [{"pass": true}]}' }, 'checks.0.name: '],
    ['a message that is no text', { stdout: '{"pass": true, "message": 3}' }, 'message: '],
  ])('%s', async (_, more, words) => {
    const error = await run(more).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(GraderError)
    expect((error as GraderError).message).toContain(words)
  })
})

test('output that never becomes a verdict is read in time', async () => {
  const started = performance.now()
  expect((await run({ stdout: '{\n'.repeat(200_000) }))[0].passed).toBe(true)
  expect((await run({ stdout: '{"a":'.repeat(200_000) }))[0].passed).toBe(true)
  expect(performance.now() - started).toBeLessThan(1000)
})

test('the program is given the check’s operand and the text', async () => {
  const requests: unknown[] = []
  const script = { run: 'g.py', args: ['-v'], timeout_seconds: 5 }
  await runCheck({ script }, textSubject('the answer'), {
    runScript: async (request) => {
      requests.push(request)
      return ended({})
    },
    readSchema: () => true,
  })
  expect(requests).toEqual([{ check: script, text: 'the answer' }])
})
