import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../adapters/files/temp-folder.test-support.ts'
import { pruneRuns } from './prune-runs.ts'

test('a run that was resumed while the question was open is not deleted', () => {
  const reports = tempFolder({
    'old/run.json': '{}',
    'resumed/run.json': '{}',
    // The process that started this one is at work as long as this test is.
    'resumed/.lock': `${process.ppid} ${hostname()}`,
  })
  pruneRuns(reports, { ids: ['old', 'resumed'], baselines: [] })
  expect(['old', 'resumed'].map((id) => existsSync(join(reports, id)))).toEqual([false, true])
})
