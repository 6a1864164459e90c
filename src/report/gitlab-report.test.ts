import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HOSTILE,
  hostileSuite,
  render,
  runOf,
  type SampleRun,
  sampleCase,
  sampleRun,
  sampleSuite,
} from '../../test/support/sample-run.ts'
import { gitlabReporter } from './gitlab-report.ts'

type Finding = {
  readonly description: string
  readonly check_name: string
  readonly fingerprint: string
  readonly severity: string
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } }
}

const findings = (run: SampleRun): readonly Finding[] => JSON.parse(render(gitlabReporter(), run))

describe('gitlabReporter', () => {
  test('has a finding for each case that did not pass, each with a fingerprint of its own', () => {
    const run = sampleRun()
    const bad = run.suites.flatMap(({ cases }) => cases).filter(({ status }) => /failed|error|stale/.test(status))
    const found = findings(run)
    expect(found.map(({ check_name }) => check_name)).toEqual(bad.map(({ status }) => `skills-eval/${status}`))
    expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(found.length)
    expect(found[0]).toMatchObject({
      description: 'csv/top-months [mock] failed: the JSON of the answer differs',
      severity: 'critical',
      location: { path: 'evals/csv.eval.yaml', lines: { begin: 12 } },
    })
  })

  test('names what is golden a blocker, and gives each model a finding', () => {
    const failed = { status: 'failed', golden: true } as const
    const cases = [sampleCase({ ...failed, model: 'a' }), sampleCase({ ...failed, model: 'b', golden: false })]
    const found = findings(runOf([sampleSuite('s', cases)]))
    expect(found.map(({ severity }) => severity)).toEqual(['blocker', 'critical'])
    expect(found[0]?.fingerprint).not.toBe(found[1]?.fingerprint)
  })

  test.each([
    ['no suite', runOf([])],
    ['nothing that went wrong', runOf([sampleSuite('s', [sampleCase()])])],
  ])('is an empty list for %s', (_, run) => {
    expect(findings(run)).toEqual([])
  })

  test('is JSON with nothing invisible, whatever the texts are', () => {
    const pieces = [...HOSTILE.split('\n'), '"', '\\', '\ud800', '\x00', '\u202e']
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...pieces)).map((all) => all.join('\n')),
    )
    fc.assert(
      fc.property(text, (hostile) => {
        for (const { description, location } of findings(runOf([hostileSuite(hostile)])))
          expect(description + location.path).not.toMatch(
            /[\p{Cc}\p{Surrogate}\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u,
          )
      }),
    )
  })
})
