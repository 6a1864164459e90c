import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feedbackJson, readRemarks } from './feedback-file.ts'

test('feedback.json has a review for each trial that something was written of', () => {
  const remarks = {
    's/a/m/1': { text: 'wrong sum', at: '2026-01-02T03:04:05.000Z' },
    's/b/m/1': { text: '  \n', at: '2026-01-02T03:04:05.000Z' },
  }
  expect(JSON.parse(feedbackJson('run-1', remarks))).toEqual({
    run: 'run-1',
    reviews: [{ run_id: 's/a/m/1', feedback: 'wrong sum', timestamp: '2026-01-02T03:04:05.000Z' }],
    status: 'complete',
  })
})

test('what the browser kept is read back, and anything else is no remark', () => {
  const remarks = { '__proto__/a': { text: 'x', at: 'now' } }
  expect({ ...readRemarks(JSON.stringify(remarks)) }).toEqual(remarks)
  expect({ ...readRemarks('{"a": 3, "b": null, "c": {"text": 1, "at": ""}, "d": {"text": "x", "at": ""}}') }).toEqual({
    d: { text: 'x', at: '' },
  })
  for (const kept of [null, '', '3', 'null', '[]', '{']) expect({ ...readRemarks(kept) }).toEqual({})
  fc.assert(fc.property(fc.json(), (kept) => void readRemarks(kept)))
})
