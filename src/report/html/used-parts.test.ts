import { expect, test } from 'vitest'
import { sampleCase, sampleTrial } from '../../../test/support/sample-run.ts'
import type { ActionResult } from '../../schema/run.ts'
import { usedParts } from './used-parts.ts'

const act = (action: string, params: ActionResult['params'], more: Partial<ActionResult> = {}): ActionResult => ({
  ...{ turn: 1, action, params, status: 'ok', observation: '', duration_ms: 1 },
  ...more,
})
const trialOf = (skills: readonly string[], ...actions: ActionResult[]) =>
  sampleTrial({ skills_selected: [...skills], actions })

test('what a run used of a skill is counted by cases, whatever the trials', () => {
  const used = usedParts()
  const read = act('load_resource', { skill: { name: 'csv' }, path: './references/a.md' })
  const ran = act('run_script', { skill: { name: 'csv' }, path: 'scripts/b.py' }, { status: 'error', exit_code: 2 })
  used.add(sampleCase({ trials: [trialOf(['csv'], read, read, ran), trialOf(['csv'], read)] }))
  used.add(sampleCase({ trials: [trialOf(['csv', 'logs'], { ...read, status: 'denied' }, ran)] }))
  expect(used.told()).toEqual([
    {
      skill: 'csv',
      cases: 2,
      files: [
        { path: 'references/a.md', how: 'loaded', cases: 1 },
        { path: 'scripts/b.py', how: 'run', cases: 2 },
      ],
    },
    { skill: 'logs', cases: 1, files: [] },
  ])
})

test('what was not done, or names no skill, is no use of it', () => {
  const used = usedParts()
  const trials = [
    act('load_resource', { skill: 'csv', path: 'a' }, { status: 'error' }),
    act('run_script', { skill: 'csv', path: 'a' }, { status: 'denied' }),
    act('load_resource', { path: 'a' }),
    act('load_resource', { skill: 'csv', path: 3 }),
    act('read_file', { skill: 'csv', path: 'a' }),
  ].map((action) => trialOf([], action))
  used.add(sampleCase({ trials }))
  expect(used.told()).toEqual([])
})
