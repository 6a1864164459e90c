import { expect, test } from 'vitest'
import type { ActionResult, CheckResult } from '../schema/run.ts'
import { believedQuotes, marksIn, shownParams, shownTexts } from './quotes.ts'

const rubric = (place: string, verdicts: readonly object[]): CheckResult => ({
  name: 'r',
  kind: 'rubric',
  place,
  passed: true,
  score: 1,
  weight: 1,
  actual: [{ criterion: 'c', met: true, passes: 1, judges: 1, verdicts }],
})
const pass = (quote: string, supported = true) => ({ verdict: 'pass', quote, supported })

test('quotes that were believed are named after check and criterion, and know whether they are of a file', () => {
  const checks = [
    rubric('output[0]', [pass('a'), pass('made up', false), { verdict: 'fail', quote: 'no' }]),
    rubric('files[0].checks[0]', [pass('b')]),
  ]
  expect(believedQuotes(checks)).toEqual([
    { name: '0.1', text: 'a', isOfFile: false },
    { name: '1.1', text: 'b', isOfFile: true },
  ])
})

test('marks stand where a quote does', () => {
  const quote = { name: '1.1', text: 'two words', isOfFile: true }
  expect(marksIn('all two\n words here', [quote])).toEqual([{ from: 4, to: 14, name: '1.1' }])
  expect(marksIn('none', [quote])).toEqual([])
})

test('texts of several lines are shown as they are, and those of sub-agents are found', () => {
  const action = (params: ActionResult['params'], nested: ActionResult[] = []): ActionResult => ({
    turn: 1,
    action: 'write_file',
    params,
    status: 'ok',
    observation: 'done',
    duration_ms: 1,
    actions: nested,
  })
  expect(shownParams({ path: 'a', content: 'x\ny' })).toEqual({
    json: '{\n  "path": "a"\n}',
    texts: [['content', 'x\ny']],
  })
  expect(shownParams({ content: 'x\ny' }).json).toBeUndefined()
  expect([...shownTexts([action({ n: 1 }, [action({ content: 'x\ny' })])])]).toEqual([
    '{\n  "n": 1\n}',
    'done',
    'x\ny',
    'done',
  ])
})
