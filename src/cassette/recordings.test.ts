import { describe, expect, test } from 'vitest'
import { SkillsEvalError } from '../core/errors.ts'
import type { ModelResponse } from '../core/model.ts'
import type { ModelAdapter } from '../core/ports.ts'
import { answering, requestOf, response, signal, someParts, someSecrets, user } from './conversation.test-support.ts'
import type { RecordedTrial } from './recorded-trial.ts'
import { openRecordings } from './recordings.ts'
import { stalePolicy } from './stale-policy.ts'

const path = 's/c/p.json'

const onDisk = (files: Record<string, string> = {}) => {
  const told: string[] = []
  const reads: string[] = []
  const open = (today = '2026-11-21') =>
    openRecordings({
      store: {
        shown: 'recordings',
        read: (at) => {
          reads.push(at)
          if (files[at] === 'unreadable') throw new SkillsEvalError('not_utf8', 'it is not UTF-8')
          return files[at]
        },
        write: (at, text) => {
          if (text.includes('too much')) throw new SkillsEvalError('write_failed', 'the disk is full')
          files[at] = text
        },
      },
      redactor: someSecrets,
      today,
      notKept: (at, reason) => told.push(`${at}: ${reason}`),
      failed: (at, reason) => told.push(`${at} failed: ${reason}`),
    })
  return { files, told, reads, open }
}

const trial = (change: Partial<RecordedTrial> = {}): RecordedTrial => ({
  suite: 's',
  case: 'c',
  profile: 'p',
  n: 1,
  attempt: 1,
  mode: 'replay',
  protocol: 'native',
  params: {},
  places: [],
  normalize: [],
  policy: stalePolicy(),
  again: (mode) => `skills-eval run s --record ${mode}`,
  priceOf: () => 0,
  live: () => answering([response({ text: 'live' })]),
  ...change,
})

const ask = (model: ModelAdapter, input = 'x'): Promise<ModelResponse> =>
  model.generate(requestOf([user(input)], someParts()), { signal })

/** One trial of one turn; what was said, or why not. */
const run = async (disk: ReturnType<typeof onDisk>, change: Partial<RecordedTrial> = {}, input = 'x') => {
  const recordings = disk.open()
  const model = recordings.open(trial(change))
  const { text, error } = await ask(model, input)
  await model.close(error === undefined)
  recordings.endCase(trial(change))
  return error === undefined ? text : `${error.code}: ${error.message}`
}

const says = (text: string) => () => answering([response({ text })])
const broken = () => answering([response({ error: { code: 'rate_limited', message: 'too many' } })])
const never = () => {
  throw new Error('the model was asked')
}
/** A recording of trials that answer `old 1`, `old 2` …, each to the input of its place. */
const recorded = async (...inputs: readonly string[]) => {
  const disk = onDisk()
  const recordings = disk.open('2026-01-01')
  for (const [i, input] of inputs.entries()) {
    const model = recordings.open(trial({ mode: 'all', n: i + 1, live: says(`old ${i + 1}`) }))
    await ask(model, input)
    await model.close(true)
  }
  recordings.endCase(trial())
  return disk
}
const answersOf = (text: string | undefined): string[] =>
  (JSON.parse(text ?? '{"trials": []}') as { trials: { turns: { answer: { text: string } }[] }[] }).trials.map(
    ({ turns }) => turns[0]?.answer.text ?? '',
  )

describe('a mode, and what is there', () => {
  test.each<[RecordedTrial['mode'], string]>([
    ['replay', 'old 1'],
    ['missing', 'old 1'],
    ['stale', 'old 1'],
    ['all', 'live'],
  ])('%s with a recording that answers: %s', async (mode, said) => {
    const disk = await recorded('x')
    const before = disk.files[path]
    expect(await run(disk, { mode, ...(said === 'live' ? {} : { live: never }) })).toBe(said)
    expect(answersOf(disk.files[path])).toEqual([said])
    if (said !== 'live') expect(disk.files[path]).toBe(before)
  })

  test.each<RecordedTrial['mode']>(['replay', 'stale'])('%s with none says how to record it', async (mode) => {
    const disk = onDisk()
    expect(await run(disk, { mode, live: never })).toBe(
      'missing_cassette: There is no recording of s/c on p (recordings/s/c/p.json).\n  Record: skills-eval run s --record missing',
    )
    expect(disk.files).toEqual({})
  })

  test.each<RecordedTrial['mode']>(['missing', 'all'])('%s with none records', async (mode) => {
    const disk = onDisk()
    expect(await run(disk, { mode })).toBe('live')
    expect(answersOf(disk.files[path])).toEqual(['live'])
    expect(await run(disk, { live: never })).toBe('live')
  })

  test.each<[string, string, string]>([
    ['torn', '{"format": "sk', 'it is not JSON'],
    ['no text', 'unreadable', 'it is not UTF-8'],
  ])('a file that is %s is not replaced unless that is asked', async (_, text, problem) => {
    for (const mode of ['replay', 'missing', 'stale'] as const) {
      const disk = onDisk({ [path]: text })
      expect(await run(disk, { mode, live: never, fallback: says('fallback') })).toBe(
        `missing_cassette: The recording of s/c (recordings/s/c/p.json) can't be used: ${problem}.\n  Record it anew: skills-eval run s --record all`,
      )
      expect(disk.files).toEqual({ [path]: text })
    }
    const disk = onDisk({ [path]: text })
    expect(await run(disk, { mode: 'all' })).toBe('live')
    expect(answersOf(disk.files[path])).toEqual(['live'])
  })

  test('the recording of another case is none of this one', async () => {
    const disk = await recorded('x')
    disk.files['s/d/p.json'] = disk.files[path] ?? ''
    expect(await run(disk, { case: 'd', live: never })).toContain("can't be used: it is the recording of s/c on p")
  })
})

describe('trials', () => {
  test('each plays its own recording, and one that was not recorded is missing', async () => {
    const disk = await recorded('x', 'x')
    expect(await run(disk, { n: 2 })).toBe('old 2')
    expect(await run(disk, { n: 3, live: never, fallback: says('fallback') })).toBe(
      'missing_cassette: Trial 3 of s/c on p is not recorded: recordings/s/c/p.json has 2 trials.\n  Record: skills-eval run s --record missing',
    )
  })

  test('what stands in where nothing is recorded does so only there', async () => {
    expect(await run(onDisk(), { live: never, fallback: says('fallback') })).toBe('fallback')
  })

  test('missing records those that are not there and keeps the others', async () => {
    const disk = await recorded('x', 'x')
    const recordings = disk.open()
    for (let n = 1; n <= 3; n++) {
      const model = recordings.open(trial({ mode: 'missing', n }))
      await ask(model)
      await model.close(true)
    }
    recordings.endCase(trial())
    expect(answersOf(disk.files[path])).toEqual(['old 1', 'old 2', 'live'])
  })

  test('several at a time, ending in any order, make one file in their own order', async () => {
    const disk = onDisk()
    const recordings = disk.open()
    const models = [1, 2, 3].map((n) => recordings.open(trial({ mode: 'all', n, live: says(`new ${n}`) })))
    for (const model of models.toReversed()) {
      await ask(model)
      await model.close(true)
      expect(disk.files).toEqual({})
    }
    recordings.endCase(trial())
    expect(answersOf(disk.files[path])).toEqual(['new 1', 'new 2', 'new 3'])
    expect(disk.reads).toEqual([path])
  })

  test.each([['an error', broken, true] as const, ['an interruption', says('cut'), false] as const])(
    '%s in one leaves the old file as it was',
    async (_, live, ok) => {
      const disk = await recorded('x', 'x')
      const before = disk.files[path]
      const recordings = disk.open()
      for (const [n, model] of [says('new'), live].entries()) {
        const opened = recordings.open(trial({ mode: 'all', n: n + 1, live: model }))
        await ask(opened)
        await opened.close(n === 0 || ok)
      }
      recordings.endCase(trial())
      expect(disk.files[path]).toBe(before)
      expect(disk.told).toEqual(['recordings/s/c/p.json: a trial did not end in order'])
    },
  )

  test('behind a gap nothing is kept, and nothing rewritten', async () => {
    const disk = await recorded('x')
    const before = disk.files[path]
    const recordings = disk.open()
    for (const [i, live] of [never, broken, says('third')].entries()) {
      const model = recordings.open(trial({ mode: 'missing', n: i + 1, live }))
      await ask(model)
      await model.close(i !== 1)
    }
    recordings.endCase(trial())
    expect(disk.files[path]).toBe(before)
  })

  test.each<[string, RecordedTrial['mode'], readonly boolean[], string[]]>([
    ['the one that ended in order', 'all', [false, true], ['attempt 2']],
    ['the last of several, whatever went well before', 'all', [true, false, true], ['attempt 3']],
    ['none, where the last did not end in order', 'all', [true, false], ['old 1']],
    ['the one that ended in order, of what was missing', 'missing', [false, true], ['attempt 2']],
    ['the one that ended in order, of what was stale', 'stale', [true, false, true], ['attempt 3']],
  ])('of several attempts at a trial is kept %s', async (_, mode, ends, kept) => {
    const disk = mode === 'missing' ? onDisk() : await recorded('x')
    const recordings = disk.open()
    for (const [i, ok] of ends.entries()) {
      const model = recordings.open(trial({ mode, attempt: i + 1, live: says(`attempt ${i + 1}`) }))
      await ask(model, 'y')
      await model.close(ok)
    }
    recordings.endCase(trial())
    expect(answersOf(disk.files[path])).toEqual(kept)
  })

  test('a disk that does not take it is told of, and ends nothing', async () => {
    const disk = onDisk()
    expect(await run(disk, { mode: 'all', live: says('too much') })).toBe('too much')
    expect(disk.told).toEqual(['recordings/s/c/p.json failed: the disk is full'])
  })

  test('nothing is held of a case that is done: it is read anew', async () => {
    const disk = await recorded('x')
    disk.reads.length = 0
    const recordings = disk.open()
    for (let i = 0; i < 2; i++) {
      const model = recordings.open(trial())
      await ask(model)
      await model.close(true)
      recordings.endCase(trial())
    }
    expect(disk.reads).toEqual([path, path])
  })
})

describe('mode stale', () => {
  /** As the runner does it: a stale trial is opened once more. */
  const tried = async (
    recordings: ReturnType<ReturnType<typeof onDisk>['open']>,
    change: Partial<RecordedTrial>,
    input: string,
  ) => {
    for (let attempt = 1; ; attempt++) {
      const model = recordings.open(trial({ mode: 'stale', attempt, ...change }))
      const { text, error } = await ask(model, input)
      await model.close(error === undefined)
      if (recordings.tried(trial(change), change.n ?? 1).staleAt !== attempt) return text || error?.code
    }
  }

  test.each([[[1, 2, 3]], [[3, 1, 2]], [[2, 3, 1]]])(
    'records anew the trials that are stale and no others, in any order: %j',
    async (order) => {
      const disk = await recorded('x', 'y', 'x')
      const recordings = disk.open()
      const said: Record<number, unknown> = {}
      for (const n of order) said[n] = await tried(recordings, { n }, 'x')
      recordings.endCase(trial())
      expect(said).toEqual({ 1: 'old 1', 2: 'live', 3: 'old 3' })
      expect(answersOf(disk.files[path])).toEqual(['old 1', 'live', 'old 3'])
    },
  )

  test('also where another part was only warned of before', async () => {
    const disk = await recorded('x', 'x')
    const recordings = disk.open()
    const policy = stalePolicy({ params: 'warn' })
    const change = { policy, params: { model: 'n' } }
    expect(await tried(recordings, { n: 1, ...change }, 'x')).toBe('old 1')
    expect(await tried(recordings, { n: 2, ...change }, 'y')).toBe('live')
    recordings.endCase(trial())
    expect(answersOf(disk.files[path])).toEqual(['old 1', 'live'])
  })

  test('keeps the old one where recording fails', async () => {
    const disk = await recorded('x')
    const before = disk.files[path]
    const recordings = disk.open()
    expect(await tried(recordings, { live: broken }, 'y')).toBe('rate_limited')
    recordings.endCase(trial())
    expect(disk.files[path]).toBe(before)
  })

  test('no other mode asks the model a second time', async () => {
    const disk = await recorded('x')
    expect(await run(disk, { mode: 'replay', attempt: 2, live: never })).toBe('old 1')
    for (const mode of ['replay', 'missing'] as const) {
      const recordings = disk.open()
      const model = recordings.open(trial({ mode, live: never }))
      expect((await ask(model, 'y')).error?.code).toBe('stale')
      await model.close(false)
      expect(recordings.tried(trial(), 1).staleAt).toBeUndefined()
    }
  })

  test('a second attempt at a trial that is not stale replays it again', async () => {
    const disk = await recorded('x')
    const recordings = disk.open()
    for (const attempt of [1, 2]) {
      const model = recordings.open(trial({ mode: 'stale', attempt, live: never }))
      expect((await ask(model)).text).toBe('old 1')
      await model.close(true)
    }
    expect(recordings.tried(trial(), 1)).toEqual({ staleAt: undefined, isJudgeAsked: false })
  })
})

describe('what is written', () => {
  test('is the same when it is recorded again, but for the date', async () => {
    const disk = await recorded('x')
    const before = disk.files[path] ?? ''
    await run(disk, { mode: 'all', live: says('old 1') })
    expect(disk.files[path]).toBe(before.replace('2026-01-01', '2026-11-21'))
  })

  test('has no secret in it, whoever said it', async () => {
    const disk = onDisk()
    const secret = 'correcthorsebattery'
    const live = () => answering([response({ text: secret, model: `m-${secret}` })])
    await run(disk, { mode: 'all', live, params: { user: secret } }, `log in with ${secret}`)
    expect(disk.files[path]).not.toContain(secret)
    expect(disk.files[path]).toMatch(/\[redacted:env:\w{6}\]/)
  })

  test('is not written where a secret is in what names it', async () => {
    const disk = onDisk()
    await run(disk, { mode: 'all', suite: 'correcthorsebattery' })
    expect(disk.files).toEqual({})
    expect(disk.told).toEqual([expect.stringContaining('a secret could not be taken out of it')])
  })
})
