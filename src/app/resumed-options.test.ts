import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskFiles } from '../adapters/files/disk-files.ts'
import { tempFolder } from '../adapters/files/temp-folder.test-support.ts'
import { startedOptions, storedOptions } from './resumed-options.ts'
import type { RunOptions } from './run-options.ts'

const options: RunOptions = {
  paths: ['.'],
  reporters: [],
  json: false,
  quiet: false,
  list: false,
  dryRun: false,
  passWithNoCases: false,
  trustSuites: false,
  allowStale: false,
  command: [],
}

test('keeps the places of another version of the skills and of timings relative to the project, and names as they are', () => {
  const dir = tempFolder({ 'old/a': '', 'evals/times/run.json': '{}' })
  const [project, files] = [{ dir, configFile: undefined }, diskFiles()]
  const inEvals = { cwd: join(dir, 'evals'), files }
  const kept = (more: Partial<RunOptions>) => {
    const { baseline, timings } = storedOptions({ ...options, ...more }, project, inEvals)
    return { baseline, timings }
  }
  const stored = { baseline: 'old', timings: 'evals/times/run.json' }
  expect(kept({ baseline: '../old', timings: 'times/run.json' })).toEqual(stored)
  for (const baseline of ['without_skills', 'without:csv'])
    expect(kept({ baseline, timings: '20260101' })).toEqual({ baseline, timings: '20260101' })
  const again = (name: Partial<RunOptions>, cwd: string) => {
    const all = storedOptions({ ...options, ...name }, project, inEvals)
    const { baseline, timings } = startedOptions({ ...options, paths: [] }, all, project, { cwd, files })
    return { baseline, timings }
  }
  expect(again({ baseline: '../old', timings: 'times/run.json' }, dir)).toEqual(stored)
  const names = { baseline: 'without:csv', timings: '20260101' }
  expect(again(names, dir)).toEqual(names)
})
