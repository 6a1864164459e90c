import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import type { Message, ModelRequest } from '../core/model.ts'
import { countTokens } from '../lib/tokens.ts'
import type { MockScript, MockTurn } from '../schema/mock.ts'
import { mockOptions, runInMemory, type Setting } from './agent.test-support.ts'
import { mockModel } from './mock-model.ts'

const long = (n: number): string =>
  Array.from({ length: 60 }, (_, i) => `row ${n}.${i} with some words in it`).join('\n')

const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}.txt`, long(n)]))

const reads = (count: number, from = 0): MockTurn[] =>
  Array.from({ length: count }, (_, n) => ({ read_file: `f${from + n}.txt` }))

/** The requests that a model got, as they were. */
const requestsOf = async (mock: MockScript, setting: Setting = {}) => {
  const requests: ModelRequest[] = []
  const inner = mockModel(mock, mockOptions(memoryClock(), setting.mock))
  const model = {
    ...inner,
    generate: (request: ModelRequest, options: { readonly signal: AbortSignal }) => {
      requests.push(structuredClone(request))
      return inner.generate(request, options)
    },
  }
  const outcome = await runInMemory(mock, { files, hard: { max_turns: 100 }, ...setting, model })
  return { requests, outcome }
}

const tokensOf = ({ system, tools, messages }: ModelRequest): number =>
  countTokens(system) + countTokens(JSON.stringify(tools)) + countTokens(textOf(messages))

const textOf = (messages: readonly Message[]): string =>
  messages
    .flatMap((message) => (message.role === 'tool' ? message.results.map(({ text }) => text) : [message.text]))
    .join('\n')

const context = { tokens: 8_000, places: [] }

describe('a conversation that is too long', () => {
  const mock: MockScript = [
    { select_skills: 'csv-analyzer' },
    { update_plan: [{ id: 'a', title: 'Read all of it' }] },
    ...reads(20),
    'Done.',
  ]

  test('loses its oldest rounds, with a note of what they were', async () => {
    const { requests, outcome } = await requestsOf(mock, { context })
    expect(outcome.stop).toEqual({ kind: 'answered' })
    const last = requests.at(-1)
    if (last === undefined) throw new Error('nothing was asked')
    expect(tokensOf(last)).toBeLessThan(8_500)
    const text = textOf(last.messages)
    expect(text).toMatch(/\d+ earlier rounds were left out/)
    expect(text).toContain('- read_file f0.txt')
    expect(text).not.toContain('row 0.0 with')
    expect(text).toContain('row 19.0 with')
  })

  test('keeps what the user said, the instructions of skills and the plan', async () => {
    const { requests } = await requestsOf(mock, { context, inputs: ['Read everything.'] })
    const texts = requests.map(({ messages }) => textOf(messages))
    expect(texts.every((text) => text.startsWith('Read everything.'))).toBe(true)
    expect(texts.slice(1).every((text) => text.includes('How to csv-analyzer.'))).toBe(true)
    expect(texts.slice(2).every((text) => text.includes('[ ] a: Read all of it'))).toBe(true)
  })

  test('keeps the last two rounds, and one note, which grows', async () => {
    const { requests } = await requestsOf(mock, { context })
    for (const { messages, compacted } of requests) {
      if (compacted === undefined) continue
      expect(messages.slice(-4)).toEqual(compacted.history.slice(-4))
      const notes = messages.filter((m) => m.role === 'user' && m.text.startsWith('[To keep this conversation'))
      expect(notes).toHaveLength(1)
    }
    const tight = await requestsOf(reads(6).concat('Done.'), { context: { tokens: 2_500 } })
    expect(tight.requests.at(-1)?.messages.slice(-4)).toEqual(tight.requests.at(-1)?.compacted?.history.slice(-4))
  })

  test('says so on the record, each time', async () => {
    const { outcome } = await requestsOf(mock, { context })
    const events = outcome.trajectory.filter((event) => event.type === 'compacted')
    expect(events.length).toBeGreaterThan(1)
    for (const { tokens, rounds } of events) {
      expect(tokens.before).toBeGreaterThan(8_000)
      expect(tokens.after).toBeLessThanOrEqual(0.6 * 8_000)
      expect(rounds).toBeGreaterThan(0)
    }
  })

  test('has one result for every call that is left, and no call without one', async () => {
    const { requests } = await requestsOf(mock, { context })
    for (const { messages } of requests) {
      const called = messages.flatMap((message) =>
        message.role === 'assistant' ? message.calls.map(({ id }) => id) : [],
      )
      const answered = messages.flatMap((m) => (m.role === 'tool' ? m.results.map(({ callId }) => callId) : []))
      expect(answered).toEqual(called)
    }
  })

  test('is left alone below the limit, and where nothing may be cut', async () => {
    const { requests, outcome } = await requestsOf(mock, { context: { tokens: 150_000 } })
    expect(requests.every(({ compacted }) => compacted === undefined)).toBe(true)
    expect(outcome.trajectory.some(({ type }) => type === 'compacted')).toBe(false)
    const tight = await requestsOf(['Done.'], { context: { tokens: 200 } })
    expect(tight.requests[0]?.compacted).toBeUndefined()
  })

  test.each([
    ['one', ['Look at this.\n'.repeat(500)], 'the input has about'],
    ['a later one', ['Hello.', 'Look at this.\n'.repeat(500)], 'input 2 of 2 has about'],
  ])('is not begun where an input alone is over a limit that was set: %s', async (_, inputs, says) => {
    const { requests, outcome } = await requestsOf(['Done.', 'Done.'], { inputs, context: { tokens: 1_000 } })
    expect(requests).toEqual([])
    expect(outcome.stop).toMatchObject({ kind: 'error', code: 'input_too_long' })
    const { message } = outcome.stop as { readonly message: string }
    expect(message).toMatch(new RegExp(`^${says} [2-9],\\d{3} tokens, and context_tokens is 1,000: nothing was sent`))
    expect(message).toContain('Put it into a file')
    expect(message).toContain('limits.context_tokens')
  })

  test('is begun where no limit was set, and where the input is within it, folders not counted', async () => {
    const inputs = ['Look at this.\n'.repeat(50_000)]
    expect((await requestsOf(['Done.'], { inputs })).requests).toHaveLength(1)
    const text = 'Look at this.\n'.repeat(100)
    const tokens = countTokens(text)
    const at = async (limit: number, input = text, places: readonly string[] = []) =>
      (await requestsOf(['Done.'], { inputs: [input], context: { tokens: limit, places } })).outcome.stop.kind
    expect([await at(tokens), await at(tokens - 1)]).toEqual(['answered', 'error'])
    const folder = `/home/${'somebody-with-a-long-name/'.repeat(40)}x`
    expect(await at(tokens + 2, `${folder}\n${text}`, [folder])).toBe('answered')
  })

  test('is shortened in the text protocol too', async () => {
    const { requests } = await requestsOf(mock, { context, mock: { protocol: 'text' } })
    const text = textOf(requests.at(-1)?.messages ?? [])
    expect(text).toContain('earlier rounds were left out')
    expect(text).toContain('How to csv-analyzer.')
    expect(text).not.toContain('row 0.0 with')
  })

  test('is cut at the same place on every machine: the folders of this one do not count', async () => {
    const cutsOf = async (folder: string) => {
      const named = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, `${folder}/x\n${text}`]))
      const { outcome } = await requestsOf(mock, { files: named, context: { tokens: 8_000, places: [folder] } })
      return outcome.trajectory.flatMap((event) => (event.type === 'compacted' ? [[event.turn, event.tokens]] : []))
    }
    expect(await cutsOf(`/home/${'somebody-with-a-long-name/'.repeat(40)}x`)).toEqual(await cutsOf('/w'))
  })
})

test('whatever happens, inputs and bodies stay, calls have results, and the same conversation is cut in the same way', async () => {
  const step = fc.oneof(
    fc.integer({ min: 0, max: 39 }).map((n): MockTurn => ({ read_file: `f${n}.txt` })),
    fc.constantFrom<MockTurn>(
      { select_skills: 'csv-analyzer' },
      { select_skills: 'log-triage' },
      { raw: { name: 'nope' } },
    ),
    fc.constant<MockTurn>({ update_plan: [{ id: 'a', title: 'Go on' }] }),
    fc.constant<MockTurn>({ final_answer: 'Next.' }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.integer({ min: 3_000, max: 12_000 }),
      async (steps, tokens) => {
        const inputs = [
          'First.',
          ...steps.filter((one) => typeof one === 'object' && 'final_answer' in one).map((_, n) => `Then ${n}.`),
        ]
        const mock = [...steps, 'The end.']
        const { requests } = await requestsOf(mock, { inputs, context: { tokens, places: [] } })
        const again = await requestsOf(mock, { inputs, context: { tokens, places: [] } })
        expect(again.requests).toEqual(requests)
        for (const { messages, compacted } of requests) {
          const all = compacted?.history ?? messages
          const bodies = (of: readonly Message[]) =>
            of.flatMap((m) => (m.role === 'tool' ? m.results.flatMap((r) => r.bodies ?? []) : []))
          expect(bodies(messages)).toEqual(bodies(all))
          const said = (of: readonly Message[]) =>
            of.flatMap((m) => (m.role === 'user' && !m.isObservation ? [m.text] : []))
          expect(said(messages)).toEqual(said(all))
          expect(messages.at(-1)).toEqual(all.at(-1))
        }
      },
    ),
    { numRuns: 25 },
  )
})
