import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { project, root } from './support/cli.ts'
import { parseXml } from './support/parse-xml.ts'

const guide = readFileSync(join(root, 'docs/ci.md'), 'utf8')
const [github, gitlab] = [...guide.matchAll(/^```yml\n([\s\S]*?)^```/gm)].map(([, text = '']) => parse(text))

const files = {
  'evals/t.eval.yaml':
    'name: t\nmodel: mock\ncases:\n  - {id: good, input: x, mock: [ok]}\n  - {id: bad, golden: true, input: x, mock: [ok], expected: {output: [{equals: other}]}}\n  - {id: broken, input: x, mock: []}\n',
}
const argsOf = (line: string): string[] => line.replace(/^npx skills-eval /, '').split(' ')

describe('the guide to CI', () => {
  test('has a workflow for GitHub whose command annotates and adds to the summary', () => {
    const commands = github.jobs.evals.steps.flatMap((step: { run?: string }) => step.run ?? [])
    using p = project({ ...files, 'summary.md': '' })
    const { code, out } = p.cli(argsOf(commands[0]), { GITHUB_STEP_SUMMARY: join(p.dir, 'summary.md') })
    expect(code).toBe(1)
    expect(out).toMatch(/^::error file=evals\/t\.eval\.yaml,line=5,/m)
    expect(readFileSync(join(p.dir, 'summary.md'), 'utf8')).toMatch(/^# Not passed/)
  })

  test('has a job for GitLab that leaves the reports that it names', () => {
    const { script, artifacts } = gitlab.evals
    using p = project(files)
    expect(p.cli(argsOf(script[0])).code).toBe(1)
    const read = (path: string) => readFileSync(join(p.dir, path), 'utf8')
    expect(parseXml(read(artifacts.reports.junit)).attributes).toMatchObject({ tests: '3', failures: '1', errors: '1' })
    const findings = JSON.parse(read(artifacts.reports.codequality))
    expect(findings).toEqual([
      {
        description: expect.stringMatching(/^t\/bad failed: equals "other"/),
        check_name: 'skills-eval/failed',
        fingerprint: expect.stringMatching(/^[\da-f]{64}$/),
        severity: 'blocker',
        location: { path: 'evals/t.eval.yaml', lines: { begin: 5 } },
      },
      expect.objectContaining({ check_name: 'skills-eval/error', severity: 'major' }),
    ])
    p.cli(argsOf(script[0]))
    const again = JSON.parse(read(artifacts.reports.codequality)) as { fingerprint: string }[]
    expect(again.map(({ fingerprint }) => fingerprint)).toEqual(
      findings.map(({ fingerprint }: { fingerprint: string }) => fingerprint),
    )
  })
})
