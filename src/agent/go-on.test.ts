import { expect, test } from 'vitest'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import type { ModelRequest } from '../core/model.ts'
import type { ModelAdapter, Tool } from '../core/ports.ts'
import type { MockScript } from '../schema/mock.ts'
import { mockOptions, runInMemory, skillsOf, skillText, someSkills } from './agent.test-support.ts'
import { mockModel } from './mock-model.ts'
import { newRunState } from './run-state.ts'

const script: MockScript = [
  { select_skills: 'csv-analyzer' },
  { final_answer: 'One.' },
  [{ read_file: 'data.csv' }, { update_plan: { steps: [{ id: 'a', title: 'A', status: 'pending' }] } }],
  { final_answer: 'Two.' },
]

/** A scripted model, and what it was asked. */
const watched = (turns: MockScript): { readonly model: ModelAdapter; readonly asked: ModelRequest[] } => {
  const inner = mockModel(turns, mockOptions(memoryClock()))
  const asked: ModelRequest[] = []
  return {
    asked,
    model: {
      ...inner,
      generate: (request, options) => {
        asked.push(structuredClone(request))
        return inner.generate(request, options)
      },
    },
  }
}

test('said one by one, a conversation asks the same as said at once, and has the same record', async () => {
  const [whole, parts] = [watched(script), watched(script)]
  const outcome = await runInMemory(script, { model: whole.model, inputs: ['First.', 'Second.'] })
  const state = newRunState()
  const { model } = parts
  const first = await runInMemory(script, { model, inputs: ['First.'], state })
  const second = await runInMemory(script, { model, inputs: ['Second.'], state })
  expect(parts.asked).toEqual(whole.asked)
  expect([first.answer?.text, second.answer?.text]).toEqual(['One.', 'Two.'])
  expect({ plan: second.plan, usage: second.usage }).toEqual({ plan: outcome.plan, usage: outcome.usage })
  const told = (events: typeof outcome.trajectory) =>
    events
      .filter((event) => event.type !== 'state')
      .map((event) => JSON.stringify(event, (key, value) => (key === 'duration_ms' ? 0 : value)))
  expect(told(second.trajectory)).toEqual(told(outcome.trajectory))
})

/** A tool in the middle of which somebody breaks the request off. */
const breakingOff = () => {
  const stop = new AbortController()
  const slow: Tool = {
    type: 'list_dir',
    risk: 'low',
    run: async () => {
      stop.abort(new Error('enough'))
      throw new Error('enough')
    },
  }
  return { stop, slow }
}

test('a request that was broken off leaves a conversation that can go on', async () => {
  const { stop, slow } = breakingOff()
  const { model, asked } = watched([[{ read_file: 'data.csv' }, { list_dir: '.' }], { final_answer: 'Well.' }])
  const state = newRunState()
  const setting = { model, state, tools: [slow] }
  await expect(runInMemory(undefined, { ...setting, inputs: ['First.'], signal: stop.signal })).rejects.toThrow(
    'enough',
  )
  const done = await runInMemory(undefined, { ...setting, inputs: ['Second.'] })
  expect(done.answer?.text).toBe('Well.')
  const [, assistant, results, ...rest] = asked[1]?.messages ?? []
  const calls = assistant?.role === 'assistant' ? assistant.calls.map(({ id }) => id) : []
  expect(calls).toHaveLength(2)
  expect(results).toMatchObject({ role: 'tool', results: calls.map((callId, i) => ({ callId, isError: i > 0 })) })
  expect(rest).toEqual([{ role: 'user', text: 'Second.' }])
  // Turns are counted on, so that what is on record can be told apart.
  expect(asked.map(({ view }) => view.turn)).toEqual([1, 2])
})

test('instructions that were loaded in a turn that was broken off are in the conversation, or count as not loaded', async () => {
  const { stop, slow } = breakingOff()
  const skills = skillsOf({
    ...someSkills,
    '/skills/alone/SKILL.md': skillText('alone', 'run-mode: subagent\n'),
  })
  const { model, asked } = watched([
    [{ select_skills: 'csv-analyzer' }, { select_skills: ['log-triage', 'alone'] }, { read_file: 'data.csv' }],
    { list_dir: '.' },
    { select_skills: ['csv-analyzer', 'log-triage'] },
    { final_answer: 'Well.' },
  ])
  const state = newRunState()
  const setting = { model, state, skills, tools: [slow] }
  await expect(runInMemory(undefined, { ...setting, inputs: ['First.'], signal: stop.signal })).rejects.toThrow(
    'enough',
  )
  expect([...state.loaded.keys()]).toEqual(['csv-analyzer'])
  const done = await runInMemory(undefined, { ...setting, inputs: ['Second.'] })
  expect(done.answer?.text).toBe('Well.')
  const results = asked.at(-1)?.messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  expect(results?.map(({ text, isError }) => `${isError} ${text.slice(0, 40)}`)).toEqual([
    expect.stringMatching(/^false <skill name="csv-analyzer"/),
    expect.stringMatching(/^true this was broken off/),
    expect.stringMatching(/^true this was broken off/),
    expect.stringMatching(/^false csv-analyzer is already loaded/),
  ])
  expect(results?.at(-1)?.text).toContain('<skill name="log-triage"')
})

test('limits hold for each request, and an answer of before is none of now', async () => {
  const { model } = watched([{ final_answer: 'One.' }, { final_answer: 'Two.' }, { read_file: 'data.csv' }])
  const state = newRunState()
  const setting = { model, state, inputs: ['Go.'], hard: { max_turns: 1 } }
  expect((await runInMemory(undefined, setting)).stop).toEqual({ kind: 'answered' })
  expect((await runInMemory(undefined, setting)).stop).toEqual({ kind: 'answered' })
  expect(await runInMemory(undefined, setting)).toMatchObject({
    stop: { kind: 'limit', limit: 'max_turns' },
    answer: null,
  })
})
