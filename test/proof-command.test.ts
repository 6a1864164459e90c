import { chmodSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project, root } from './support/cli.ts'

const suite = 'evals/recorded/changelog-writer.eval.yaml'
const config = JSON.stringify({
  models: { claude: { provider: 'anthropic', model: 'claude-sonnet-5-5', params: { max_tokens: 8000 } } },
})

/** A project with our own skills and the recordings of one of its suites. */
const author = () => {
  const p = project({ '.agent/config.json': config })
  for (const path of ['skills', suite, 'fixtures/commits', 'recordings/recorded-changelog-writer']) {
    mkdirSync(dirname(join(p.dir, path)), { recursive: true })
    cpSync(join(root, path), join(p.dir, path), { recursive: true })
  }
  return p
}

const packing = ['skills', 'pack', 'skills', '--name', 'all', '--version', '1.0.0', '--proof', '-o', 'p.zip']

describe('skills pack --proof and prove', () => {
  test('show on another machine what was shown on the first, without any network', { timeout: 90_000 }, () => {
    using p = author()
    const packed = p.cli(packing)
    expect(packed, packed.err).toMatchObject({ code: 0 })
    const proof =
      /proof +5 of 5 cases passed \(5 trials\) on claude \(claude-sonnet-5-5\), recorded 2026-11-21, by skills-eval/
    expect(packed.out).toMatch(proof)
    using user = project()
    const pack = join(p.dir, 'p.zip')
    expect(user.cli(['skills', 'install', pack]).out).toMatch(proof)
    expect(user.cli(['skills', 'inspect', 'log-triage']).out).toMatch(proof)
    expect(user.cli(['skills', 'inspect', 'log-triage', '--json']).json).toMatchObject({ proof: { passed: 5 } })
    const log = join(user.dir, 'net.log')
    const proved = user.cli(['skills', 'prove', 'log-triage'], {
      NODE_OPTIONS: `--import=${join(root, 'test/support/no-net.mjs')}`,
      NO_NET_LOG: log,
    })
    expect(proved, proved.err).toMatchObject({
      code: 0,
      err: expect.stringContaining('note: this runs scripts of the pack'),
    })
    expect(proved.out).toMatch(/^equal {2}log-triage 1\.0\.0: its recordings give the same results here\n/)
    expect(new Set(readFileSync(log, 'utf8').trim().split('\n'))).toEqual(new Set(['the net is off']))
    expect(user.cli(['skills', 'prove', pack, '--json', '-q'])).toMatchObject({
      code: 0,
      err: '',
      json: { verdict: 'equal' },
    })
  })

  test('exit with 4 for a skill that was changed, 1 for a proof that was, 2 where there is none', {
    timeout: 90_000,
  }, () => {
    using p = author()
    expect(p.cli([...packing, '--suites', 'evals/recorded']).code).toBe(0)
    p.cli(['skills', 'install', 'p.zip'])
    const skill = '.agent/skills/log-triage/SKILL.md'
    const text = readFileSync(join(p.dir, skill), 'utf8')
    p.write({ [skill]: `${text}\nMore.\n` })
    expect(p.cli(['skills', 'prove', 'log-triage'])).toMatchObject({ code: 4, out: expect.stringMatching(/^stale /) })
    p.write({ [skill]: text })
    expect(p.cli(['skills', 'prove', 'log-triage']).code).toBe(0)
    const kept = p.run('find', ['.home/.agent/proofs', '-name', 'proof.json']).trim()
    p.write({ [kept]: '{}' })
    expect(p.cli(['skills', 'prove', 'log-triage'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^different /),
    })
    expect(p.cli(['skills', 'verify', 'log-triage']).code).toBe(1)
    p.run('rm', ['-r', '.home/.agent/proofs'])
    expect(p.cli(['skills', 'prove', 'log-triage'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('not on this machine'),
    })
    expect(p.cli(['skills', 'prove', 'nobody']).code).toBe(2)
  })

  test('run graders of the pack only with --run-graders', { timeout: 60_000 }, () => {
    using p = project({
      'skills/one/SKILL.md': '---\nname: one\ndescription: One. Use it for one.\n---\n\nDo.\n',
      'evals/one.eval.yaml':
        'name: one\nskills: [../skills]\ncases:\n  - {id: a, input: x, mock: [{final_answer: y}], expected: {output: [{script: {run: graders/g.sh}}]}}\n',
    })
    const marker = join(p.dir, 'ran')
    p.write({ 'evals/graders/g.sh': `#!/bin/sh\necho ran >> '${marker}'\n` })
    chmodSync(join(p.dir, 'evals/graders/g.sh'), 0o755)
    const packed = p.cli(packing)
    expect(packed, packed.err).toMatchObject({ code: 0 })
    expect(p.cli(['skills', 'prove', './p.zip'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--run-graders'),
    })
    expect(readFileSync(marker, 'utf8')).toBe('ran\n')
    const proved = p.cli(['skills', 'prove', './p.zip', '--run-graders'])
    expect(proved, proved.err).toMatchObject({ code: 0, out: expect.stringMatching(/^equal /) })
    expect(readFileSync(marker, 'utf8')).toBe('ran\nran\n')
  })

  test('refuse what can not be proved, and --suites without --proof', () => {
    using p = author()
    p.write({
      'skills/csv-analyzer/SKILL.md': readFileSync(join(p.dir, 'skills/csv-analyzer/SKILL.md'), 'utf8').replace(
        'description: ',
        'description: Now, ',
      ),
    })
    expect(p.cli(packing)).toMatchObject({ code: 2, err: expect.stringContaining('is stale') })
    expect(p.cli(['skills', 'pack', 'skills/csv-analyzer', '--version', '1.0.0', '--suites', 'evals'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--suites goes with --proof'),
    })
  })
})
