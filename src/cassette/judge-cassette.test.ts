import { expect, test } from 'vitest'
import type { ModelAdapter } from '../core/ports.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { Cassette } from '../schema/cassette.ts'
import { answering, requestOf, response, signal, someSecrets, user } from './conversation.test-support.ts'
import { judgeCassette } from './judge-cassette.ts'

const says = (text: string) => () => answering([response({ text })])
const fails = () => answering([response({ error: { code: 'rate_limited', message: 'too many' } })])

type Label = { readonly material: string; readonly live?: () => ModelAdapter; readonly isCutShort?: true }

/** Judges the labels one after the other; the file after that. */
const judged = async (text: string | undefined, mode: RecordMode, ...labels: readonly Label[]) => {
  const cassette = judgeCassette(text, {
    name: { suite: 'judge calibrate', case: 'l.jsonl', profile: 'j' },
    path: 'l.j.json',
    label: 'l.jsonl',
    redactor: someSecrets,
    today: '2026-11-21',
  })
  const tapes = []
  for (const { material, live = says(`${mode} ${material}`), isCutShort } of labels) {
    const judge = { profile: 'j', protocol: 'native', mode, params: {}, priceOf: () => 0, live } as const
    const tape = cassette.tape({ judge, again: () => '' })
    tapes.push(tape)
    const parts = { prompt: 'p', criteria: ['c'], request: '', what: 'the material', material }
    const { error } = await tape.model.generate({ ...requestOf([user('x')]), judge: parts }, { signal })
    await tape.model.close(error === undefined && !isCutShort)
  }
  const written = cassette.written(tapes)
  if (written && 'problem' in written) throw new Error(written.problem)
  return written?.text
}

const answersOf = (text: string | undefined) =>
  (JSON.parse(text ?? '') as Cassette).trials[0]?.judge?.map(({ answer }) => answer.text)

const old = () => judged(undefined, 'all', { material: 'a' }, { material: 'b' }, { material: 'c' })

test('what is recorded and not asked any more is left out', async () => {
  expect(answersOf(await judged(await old(), 'missing', { material: 'new' }, { material: 'b' }))).toEqual([
    'missing new',
    'all b',
  ])
})

test.each([
  ['broke', { material: 'b2', live: fails }],
  ['was cut short', { material: 'b', isCutShort: true }],
] as const)('where a label %s what is recorded stays, asked or not', async (_, label) => {
  expect(answersOf(await judged(await old(), 'missing', { material: 'new' }, label))).toEqual([
    'missing new',
    'all a',
    'all b',
    'all c',
  ])
})

test('but for what was recorded anew', async () => {
  expect(answersOf(await judged(await old(), 'all', { material: 'b' }, { material: 'a', live: fails }))).toEqual([
    'all b',
    'all a',
    'all c',
  ])
})
