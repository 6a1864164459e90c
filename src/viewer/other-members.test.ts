import { expect, test } from 'vitest'
import { sampleCase, sampleRun, sampleTrial } from '../../test/support/sample-run.ts'
import { otherMembers } from './other-members.ts'

test('a run of today has a place in the viewer for all it holds', () => {
  const { head } = sampleRun()
  expect([
    ...otherMembers('run', { ...head, interrupted: 'x' }),
    ...otherMembers('summary', head.summary),
    ...otherMembers('suite', { ...head.suites[0], description: 'x' }),
    ...otherMembers('case', sampleCase({ golden: true, line: 1, description: 'x', reason: 'x' })),
    ...otherMembers('trial', sampleTrial({ reason: 'x' })),
  ]).toEqual([])
})

test('what a newer program wrote is left to be shown', () => {
  expect(otherMembers('trial', { ...sampleTrial(), votes: 3, nothing: undefined })).toEqual([['votes', 3]])
})
