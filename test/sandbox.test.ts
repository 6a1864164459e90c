import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noIsolationHere } from '../src/adapters/sandbox/script-runner.test-support.ts'
import { head, project, skill } from './support/cli.ts'

const reason = await noIsolationHere()

/** A project whose one case runs this bash script of its skill, with what the script printed as a file. */
const scriptProject = (code: string, config: object = {}) =>
  project({
    '.agent/config.json': JSON.stringify({ skills: { roots: ['skills'] }, ...config }),
    'secret.txt': 'bait-of-the-project\n',
    'skills/tool/SKILL.md': skill('tool', 'Runs a tool. Use when a tool must run.', '# Tool\n\nRun scripts/a.sh\n'),
    'skills/tool/scripts/a.sh': `#!/usr/bin/env bash\n${code}\n`,
    'evals/t.eval.yaml': `${head}cases:
  - id: runs
    input: go
    mock:
      - select_skills: tool
      - run_script: { skill: tool, path: scripts/a.sh }
      - final_answer: done
    expected: {output: [{equals: done}]}
`,
  })

type Row = { actions: { action: string; status: string; observation: string }[] }

/** What came of the script, as the results of the run tell it. */
const observed = (dir: string): { status: string; text: string } => {
  const reports = join(dir, 'reports')
  const run = readdirSync(reports).find((name) => /^\d/.test(name)) ?? ''
  const row: Row = JSON.parse(readFileSync(join(reports, run, 'results.jsonl'), 'utf8'))
  const found = row.actions.find(({ action }) => action === 'run_script')
  return { status: found?.status ?? '', text: found?.observation ?? '' }
}

describe('scripts of an eval', () => {
  test('see no secret of the environment, unless it is passed by name', () => {
    // Reports take secrets out: only one in disguise tells what the script has seen.
    const code = '{ env; cat /proc/self/environ | tr "\\0" "\\n"; } | tr a-yA-Y b-zB-Z'
    using closed = scriptProject(code)
    const env = { SECRET_TOKEN: 'tok-8f3a11', OTHER_SECRET: 'oth-77aa' }
    expect(closed.cli(['run'], env).code).toBe(0)
    expect(observed(closed.dir).status).toBe('ok')
    expect(observed(closed.dir).text).not.toMatch(/tok-8f3a11|upl-8g3b11/)

    using open = scriptProject(code, { permissions: { env: ['SECRET_TOKEN'] } })
    expect(open.cli(['run'], env).code).toBe(0)
    expect(observed(open.dir).text).toContain('upl-8g3b11')
    expect(observed(open.dir).text).not.toMatch(/oth-77aa|pui-77bb/)
  })

  test.skipIf(reason !== undefined)('are isolated where that works', () => {
    using p = scriptProject(
      'cat "$SKILL_DIR/../../secret.txt"; echo x >> "$SKILL_DIR/SKILL.md"; cat /proc/$PPID/environ | tr a-yA-Y b-zB-Z',
    )
    const before = readFileSync(join(p.dir, 'skills/tool/SKILL.md'), 'utf8')
    const { code, err } = p.cli(['run'], { SECRET_TOKEN: 'tok-8f3a11' })
    expect(code).toBe(0)
    expect(err).not.toContain('Isolation')
    expect(observed(p.dir).text).not.toContain('bait-of-the-project')
    expect(observed(p.dir).text).not.toMatch(/tok-8f3a11|upl-8g3b11/)
    expect(observed(p.dir).text).toContain('Read-only file system')
    expect(readFileSync(join(p.dir, 'skills/tool/SKILL.md'), 'utf8')).toBe(before)
  })

  test('are refused where isolation is required and is not there', () => {
    using p = scriptProject('echo RAN', { sandbox: 'require' })
    using bin = project({ bwrap: '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n' })
    const { err } = p.cli(['run'], { PATH: `${bin.dir}:${process.env.PATH}` })
    expect(err.match(/Isolation: none\./g)).toHaveLength(1)
    expect(err).toContain('No script is run: the configuration says sandbox: require.')
    expect(err).toContain('user namespaces are not allowed here')
    expect(observed(p.dir).status).toBe('denied')
    expect(observed(p.dir).text).not.toContain('RAN')
  })

  test('run without isolation where it is switched off, and nothing is said', () => {
    using p = scriptProject('echo RAN', { sandbox: 'off' })
    const { code, err } = p.cli(['run'])
    expect([code, observed(p.dir).status]).toEqual([0, 'ok'])
    expect(err).not.toContain('Isolation')
  })

  test('can’t be loosened by a project whose user requires isolation', () => {
    using p = scriptProject('echo RAN', { sandbox: 'off', sandbox_network: true })
    p.write({ '.home/.agent/config.json': '{"sandbox": "require", "sandbox_network": false}' })
    const { json } = p.cli(['doctor', '--json'])
    expect(json).toMatchObject({ sandbox: { configured: 'require' } })
    if (reason === undefined)
      expect(json).toMatchObject({ sandbox: { isolation: { kind: 'bubblewrap', network: false } } })
  })

  test('can’t loosen it from a suite', () => {
    using p = scriptProject('echo RAN', { sandbox: 'require' })
    const suite = readFileSync(join(p.dir, 'evals/t.eval.yaml'), 'utf8')
    writeFileSync(join(p.dir, 'evals/t.eval.yaml'), `sandbox: off\n${suite}`)
    const { code, err } = p.cli(['run'])
    expect(code).toBe(2)
    expect(err).toContain('sandbox')
  })
})

describe('doctor', () => {
  type Report = {
    ok: boolean
    problems: string[]
    sandbox: { configured: string; isolation: { kind: string; reason?: string } }
    keys: { name: string; present: boolean }[]
    skill_roots: { path: string; skills: number | null }[]
    config: { files: string[]; problems: string[] }
    interpreters: { name: string; version: string | null }[]
    recordings: { path: string; count: number | null; unreadable: number }
  }

  test('says what works here, without the value of any key', () => {
    using p = scriptProject('echo')
    const { code, json, out } = p.cli(['doctor', '--json'], { OPENAI_API_KEY: 'sk-value-of-the-key' })
    const report = json as Report
    expect(code).toBe(0)
    expect(report).toMatchObject({ ok: true, problems: [], config: { files: ['.agent/config.json'], problems: [] } })
    expect(report.sandbox.isolation.kind).toBe(reason === undefined ? 'bubblewrap' : 'none')
    expect(report.interpreters.map(({ name }) => name)).toEqual(['python3', 'bash', 'node'])
    expect(report.interpreters[2]?.version).toBe(process.versions.node)
    expect(report.keys).toEqual([
      { name: 'ANTHROPIC_API_KEY', present: false },
      { name: 'OPENAI_API_KEY', present: true },
    ])
    expect(report.skill_roots[0]).toMatchObject({ path: join(p.dir, 'skills'), skills: 1 })
    expect(report.recordings).toEqual({ path: 'recordings', count: null, unreadable: 0 })
    p.write({ 'recordings/a/b/mock.json': '{}' })
    expect(p.cli(['doctor', '--json']).json).toMatchObject({ recordings: { count: 1, unreadable: 1 } })
    expect(out).not.toContain('sk-value-of-the-key')
    const text = p.cli(['doctor'], { OPENAI_API_KEY: 'sk-value-of-the-key' })
    expect(text.out).toContain('OPENAI_API_KEY is set')
    expect(text.out).not.toContain('sk-value-of-the-key')
  })

  test('exits with 1 where isolation is required and is not there', () => {
    using p = scriptProject('echo', { sandbox: 'require' })
    using bin = project({ bwrap: '#!/bin/sh\necho "bwrap: setting up uid map: Operation not permitted" >&2\nexit 1\n' })
    const { code, out } = p.cli(['doctor'], { PATH: `${bin.dir}:${process.env.PATH}` })
    expect(code).toBe(1)
    expect(out).toMatch(/✗ isolation +none: bwrap is installed, but this process runs in a sandbox already/)
    expect(out).toContain('error: the configuration says sandbox: require')
  })

  test('never takes a bwrap from the project', () => {
    using p = scriptProject('echo')
    p.write({ 'bin/bwrap': '#!/bin/sh\ntouch "$(dirname "$0")/was-run"\n' })
    p.cli(['doctor'], { PATH: `${join(p.dir, 'bin')}:${process.env.PATH}` })
    expect(readdirSync(join(p.dir, 'bin'))).toEqual(['bwrap'])
  })

  test('tells what is wrong with the configuration, and all the rest', () => {
    using p = project({ '.agent/config.json': '{"sandbox": "sometimes"}' })
    const { code, json } = p.cli(['doctor', '--json'])
    expect(code).toBe(1)
    expect((json as Report).config.problems[0]).toContain('.agent/config.json')
    expect((json as Report).sandbox.configured).toBe('auto')
  })
})
