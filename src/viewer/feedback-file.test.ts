import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feedbackSchema } from '../schema/feedback.ts'
import { feedbackJson, mergedRemarks, type Remark, readFeedback, readRemarks } from './feedback-file.ts'
import { caseKey } from './route.ts'

const at = '2026-01-02T03:04:05.000Z'

describe('feedback.json', () => {
  test('has a review for each trial that something was written of, or that was rated', () => {
    const remarks: Readonly<Record<string, Remark>> = {
      's/a%2Fb/m/1': { text: 'wrong sum', rating: 'bad', at },
      's/b/m/1': { text: '  \n', at },
      's/c/m/2': { text: '', rating: 'good', at },
      'what else': { text: 'kept by nobody', at },
    }
    const written: unknown = JSON.parse(feedbackJson('run-1', remarks))
    expect(written).toEqual({
      format: 'skills-eval/feedback@1',
      run: 'run-1',
      reviews: [
        {
          ...{ run_id: 's/a%2Fb/m/1', suite: 's', case: 'a/b', model: 'm', trial: 1 },
          ...{ rating: 'bad', feedback: 'wrong sum', timestamp: at },
        },
        {
          ...{ run_id: 's/c/m/2', suite: 's', case: 'c', model: 'm', trial: 2 },
          ...{ rating: 'good', feedback: '', timestamp: at },
        },
      ],
      status: 'complete',
    })
    expect(feedbackSchema.parse(written)).toEqual(written)
  })

  test('is read as it was written, whatever the names, and is what the schema says', () => {
    const name = fc.string({ unit: 'binary', minLength: 1 })
    const remark = fc.record(
      {
        text: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
        at: fc.constant(at),
        rating: fc.constantFrom('good', 'bad', 'unsure'),
      },
      { requiredKeys: ['text', 'at'] },
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name, name, fc.integer({ min: 1 }), remark)), (all) => {
        const remarks = Object.fromEntries(
          all.map(([suite, id, model, n, one]) => [`${caseKey({ suite, id, model })}/${n}`, one as Remark]),
        )
        const json = feedbackJson('r', remarks)
        feedbackSchema.parse(JSON.parse(json))
        expect({ ...readFeedback(json)?.remarks }).toEqual(remarks)
      }),
    )
  })

  test('of skill-creator is read too, and of anything else nothing', () => {
    const theirs = {
      reviews: [
        { run_id: 'eval-0-with_skill', feedback: 'the axis has no label', timestamp: at },
        { run_id: 'eval-1-with_skill', feedback: '', timestamp: at },
        { feedback: 'about nothing', timestamp: at },
        null,
      ],
      status: 'in_progress',
    }
    const read = readFeedback(JSON.stringify(theirs))
    expect({ ...read?.remarks }).toEqual({ 'eval-0-with_skill': { text: 'the axis has no label', at } })
    expect(read?.unread).toBe(3)
    for (const text of ['', '{', '[]', 'null', '{"reviews": 3}']) expect(readFeedback(text)).toBeUndefined()
    fc.assert(fc.property(fc.json(), (text) => void readFeedback(text)))
  })

  test('that is read into a report leaves what is newer there', () => {
    const [old, later] = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
    const own = { a: { text: 'mine', at }, b: { text: 'mine', at } }
    const other = { a: { text: 'older', at: old }, b: { text: 'newer', at: later }, c: { text: 'new', at: old } }
    expect({ ...mergedRemarks(own, other) }).toEqual({ a: own.a, b: other.b, c: other.c })
  })
})

test('what the browser kept is read back, and anything else is no remark', () => {
  const remarks = { '__proto__/a': { text: 'x', rating: 'unsure', at: 'now' } }
  expect({ ...readRemarks(JSON.stringify(remarks)) }).toEqual(remarks)
  expect({
    ...readRemarks('{"a": 3, "b": null, "c": {"text": 1, "at": ""}, "d": {"text": "x", "at": "", "rating": "ok"}}'),
  }).toEqual({
    d: { text: 'x', at: '' },
  })
  for (const kept of [null, '', '3', 'null', '[]', '{']) expect({ ...readRemarks(kept) }).toEqual({})
  fc.assert(fc.property(fc.json(), (kept) => void readRemarks(kept)))
})
