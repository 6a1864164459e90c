import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hostileSuite,
  render,
  runOf,
  type SampleRun,
  sampleCase,
  sampleRun,
  sampleSuite,
} from '../../test/support/sample-run.ts'
import { githubReporter } from './github-report.ts'

const github = (run: SampleRun) => render(githubReporter(), run)

/** A line as GitHub's runner reads it. */
const read = (line: string) => {
  const [, properties = '', message = ''] = /^::error ([^:]*)::(.*)$/.exec(line) ?? []
  const decode = (text: string) =>
    text.replace(/%(25|0D|0A|3A|2C)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return {
    ...Object.fromEntries(properties.split(',').map((one) => one.split(/=(.*)/, 2).map(decode))),
    message: decode(message),
  }
}

describe('githubReporter', () => {
  test('tells a whole run', async () => {
    await expect(github(sampleRun())).toMatchFileSnapshot('__golden__/sample.golden.github.txt')
  })

  test('puts a problem on the suite’s file and line, with its reason', () => {
    const run = runOf([
      sampleSuite('a,b', [sampleCase({ id: 'x', line: 7, status: 'failed', reason: '50%\nof: it' })], {
        path: 'evals/a,b:c%.yaml',
      }),
    ])
    expect(github(run)).toBe(
      "::error file=evals/a%2Cb%3Ac%25.yaml,line=7,title=a%2Cb/x failed::50%25%0Aof: it%0Arepeat: skills-eval run evals/a,b:c%25.yaml --filter '=x'\n",
    )
    expect(read(github(run).trimEnd())).toEqual({
      file: 'evals/a,b:c%.yaml',
      line: '7',
      title: 'a,b/x failed',
      message: "50%\nof: it\nrepeat: skills-eval run evals/a,b:c%.yaml --filter '=x'",
    })
  })

  test('says nothing where all passed or was skipped', () => {
    expect(github(runOf([sampleSuite('s', [sampleCase(), sampleCase({ status: 'skipped' })])]))).toBe('')
  })

  test('shows the ten worst, and how many there are besides', () => {
    const cases = (['stale', 'error', 'failed'] as const).flatMap((status) =>
      Array.from({ length: 4 }, (_, i) =>
        sampleCase({ id: `${status}-${i}`, status, golden: status === 'failed' && i === 3 }),
      ),
    )
    const lines = github(runOf([sampleSuite('s', cases)]))
      .trimEnd()
      .split('\n')
    expect(lines.slice(0, -1).map((line) => /title=s\/([\w-]+)/.exec(line)?.[1])).toEqual([
      ...['failed-3', 'failed-0', 'failed-1', 'failed-2'],
      ...['error-0', 'error-1', 'error-2', 'error-3'],
      ...['stale-0', 'stale-1'],
    ])
    expect(lines.at(-1)).toBe('::notice::2 more cases not passed; all are in the report')
  })

  test('lets no text of others be a command, whatever it is', () => {
    const pieces = fc.constantFrom('::', ':', '%0A', '%', '\n', '\r', ',', '=', '##[', '##vso[', 'error', ' ')
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(text, (hostile) => {
        const lines = github(runOf([hostileSuite(hostile)]))
          .trimEnd()
          .split('\n')
        expect(lines).toHaveLength(2)
        for (const line of lines) {
          expect(line).toMatch(/^::error file=[^:,\r]*(,line=7)?,title=[^:,\r]*::/)
          expect(line.replace(/^::error [^:]*::/, '')).not.toMatch(/::|##\w*\[|[\r\n]/)
        }
      }),
    )
  })
})
