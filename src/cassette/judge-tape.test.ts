import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JudgeParts, ModelResponse } from '../core/model.ts'
import type { ModelAdapter } from '../core/ports.ts'
import { type CassetteJudgeCall, cassetteSchema } from '../schema/cassette.ts'
import { answering, canonicalOf, requestOf, response, signal, user } from './conversation.test-support.ts'
import { type JudgeTapeOptions, judgeTape, type RecordedJudge } from './judge-tape.ts'
import { partBook } from './part-book.ts'
import { placeholders } from './placeholders.ts'

const asked = (change: Partial<JudgeParts> = {}): JudgeParts => ({
  prompt: 'You are a judge.',
  criteria: ['names the months'],
  request: 'Which months?',
  what: 'the answer',
  material: 'Feb and Mar',
  ...change,
})

const says = (...texts: readonly string[]) => answering(texts.map((text) => response({ text })))
const never = (): ModelAdapter => {
  throw new Error('the judge was asked')
}

const judge = (change: Partial<RecordedJudge> = {}): RecordedJudge => ({
  profile: 'judge',
  protocol: 'native',
  mode: 'replay',
  params: { model: 'j-1', temperature: '0' },
  priceOf: () => 0.5,
  live: never,
  ...change,
})

const places = (root: string) => [{ name: 'workspace', path: `${root}/ws` }]

const options = (
  change: Partial<Omit<JudgeTapeOptions, 'judge'>> & { readonly judge?: Partial<RecordedJudge> } = {},
  root = '/home/a',
): JudgeTapeOptions => ({
  canonical: canonicalOf(places(root)),
  placeholders: placeholders(places(root)),
  policy: 'fail',
  book: partBook(),
  path: 'recordings/s/c/p.json',
  label: 's/c',
  again: (mode) => `skills-eval run s --record ${mode}`,
  ...change,
  judge: judge(change.judge),
})

type Ask = (parts?: Partial<JudgeParts>) => Promise<ModelResponse>

const open = (calls: readonly CassetteJudgeCall[] | undefined, about: JudgeTapeOptions) => {
  const tape = judgeTape(calls && [...calls], about)
  const ask: Ask = (parts) => tape.model.generate({ ...requestOf([user('x')]), judge: asked(parts) }, { signal })
  return { tape, ask }
}

const told = ({ text, error }: ModelResponse) => (error === undefined ? text : `${error.code}: ${error.message}`)

/** What was recorded of these questions, each with the answer of its number, and the book of it. */
const recorded = async (...questions: readonly Partial<JudgeParts>[]) => {
  const book = partBook()
  const live = says(...questions.map((_, i) => `answer ${i + 1}`))
  const { tape, ask } = open(undefined, options({ book, judge: { mode: 'all', live: () => live } }))
  for (const parts of questions) await ask(parts)
  await tape.model.close(true)
  expect([tape.hasNews(), tape.isBroken()]).toEqual([true, false])
  return { calls: tape.calls(), book }
}

describe('a recorded judge', () => {
  test('answers the same question without being asked, at the price of today', async () => {
    const { calls, book } = await recorded({})
    const { tape, ask } = open(calls, options({ book }))
    expect(await ask()).toMatchObject({ text: 'answer 1', costUsd: 0.5, model: 'm-1' })
    expect(tape.use()).toEqual({ mode: 'replay', stale_parts: [] })
    expect(tape.hasNews()).toBe(false)
    expect(tape.calls()).toEqual(calls)
  })

  test('the recording names every part, and the book says what each is', async () => {
    const { calls, book } = await recorded({ repair: 'once more' })
    const [call] = calls
    expect(Object.keys(call?.request ?? {})).toEqual([
      'judge:prompt',
      'judge:params',
      'judge:criteria',
      'judge:request',
      'judge:material',
      'judge:repair',
    ])
    const contents = Object.values(call?.request ?? {}).map((print) => book.find('judge', print))
    expect(contents).toEqual([
      'You are a judge.',
      'model: j-1\ntemperature: 0',
      '1. names the months',
      'Which months?',
      'the answer:\nFeb and Mar',
      'once more',
    ])
  })

  test('knows its questions in any order, and the same one as often as it was recorded', async () => {
    const { calls, book } = await recorded({}, { criteria: ['b'] }, {}, { criteria: ['c'] })
    const { tape, ask } = open(calls, options({ book }))
    const answers = [await ask({ criteria: ['c'] }), await ask(), await ask({ criteria: ['b'] }), await ask()]
    expect(answers.map(told)).toEqual(['answer 4', 'answer 1', 'answer 2', 'answer 3'])
    expect(told(await ask())).toBe(
      'missing_cassette: The judge judge is asked more of s/c than is recorded (recordings/s/c/p.json).\n  Record: skills-eval run s --record missing',
    )
    expect(tape.hasNews()).toBe(false)
  })

  test('answers elsewhere: paths and secrets are no part of the question', async () => {
    const book = partBook()
    const live = () => says('see /home/a/ws/x.csv')
    const home = options({ book, judge: { mode: 'all', live } }, '/home/a')
    const first = open(undefined, home)
    await first.ask({ material: 'in /home/a/ws/x.csv: correcthorsebattery' })
    expect(
      JSON.stringify([first.tape.calls(), book.only(new Set(Object.values(first.tape.calls()[0]?.request ?? {})))]),
    ).not.toMatch(/home\/a|correcthorse/)
    const { ask } = open(first.tape.calls(), options({ book }, '/srv/b'))
    expect(told(await ask({ material: 'in /srv/b/ws/x.csv: correcthorsebattery' }))).toBe('see /srv/b/ws/x.csv')
  })

  test("authors' rules hold for the material", async () => {
    const rules = [{ match: '\\d\\d:\\d\\d', replace: '<time>' }]
    const canonical = canonicalOf(places('/home/a'), rules)
    const book = partBook()
    const first = open(undefined, options({ book, canonical, judge: { mode: 'all', live: () => says('yes') } }))
    await first.ask({ material: 'made at 10:12' })
    const { ask } = open(first.tape.calls(), options({ book, canonical }))
    expect(told(await ask({ material: 'made at 23:59' }))).toBe('yes')
    expect(told(await ask({ material: 'made at noon' }))).toContain('missing_cassette')
  })
})

const changes: readonly [string, Partial<JudgeParts>, string][] = [
  ['judge:prompt', { prompt: 'Be kind.' }, 'instruction of the judge (judge:prompt): "You are a judge." → "Be kind."'],
  [
    'judge:criteria',
    { criteria: ['names both'] },
    'criteria of the rubric (judge:criteria): "1. names the months" → "1. names both"',
  ],
  ['judge:request', { request: 'When?' }, 'request that the judge is shown (judge:request): "Which months?" → "When?"'],
  ['judge:material', { material: 'May' }, 'material that is judged (judge:material): "Feb and Mar" → "May"'],
]

describe('a question that has changed', () => {
  test.each(changes)('%s is stale by that name alone, and says how it changed', async (name, change, how) => {
    const { calls, book } = await recorded({})
    const { tape, ask } = open(calls, options({ book }))
    expect(told(await ask(change))).toBe(
      `stale: No recording matches what the judge of s/c is asked (recordings/s/c/p.json).\n  Nearest differs at ${how}\n  Re-record: skills-eval run s --record stale`,
    )
    expect(tape.use().stale_parts).toEqual([name])
    expect(tape.use().differences).toMatchObject([{ part: name }])
  })

  test('so is another model or temperature', async () => {
    const { calls, book } = await recorded({})
    const { tape, ask } = open(calls, options({ book, judge: { params: { model: 'j-2', temperature: '0' } } }))
    expect(told(await ask())).toContain('parameters of the judge (judge:params): "model: j-1" → "model: j-2"')
    expect(tape.use().stale_parts).toEqual(['judge:params'])
  })

  test.each([
    [
      'warn',
      {
        mode: 'positional',
        stale_parts: ['judge:material'],
        differences: [
          {
            part: 'judge:material',
            recorded: expect.stringMatching(/\bFeb and Mar$/),
            now: expect.stringMatching(/\bJune$/),
          },
        ],
      },
    ],
    ['ignore', { mode: 'replay', stale_parts: [] }],
  ] as const)('where the policy says %s the nearest answer is taken', async (policy, use) => {
    const { calls, book } = await recorded({ request: 'When?', material: 'May' }, {})
    const { tape, ask } = open(calls, options({ book, policy }))
    expect(told(await ask({ material: 'June' }))).toBe('answer 2')
    expect(tape.use()).toEqual(use)
  })

  test.each(['warn', 'ignore'] as const)(
    'where the policy says %s no verdict on other criteria is taken',
    async (policy) => {
      const { calls, book } = await recorded({ criteria: ['A'] })
      const { tape, ask } = open(calls, options({ book, policy }))
      expect(told(await ask({ criteria: ['B'] }))).toContain('stale: No recording matches')
      expect(told(await ask({ criteria: ['A'] }))).toBe('answer 1')
      expect(tape.use().stale_parts).toEqual(['judge:criteria'])
    },
  )

  test('takes no verdict from a question that has not, whatever the order', async () => {
    const { calls, book } = await recorded({ material: 'one' }, { material: 'two' })
    const { tape, ask } = open(calls, options({ book, policy: 'warn' }))
    const answers = [await ask({ material: 'new' }), await ask({ material: 'newer' }), await ask({ material: 'one' })]
    expect(answers.map(told)).toEqual(['answer 1', 'answer 2', 'answer 1'])
    expect(tape.calls()).toEqual(calls)
    expect(told(await ask({ material: 'one' }))).toMatch(/^missing_cassette/)
  })

  test.each([
    [['B'], ['A']],
    [['A'], ['B']],
  ])('with `missing` new criteria are recorded, in whatever order: %s %s', async (...order) => {
    const { calls, book } = await recorded({ criteria: ['A'] })
    const { tape, ask } = open(calls, options({ book, judge: { mode: 'missing', live: () => says('new') } }))
    const answers = new Map<string, string>()
    for (const criteria of order) answers.set(`${criteria}`, told(await ask({ criteria })))
    expect([answers.get('A'), answers.get('B')]).toEqual(['answer 1', 'new'])
    expect(tape.hasNews()).toBe(true)
  })

  test('is asked anew with `stale`, and what has not changed is played', async () => {
    const { calls, book } = await recorded({}, { criteria: ['b'] })
    const { tape, ask } = open(calls, options({ book, judge: { mode: 'stale', live: () => says('new') } }))
    expect([told(await ask({ criteria: ['changed'] })), told(await ask({ criteria: ['b'] }))]).toEqual([
      'new',
      'answer 2',
    ])
    expect(tape.hasNews()).toBe(true)
    expect(tape.use()).toEqual({ mode: 'record', stale_parts: [] })
    expect(tape.calls().map(({ answer }) => answer.text)).toEqual(['new', 'answer 2'])
  })
})

describe('what is not recorded', () => {
  const live = () => says('live')

  test.each([
    ['replay', 'missing_cassette: No verdict of the judge judge is recorded for s/c'],
    ['stale', 'missing_cassette: No verdict of the judge judge is recorded for s/c'],
    ['missing', 'live'],
    ['all', 'live'],
  ] as const)('with %s and no verdict at all: %s', async (mode, start) => {
    const { tape, ask } = open(undefined, options({ judge: { mode, live } }))
    expect(told(await ask())).toMatch(new RegExp(`^${start}`))
    expect(tape.hasNews()).toBe(start === 'live')
  })

  test('a scripted judge judges itself, and nothing of it is kept', async () => {
    const { tape, ask } = open(undefined, options({ judge: { fallback: live } }))
    expect(told(await ask())).toBe('live')
    expect([tape.hasNews(), tape.calls()]).toEqual([false, []])
  })

  test('nor does it judge beside what is recorded', async () => {
    const { calls, book } = await recorded({})
    const { ask } = open(calls, options({ book, judge: { fallback: live } }))
    expect([told(await ask()), told(await ask())]).toEqual(['answer 1', expect.stringMatching(/^missing_cassette/)])
  })

  test.each(['replay', 'missing', 'stale'] as const)('nor is a broken file replaced: %s', async (mode) => {
    const { ask } = open(undefined, options({ problem: 'it is not JSON', judge: { mode, live, fallback: live } }))
    expect(told(await ask())).toContain(
      "can't be used: it is not JSON.\n  Record it anew: skills-eval run s --record all",
    )
  })
})

test('an answer that did not come leaves nothing to be kept', async () => {
  const failing = () => answering([response({ error: { code: 'rate_limited', message: 'no' } })])
  const { tape, ask } = open(undefined, options({ judge: { mode: 'all', live: failing } }))
  expect(told(await ask())).toBe('rate_limited: no')
  expect([tape.hasNews(), tape.isBroken()]).toEqual([false, true])
})

test('a trial that was not judged to its end leaves nothing to be kept', async () => {
  const { tape, ask } = open(undefined, options({ judge: { mode: 'all', live: () => says('x') } }))
  await ask()
  await tape.model.close(false)
  expect(tape.isBroken()).toBe(true)
})

test('any questions, recorded, are answered again in any order', async () => {
  const text = fc.string({ maxLength: 8 })
  const question = fc.record({
    criteria: fc.array(text, { minLength: 1, maxLength: 2 }),
    material: text,
    request: text,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(question, { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      async (questions, random) => {
        const { calls, book } = await recorded(...questions)
        const { tape, ask } = open(calls, options({ book }))
        const order = questions.map((one) => ({ one, key: random.next().value })).sort((a, b) => a.key - b.key)
        const answers: string[] = []
        for (const { one } of order) answers.push(told(await ask(one)))
        expect(answers.toSorted()).toEqual(questions.map((_, i) => `answer ${i + 1}`).toSorted())
        expect(tape.hasNews()).toBe(false)
        const { trials } = cassetteSchema.shape
        expect(trials.safeParse([{ turns: [], outside: [], judge: calls }]).success).toBe(true)
      },
    ),
    { numRuns: 50 },
  )
})
