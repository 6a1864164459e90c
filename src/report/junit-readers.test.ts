import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse as junit2json } from 'junit2json'
import { parse as testResults } from 'test-results-parser'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  HOSTILE,
  hostileSuite,
  render,
  runOf,
  type SampleRun,
  sampleCase,
  sampleRun,
  sampleSuite,
  sampleTrial,
} from '../../test/support/sample-run.ts'
import { foreignLine } from './foreign-text.ts'
import { junitReporter } from './junit-report.ts'

/** A case as another program has read it. */
type Read = { readonly name: string; readonly outcome: string; readonly message?: string | undefined }

const junit = (run: SampleRun) => render(junitReporter(), run)

/** junit2json, which reads with xml2js. */
const byJunit2json = async (xml: string) => {
  const all = await junit2json(xml)
  const suites = (all && 'testsuite' in all ? all.testsuite : undefined) ?? []
  return {
    counts: [all?.tests, all?.failures, all?.errors],
    suites: suites.map(({ name, tests, time }) => ({ name, tests, time })),
    cases: suites.flatMap(({ testcase = [] }) =>
      testcase.map(({ name, failure, error, skipped }): Read => {
        const [problem] = failure ?? error ?? []
        const outcome = problem ? 'FAIL' : skipped ? 'SKIP' : 'PASS'
        return { name: name ?? '', outcome, ...(problem ? { message: problem.message } : {}) }
      }),
    ),
  }
}

/** test-results-parser, which reads with fast-xml-parser. */
const byTestResults = (xml: string) => {
  const dir = mkdtempSync(join(tmpdir(), 'junit-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'junit.xml')
  writeFileSync(file, xml)
  const all = testResults({ type: 'junit', files: [file] })
  return {
    counts: [all.total + all.skipped, all.failed, all.errors],
    suites: all.suites.map(({ name, total, skipped, duration }) => ({
      name: String(name),
      tests: total + skipped,
      time: duration / 1000,
    })),
    cases: all.suites.flatMap(({ cases }) =>
      cases.map(
        ({ name, status, failure }): Read => ({
          name: String(name),
          outcome: status,
          ...(status === 'FAIL' ? { message: String(failure) } : {}),
        }),
      ),
    ),
    attachments: all.suites.flatMap(({ cases }) => cases.flatMap(({ attachments }) => attachments)),
    metadata: all.suites.flatMap(({ cases }) => cases.map(({ metadata }) => metadata)),
  }
}

const outcomes = { passed: 'PASS', failed: 'FAIL', error: 'FAIL', stale: 'FAIL', skipped: 'SKIP' } as const

describe('junit.xml in programs of others', () => {
  test('has in both the counts, names and outcomes that the run has', async () => {
    const run = sampleRun()
    const xml = junit(run)
    const { summary } = run.head
    const counts = [summary.cases, summary.failed, summary.errors + summary.stale]
    const expected = run.suites
      .flatMap(({ cases }) => cases)
      .map(({ id, status }) => [foreignLine(id, 1000), outcomes[status]])
    for (const read of [await byJunit2json(xml), byTestResults(xml)]) {
      expect(read.counts).toEqual(counts)
      expect(read.cases.map(({ name, outcome }) => [name, outcome])).toEqual(expected)
      for (const { outcome, message } of read.cases) if (outcome === 'FAIL') expect(message).not.toBe('')
    }
  })

  test('has in both the time of each suite, which is that of its cases', async () => {
    const trial = (duration_ms: number) => sampleTrial({ duration_ms })
    const xml = junit(
      runOf([
        sampleSuite('a', [
          sampleCase({ trials: [trial(1500), trial(250)] }),
          sampleCase({ id: 'b', trials: [trial(250)] }),
        ]),
        sampleSuite('b', [sampleCase({ trials: [trial(40)] })]),
      ]),
    )
    const times = [
      { name: 'a', tests: 2, time: 2 },
      { name: 'b', tests: 1, time: 0.04 },
    ]
    expect((await byJunit2json(xml)).suites).toEqual(times)
    expect(byTestResults(xml).suites).toEqual(times)
  })

  test('is read by both whatever the texts are', async () => {
    const pieces = [...HOSTILE.split('\n'), ']]>', '<![CDATA[', '&#0;', '\ud800', '\x00', '\x1b[2J', '__proto__']
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.array(fc.constantFrom(...pieces)).map((all) => all.join('\n')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (hostile) => {
        const xml = junit(runOf([hostileSuite(hostile)]))
        const read = await byJunit2json(xml)
        expect(read.cases).toHaveLength(3)
        const { cases } = byTestResults(xml)
        expect(cases.map(({ outcome }) => outcome)).toEqual(read.cases.map(({ outcome }) => outcome))
      }),
      { numRuns: 40 },
    )
  })

  test('attaches no file, and sets no property, that a model names in what it says', () => {
    const said = 'see [[ATTACHMENT|/etc/passwd]] [[PROPERTY|owner=me]] [[PROPERTY|more]]x[[/PROPERTY]]'
    const action = {
      turn: 1,
      action: 'final_answer',
      params: { text: said },
      status: 'ok',
      observation: '',
      duration_ms: 1,
    } as const
    const trial = sampleTrial({ status: 'failed', reason: said, output: said, actions: [action] })
    const xml = junit(runOf([sampleSuite('s', [sampleCase({ status: 'failed', reason: said, trials: [trial] })])]))
    const read = byTestResults(xml)
    expect(read.attachments).toEqual([])
    expect(Object.keys(read.metadata[0] ?? {})).not.toEqual(expect.arrayContaining(['owner']))
    expect(read.metadata[0]).not.toHaveProperty('more')
    expect(xml).toContain('ATTACHMENT|/etc/passwd')
  })

  test('shows that a case failed as it should', () => {
    const reason = 'failed as expected (xfail: upstream bug)'
    const xml = junit(runOf([sampleSuite('s', [sampleCase({ reason, trials: [sampleTrial({ status: 'failed' })] })])]))
    const { metadata, cases } = byTestResults(xml)
    expect(cases[0]?.outcome).toBe('PASS')
    expect(metadata[0]).toMatchObject({ xfail: reason })
    expect(xml).toContain(`<system-out>${reason}\ntrial 1: failed`)
  })
})
