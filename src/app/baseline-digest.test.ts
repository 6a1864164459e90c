import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { diskFiles } from '../adapters/files/disk-files.ts'
import { tempFolder } from '../adapters/files/temp-folder.test-support.ts'
import type { PlannedCase, PlannedSuite } from '../core/plan.ts'
import { aCase, aSuite } from '../runner/runner.test-support.ts'
import { baselineDigest } from './baseline-digest.ts'

const mock = { provider: 'mock', protocol: 'native' } as const

/** A project with a grader at its root, and the digest of a baseline of it. */
const graded = () => {
  const dir = tempFolder()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  write('grade.js', 'one')
  const digest = (more: Partial<PlannedSuite> = {}) => {
    const suite = aSuite(more)
    const evalCase = aCase({ id: 'a', expected: { output: [{ script: { run: join(dir, 'grade.js') } }] } })
    function* cases(): Generator<PlannedCase> {
      yield { suite, evalCase, model: 'mock', trials: 1, at: 0 }
    }
    const files = diskFiles()
    return baselineDigest({
      project: { dir, configFile: undefined },
      config: { models: { m1: mock, m2: mock } },
      found: { arm: { kind: 'without_skills' } },
      arm: { plan: { suites: [suite], counts: { cases: 1, trials: 1, skipped: 0 }, cases }, skillsIn: () => [] },
      choice: { allowStale: false },
      seed: 1,
      host: { version: '1', isCi: false, files },
    })
  }
  return { write, digest }
}

test('a grader at the root of a project counts with what lies beside it, but not with what runs leave there', () => {
  const { write, digest } = graded()
  const first = digest()
  expect(first).toBeDefined()
  for (const path of ['reports/1/run.json', 'recordings/a.json', 'node_modules/a/index.js', '.git/HEAD'])
    write(path, 'new')
  expect(digest()).toBe(first)
  write('rules.json', 'new')
  const second = digest()
  expect(second).not.toBe(first)
  write('grade.js', 'two')
  expect(digest()).not.toBe(second)
})

test('is not known where more lies beside a grader than can be read', () => {
  const { write, digest } = graded()
  for (let i = 0; i < 10_001; i += 1) write(`data/${i}`, '')
  expect(digest()).toBeUndefined()
})

test('depends on who judges a suite', () => {
  const { digest } = graded()
  expect(
    new Set([digest(), digest({ models: ['m1', 'm2'], judge: 'm1' }), digest({ models: ['m1', 'm2'], judge: 'm2' })]),
  ).toHaveProperty('size', 3)
})
