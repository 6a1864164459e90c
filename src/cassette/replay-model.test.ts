import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message, ModelResponse, RequestParts } from '../core/model.ts'
import type { Tool } from '../core/ports.ts'
import { type CassetteTrial, type PartKind, partKinds } from '../schema/cassette.ts'
import {
  answered,
  answering,
  call,
  canonicalOf,
  requestOf,
  response,
  results,
  signal,
  someParts,
  user,
} from './conversation.test-support.ts'
import { partBook } from './part-book.ts'
import { placeholders } from './placeholders.ts'
import { recordModel } from './record-model.ts'
import { type ReplayOptions, replayModel } from './replay-model.ts'
import { stalePolicy } from './stale-policy.ts'

/** What an agent would send, turn by turn: each step adds messages to those before. */
type Step = {
  readonly added: readonly Message[]
  readonly answer: ModelResponse
  /** A sub-agent asks, in a conversation of its own. */
  readonly by?: string
  /** What the model was told of what is left out. */
  readonly note?: string
}
type Talk = {
  readonly parts: RequestParts
  readonly params: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

const places = (root: string) => [
  { name: 'workspace', path: `${root}/ws` },
  { name: 'home', path: root },
]

const requests = ({ parts, steps }: Talk) =>
  steps.map(({ by, note }, i) => {
    const history = steps.slice(0, i + 1).flatMap((step) => (step.by === by ? step.added : []))
    return {
      ...requestOf(note === undefined ? history : [user(note), ...history.slice(-1)], parts),
      ...(by === undefined ? {} : { conversation: by }),
      ...(note === undefined ? {} : { compacted: { times: 1, note, history } }),
    }
  })

const record = async (talk: Talk, root = '/home/a') => {
  const book = partBook()
  let kept: CassetteTrial | undefined
  const model = recordModel(answering(talk.steps.map(({ answer }) => answer)), {
    params: talk.params,
    canonical: canonicalOf(places(root)),
    path: 'r.json',
    book,
    ended: (trial) => {
      kept = trial
    },
  })
  const said: ModelResponse[] = []
  for (const request of requests(talk)) said.push(await model.generate(request, { signal }))
  await model.close(true)
  if (kept === undefined) throw new Error('nothing was kept')
  // As a file would give it back.
  return { trial: JSON.parse(JSON.stringify(kept)) as CassetteTrial, book, said }
}

const options = (talk: Talk, book: ReplayOptions['book'], root: string, change: Partial<ReplayOptions> = {}) => ({
  profile: 'p',
  protocol: 'native' as const,
  params: talk.params,
  canonical: canonicalOf(places(root)),
  placeholders: placeholders(places(root)),
  policy: stalePolicy(),
  book,
  path: 'r.json',
  label: 's/c',
  again: 'skills-eval run s --record stale',
  priceOf: () => 0,
  ...change,
})

const replay = async (
  talk: Talk,
  { trial, book }: { readonly trial: CassetteTrial; readonly book: ReplayOptions['book'] },
  change: Partial<ReplayOptions> = {},
  root = '/home/a',
) => {
  const model = replayModel(trial, options(talk, book, root, change))
  const said: ModelResponse[] = []
  for (const request of requests(talk)) {
    const answer = await model.generate(request, { signal })
    said.push(answer)
    if (answer.error) break
  }
  return { said, use: model.recording?.use(), isStale: model.isStale() }
}

const bodyText = '<skill name="csv">Do it.</skill>'
const base = (
  change: Partial<{ input: string; body: string; observation: string; note: string }> = {},
  parts = someParts(),
): Talk => ({
  parts,
  params: { model: 'm' },
  steps: [
    {
      added: [user(change.input ?? 'Sum it.')],
      answer: response({ calls: [call('x', 'select_skills', { skills: [{ name: 'csv' }] })] }),
    },
    {
      added: [
        answered(call('0', 'select_skills', { skills: [{ name: 'csv' }] })),
        results({
          name: 'select_skills',
          text: change.body ?? bodyText,
          bodies: [{ skill: 'csv', text: change.body ?? bodyText }],
        }),
      ],
      answer: response({ calls: [call('y', 'run_script', { path: 'scripts/top.py' })] }),
    },
    {
      added: [
        answered(call('0', 'run_script', { path: 'scripts/top.py' })),
        results({ name: 'run_script', text: change.observation ?? 'Mar 1200' }),
      ],
      answer: response({ text: 'March' }),
      ...(change.note === undefined ? {} : { note: change.note }),
    },
  ],
})

const changed: Readonly<Record<PartKind, { readonly talk: Talk; readonly name: string; readonly told: string }>> = {
  system: {
    talk: base({}, someParts({ system: 'Do.' })),
    name: 'system',
    told: 'system prompt: "You do tasks." → "Do."',
  },
  index: {
    talk: base({}, someParts({ index: '-', descriptions: { csv: 'new', pdf: 'about pdf' } })),
    name: 'index',
    told: 'description of csv: "about csv" → "new"',
  },
  body: { talk: base({ body: '<skill>Other.</skill>' }), name: 'body:csv', told: 'body of csv: ' },
  tools: {
    talk: base({}, someParts({ tools: [{ name: 'read_file', description: 'Reads.', parameters: {} }] })),
    name: 'tools',
    told: 'tool read_file takes other parameters or is described otherwise',
  },
  input: { talk: base({ input: 'Sum up.' }), name: 'input', told: 'input: "Sum it." → "Sum up."' },
  observation: {
    talk: base({ observation: 'March 1200' }),
    name: 'observation:2',
    told: 'observation 2 (scripts/top.py): "Mar 1200" → "March 1200"',
  },
  context: {
    talk: base({ note: '1 earlier round was left out' }),
    name: 'context:1',
    told: 'what is left out of the conversation (context:1) was not there',
  },
  params: { talk: { ...base(), params: { model: 'n' } }, name: 'params', told: 'parameter model: "m" → "n"' },
}

const delegated = (change: Partial<{ task: string; found: string; by: string }> = {}): Talk => ({
  parts: someParts(),
  params: { model: 'm' },
  steps: [
    { added: [user('Sum it.')], answer: response({ calls: [call('x', 'select_skills', { skills: ['a'] })] }) },
    {
      by: change.by ?? 'a',
      added: [user(change.task ?? 'Look.')],
      answer: response({ calls: [call('y', 'read_file', { path: 'data.csv' })] }),
    },
    {
      by: change.by ?? 'a',
      added: [
        answered(call('0', 'read_file', { path: 'data.csv' })),
        results({ name: 'read_file', text: change.found ?? 'Mar' }),
      ],
      answer: response({ text: 'It is March.' }),
    },
    {
      added: [
        answered(call('0', 'select_skills')),
        results({ name: 'select_skills', text: 'a answered:\n\nIt is March.' }),
      ],
      answer: response({ text: 'March' }),
    },
  ],
})

describe('a replay with a sub-agent', () => {
  test('keeps the conversations apart, each with its own observations', async () => {
    const recorded = await record(delegated())
    expect(recorded.trial.turns.map(({ agent, request }) => [agent, Object.keys(request).join(' ')])).toEqual([
      [undefined, 'system index tools params input'],
      ['a', 'input:a'],
      ['a', 'observation:a/1'],
      [undefined, 'observation:1'],
    ])
    const { said, use } = await replay(delegated(), recorded)
    expect([said.map(({ text }) => text), use?.stale_parts]).toEqual([['', '', 'It is March.', 'March'], []])
  })

  test.each([
    [{ task: 'Look there.' }, 'input:a', 'input of a: "Look." → "Look there."'],
    [{ found: 'Apr' }, 'observation:a/1', 'observation a/1 (data.csv): "Mar" → "Apr"'],
    [{ by: 'b' }, 'turns', 'who asks: the sub-agent a did, and now the sub-agent b does'],
  ])('is stale by the part that changed: %j', async (change, name, told) => {
    const { said, use } = await replay(delegated(change), await record(delegated()))
    expect(use?.stale_parts).toEqual([name])
    expect(said.at(-1)?.error?.message).toContain(`Nearest differs at ${told}`)
  })
})

describe('a replay', () => {
  test('gives the recorded answers to the recorded requests, and says where they are from', async () => {
    const recorded = await record(base())
    const { said, use } = await replay(base(), recorded)
    expect(use).toEqual({ path: 'r.json', mode: 'replay', stale_parts: [] })
    expect(said.map(({ calls, text }) => [calls[0]?.id, calls[0]?.name, text])).toEqual([
      ['call_1_1', 'select_skills', ''],
      ['call_2_1', 'run_script', ''],
      [undefined, undefined, 'March'],
    ])
  })

  test.each(partKinds)('a change of %s is stale by that name alone', async (kind) => {
    const { talk, name, told } = changed[kind]
    const { said, use, isStale } = await replay(talk, await record(base()))
    expect({ parts: use?.stale_parts, mode: use?.mode, isStale }).toEqual({
      parts: [name],
      mode: 'replay',
      isStale: true,
    })
    const [difference, ...others] = use?.differences ?? []
    expect([difference?.part, others]).toEqual([name, []])
    expect(difference?.recorded).not.toBe(difference?.now)
    const { code, message = '' } = said.at(-1)?.error ?? {}
    expect(code).toBe('stale')
    expect(message).toContain(`of s/c (r.json).\n  Nearest differs at ${told}`)
    expect(message).toMatch(/\n {2}Re-record: skills-eval run s --record stale$/)
    expect(message).not.toContain('  and at')
  })

  test.each(partKinds)('where the policy warns of %s it goes on by turn order and marks it', async (kind) => {
    const { talk, name } = changed[kind]
    const policy = stalePolicy({ [kind]: 'warn' })
    const { said, use, isStale } = await replay(talk, await record(base()), { policy })
    expect(said.at(-1)?.text).toBe('March')
    expect({ use, isStale }).toMatchObject({
      use: { path: 'r.json', mode: 'positional', stale_parts: [name], differences: [{ part: name }] },
      isStale: false,
    })
  })

  test.each(partKinds)('where the policy ignores %s nothing is said of it', async (kind) => {
    const policy = stalePolicy({ [kind]: 'ignore' })
    const { said, use } = await replay(changed[kind].talk, await record(base()), { policy })
    expect(said.at(-1)?.text).toBe('March')
    expect(use).toEqual({ path: 'r.json', mode: 'replay', stale_parts: [] })
  })

  test('more turns than were recorded are stale, whatever the policy', async () => {
    const long = base()
    const longer = { ...long, steps: [...long.steps, { added: [user('And?')], answer: response() }] }
    const { said, use } = await replay(longer, await record(long), { policy: stalePolicy('ignore') })
    expect(use?.stale_parts).toEqual(['turns'])
    expect(said.at(-1)?.error?.message).toContain('its end: 3 turns were recorded, and the agent goes on')
  })

  test('a secret that another machine knows by another sign is the same request', async () => {
    const secret = 'correcthorsebattery'
    const recorded = await record(base({ input: `log in with ${secret}` }))
    expect(JSON.stringify(recorded.trial)).not.toContain(secret)
    const shown = recorded.trial.turns[0]?.messages[0]?.text.replace('[redacted:env:', '[redacted:field:') ?? ''
    const { use } = await replay(base({ input: shown }), recorded)
    expect(use?.stale_parts).toEqual([])
  })

  test('rejects when the run is aborted', async () => {
    const { trial, book } = await record(base())
    const model = replayModel(trial, options(base(), book, '/home/a'))
    await expect(
      model.generate(requestOf([user('x')]), { signal: AbortSignal.abort(new Error('end')) }),
    ).rejects.toThrow('end')
  })
})

describe('what is recorded', () => {
  const ended = async (answers: readonly ModelResponse[], ok: boolean) => {
    const kept: (CassetteTrial | undefined)[] = []
    const model = recordModel(answering(answers), {
      params: {},
      canonical: canonicalOf(),
      path: 'r.json',
      book: partBook(),
      ended: (trial) => kept.push(trial),
    })
    for (let i = 0; i <= answers.length - 1; i++) await model.generate(requestOf([user('x')]), { signal })
    await model.close(ok)
    return kept
  }
  const failure = response({ error: { code: 'rate_limited', message: 'too many' } })

  test('is kept only of a trial that ended in order', async () => {
    expect(await ended([response()], true)).toEqual([expect.objectContaining({ outside: [] })])
    expect(await ended([response()], false)).toEqual([undefined])
    expect(await ended([], true)).toEqual([undefined])
    expect(await ended([response(), failure], true)).toEqual([undefined])
  })

  test('is not kept where a request was cut off', async () => {
    const kept: (CassetteTrial | undefined)[] = []
    const inner = { ...answering([]), generate: async () => Promise.reject(new Error('out of time')) }
    const model = recordModel(inner, {
      params: {},
      canonical: canonicalOf(),
      path: 'r.json',
      book: partBook(),
      ended: (trial) => kept.push(trial),
    })
    await expect(model.generate(requestOf([user('x')]), { signal })).rejects.toThrow('out of time')
    await model.close(true)
    expect(kept).toEqual([undefined])
  })

  test('times are rounded and ids left out, so that the same answers are the same bytes', async () => {
    const of = async (latencyMs: number, id: string) => {
      const talk = base()
      const steps = talk.steps.map((step) => ({
        ...step,
        answer: { ...step.answer, latencyMs, calls: step.answer.calls.map((one) => ({ ...one, id })) },
      }))
      return JSON.stringify((await record({ ...talk, steps })).trial)
    }
    expect(await of(112, 'toolu_1')).toBe(await of(96, 'toolu_2'))
  })
})

describe('tools that reach out of the machine', () => {
  const network = (texts: string[]): Tool => ({
    type: 'network_request',
    risk: 'high',
    isOutside: true,
    run: async () => ({ status: 'ok', text: texts.shift() ?? 'none left' }),
  })
  const local: Tool = { ...network(['local']), type: 'read_file', isOutside: undefined as never }
  const context = {} as Parameters<Tool['run']>[1]

  test('are recorded, and their results played back without them', async () => {
    const book = partBook()
    let kept: CassetteTrial | undefined
    const recording = recordModel(answering([response()]), {
      params: {},
      canonical: canonicalOf(places('/home/a')),
      path: 'r.json',
      book,
      ended: (trial) => {
        kept = trial
      },
    })
    const tool = recording.recording?.tool(network(['one /home/a', 'two correcthorsebattery']))
    expect(recording.recording?.tool(local)).toBe(local)
    await recording.generate(requestOf([user('x')]), { signal })
    expect(await tool?.run({ url: 'https://a.example/home/a' }, context)).toEqual({ status: 'ok', text: 'one /home/a' })
    await tool?.run({ url: 'https://b.example' }, context)
    await recording.close(true)
    expect(kept?.outside).toEqual([
      { action: 'network_request', target: 'https://a.example/home/a', status: 'ok', text: 'one [path:home]' },
      {
        action: 'network_request',
        target: 'https://b.example',
        status: 'ok',
        text: expect.stringMatching(/^two \[red/),
      },
    ])

    const played = replayModel(kept as CassetteTrial, options(base(), book, '/Users/b')).recording?.tool(
      network(['live']),
    )
    expect(await played?.run({}, context)).toEqual({ status: 'ok', text: 'one /Users/b' })
    await played?.run({}, context)
    expect(await played?.run({}, context)).toEqual({
      status: 'error',
      text: 'no result of network_request is recorded for this',
    })
  })
})

describe('any conversation', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom('{root}/ws/a.csv', '[path:workspace]', 'correcthorsebattery', '{root}', '$&', '__proto__'),
  )
  const step = fc.record({ observation: text, name: fc.constantFrom('read_file', 'run_script', 'odd'), said: text })
  const talks = fc.record({ input: text, steps: fc.array(step, { minLength: 1, maxLength: 5 }) })
  type Drawn = typeof talks extends fc.Arbitrary<infer T> ? T : never

  const talkOf = ({ input, steps }: Drawn, root: string): Talk => {
    const at = (drawn: string) => drawn.replaceAll('{root}', root)
    return {
      parts: someParts({ system: at('Work in {root}/ws.') }),
      params: { model: 'm' },
      steps: steps.map(({ observation, name, said }, i) => ({
        added:
          i === 0
            ? [user(at(input))]
            : [answered(call('0', name, { path: at(said) })), results({ name, text: at(observation) })],
        answer: response({ text: at(said), calls: [call(`${i}`, name, { path: at(said), [at(said)]: 1 })] }),
      })),
    }
  }

  const withoutSecrets = (value: unknown) =>
    JSON.stringify(value).replaceAll(/\[redacted:\w+:\w+\]/g, 'correcthorsebattery')

  test('that was recorded is replayed elsewhere with the same answers, and never stale', async () => {
    await fc.assert(
      fc.asyncProperty(talks, async (drawn) => {
        const recorded = await record(talkOf(drawn, '/home/a'), '/home/a')
        const there = talkOf(drawn, '/Users/b')
        const { said, use } = await replay(there, recorded, {}, '/Users/b')
        expect(use).toEqual({ path: 'r.json', mode: 'replay', stale_parts: [] })
        const plain = (answers: readonly ModelResponse[]) =>
          answers.map(({ text: answer, calls }) => ({
            answer,
            calls: calls.map(({ name, input }) => ({ name, input })),
          }))
        expect(withoutSecrets(plain(said))).toBe(withoutSecrets(plain(there.steps.map(({ answer }) => answer))))
      }),
      { numRuns: 300 },
    )
  })

  test('with one observation changed is stale at that observation', async () => {
    await fc.assert(
      fc.asyncProperty(talks, fc.nat(), async (drawn, seed) => {
        fc.pre(drawn.steps.length > 1)
        const at = 1 + (seed % (drawn.steps.length - 1))
        const recorded = await record(talkOf(drawn, '/home/a'))
        const steps = drawn.steps.map((one, i) => (i === at ? { ...one, observation: `${one.observation} more` } : one))
        const { use } = await replay(talkOf({ ...drawn, steps }, '/home/a'), recorded)
        expect(use?.stale_parts).toEqual([`observation:${at}`])
      }),
      { numRuns: 200 },
    )
  })
})
