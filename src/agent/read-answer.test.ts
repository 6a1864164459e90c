import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answer, call } from './agent.test-support.ts'
import { readAnswer } from './read-answer.ts'

const read = (text: string) => readAnswer(answer({ text }), 'text', 2)
const action = { action: 'read_file', params: { path: 'a' } }

describe('a text answer', () => {
  test.each<[string, string, unknown[]]>([
    ['one object', JSON.stringify(action), [call('read_file', { path: 'a' }, 'text_2_1')]],
    [
      'one object in a fence',
      `I read it:\n\`\`\`json\n${JSON.stringify(action)}\n\`\`\`\n`,
      [call('read_file', { path: 'a' }, 'text_2_1')],
    ],
    ['no parameters', '{"action": "list_dir"}', [call('list_dir', undefined, 'text_2_1')]],
    [
      'several actions',
      JSON.stringify({ actions: [action, { action: 'final_answer', params: 'Done.' }] }),
      [call('read_file', { path: 'a' }, 'text_2_1'), call('final_answer', 'Done.', 'text_2_2')],
    ],
    ['a list', JSON.stringify([action]), [call('read_file', { path: 'a' }, 'text_2_1')]],
    [
      'a plan beside the action',
      JSON.stringify({ ...action, plan_update: { steps: [] } }),
      [call('update_plan', { steps: [] }, 'text_2_1_plan'), call('read_file', { path: 'a' }, 'text_2_1')],
    ],
  ])('may be %s', (_, text, calls) => {
    expect(read(text)).toEqual({ calls })
  })

  test.each([
    ['prose', 'Sure!', /^the answer is not one JSON object \{"action": …, "params": \{…\}\}: .+ \(line 1, column 1\)$/],
    ['nothing', '', /^the answer is not one JSON object/],
    ['JSON that is cut off', '{"action": "read_file",\n "params": {', /\(line 2, column \d+\)$/],
    ['a number', '3', /^the answer has no "action", a string that names one of the actions$/],
    ['null', 'null', /^the answer has no "action"/],
    ['an action that is no string', '{"action": 3}', /^the answer has no "action"/],
    ['an inherited action', '{"__proto__": {"action": "read_file"}}', /^the answer has no "action"/],
    ['one that is wrong of several', JSON.stringify([action, {}]), /^the answer has no "action"/],
    ['no actions', '{"actions": []}', /^the answer has no action$/],
  ])('that is %s is told what is wrong', (_, text, problem) => {
    expect(read(text)).toEqual({ problem: expect.stringMatching(problem) })
  })

  test('of any kind is read or told, never thrown at', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"action":"x","params":${json}}`),
        ),
        (text) => {
          const reading = read(text)
          expect('calls' in reading ? reading.calls.length > 0 : reading.problem !== '').toBe(true)
        },
      ),
    )
  })
})

describe('a native answer', () => {
  test('is its calls, or its text as the final answer', () => {
    const calls = [call('read_file', { path: 'a' })]
    expect(readAnswer(answer({ text: 'Let me see.', calls }), 'native', 1)).toEqual({ calls })
    expect(readAnswer(answer({ text: JSON.stringify(action) }), 'native', 1)).toEqual({
      calls: [call('final_answer', { text: JSON.stringify(action) }, 'text_1')],
    })
  })
})
