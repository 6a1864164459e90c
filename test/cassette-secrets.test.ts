import { describe, expect, test } from 'vitest'
import { sampleSecrets, unshaped } from '../src/cassette/secrets.test-support.ts'
import { filesBelow, read, recordedProject } from './support/recorded-project.ts'

const env = { MY_SERVICE_TOKEN: unshaped[0], DB_PASSWORD: unshaped[1], CI: 'true' }
const headers: readonly (readonly [string, string, string])[] = [
  ['authorization header', 'Authorization: Bearer Zx9Qw7Er5Ty3Ui1Op', 'Zx9Qw7Er5Ty3Ui1Op'],
  ['cookie', 'Cookie: sid=Zx9Qw7Er5Ty3Ui1OpCook', 'Zx9Qw7Er5Ty3Ui1OpCook'],
]
const planted = [
  ...sampleSecrets.map(([name, text]) => [name, text, text] as const),
  ...unshaped.map((text) => ['environment', text, text] as const),
  ...headers,
]
// What is kept of a secret with a name in front of it is the name.
const bare = (secret: string) => secret.replace(/^(?:aws_secret_access_key|AccountKey)=/, '')
const needles = planted.map(([name, , secret]) => [name, bare(secret)] as const)

const quoted = (text: string) => JSON.stringify(text)

/** A suite that says every secret at every place that comes into a report: input, answer, arguments, script, checks, texts. */
const files = {
  '.agent/config.json': '{"models": {"m": {"provider": "mock"}}}',
  'skills/leaky/SKILL.md': '---\nname: leaky\ndescription: Prints all. Use to print.\n---\n\nRun scripts/all.py.\n',
  'skills/leaky/scripts/all.py': `#!/usr/bin/env python3\nprint(open("all.txt").read())\n`,
  'evals/t.eval.yaml': `name: t
description: ${quoted(planted[0]?.[1] ?? '')}
skills: [../skills]
model: m
cases:
${planted
  .map(
    ([, text], i) => `  - id: c${i}
    description: ${quoted(text)}
    tags: [${quoted(`tag ${text}`)}]
    input: ${quoted(`Use ${text} please`)}
    files: {all.txt: {text: ${quoted(text)}}}
    tools: {echo: {returns: ${quoted(text)}, description: ${quoted(text)}}}
    mock:
      - select_skills: leaky
      - run_script: {skill: leaky, path: scripts/all.py, args: [${quoted(text)}]}
      - read_file: all.txt
      - call_tool: {tool: echo, input: {password: ${quoted(text)}, deep: [{${quoted(text)}: 1}]}}
      - update_plan: {goal: ${quoted(text)}, steps: [{id: a, title: ${quoted(text)}, status: pending}]}
      - raw: {name: odd, input: {a: ${quoted(text)}}}
      - final_answer: ${quoted(`Here: ${text}`)}
    expected: {output: [{equals: ${quoted(text)}}]}
`,
  )
  .join('')}`,
}

describe('secrets in prompts, scripts, answers, tools, checks and the environment', () => {
  test.each([
    ['a recording', ['run', '--record', 'all']],
    ['a replay', ['run', '--record', 'replay']],
    ['a run that records nothing', ['run']],
  ])('are in no file that %s leaves, and not in what it prints', (_, args) => {
    using p = recordedProject(files)
    if (args.includes('replay')) p.cli(['run', '--record', 'all'], env)
    const reporters = ['jsonl', 'github', 'markdown', 'terminal'].flatMap((name) => [
      '--reporter',
      `${name}=out/${name}`,
    ])
    const { out, err, code } = p.cli([...args, ...reporters, '--reporter', 'terminal'], env)
    // Every case fails, so that the reports tell all of it.
    expect(code).toBe(1)
    const left = ['reports', 'recordings', '.agent/runs', 'out'].flatMap((folder) => filesBelow(p, folder))
    expect(left.length).toBeGreaterThan(7)
    const texts = [...left.map((path) => [path, read(p, path)] as const), ['stdout', out], ['stderr', err]] as const
    const leaks = texts.flatMap(([path, text]) =>
      needles.flatMap(([name, secret]) =>
        [secret, quoted(secret).slice(1, -1), encodeURIComponent(secret)].some((form) => text.includes(form))
          ? [`${name} in ${path}`]
          : [],
      ),
    )
    expect(leaks).toEqual([])
    expect(read(p, 'reports/latest/run.json')).toMatch(/\[redacted:[a-z-]+:[\da-f]{6}\]/)
    if (args.includes('all')) expect(p.cli(['cassettes', 'verify'], env)).toMatchObject({ code: 0, err: '' })
  })

  test('a recording with secrets in it is not stale where the environment has none', () => {
    using p = recordedProject(files)
    p.cli(['run', '--record', 'all'], env)
    const shaped = `c[0-${Math.min(9, sampleSecrets.length - 1)}]`
    p.cli(['run', '--record', 'replay', '--filter', shaped], { CI: 'true' })
    expect(JSON.parse(read(p, 'reports/latest/run.json')).summary).toMatchObject({ stale: 0, errors: 0 })
  })

  test('verify finds one that somebody wrote into a recording', () => {
    using p = recordedProject()
    p.cli(['run', '--record', 'all'])
    const path = 'recordings/t/top/m.json'
    for (const [, text] of planted.slice(0, 6)) {
      const before = read(p, path)
      p.write({ [path]: before.replace('Feb and Mar', quoted(text).slice(1, -1)) })
      const { code, out } = p.cli(['cassettes', 'verify'])
      expect([code, out.includes(`leak ${path}`)]).toEqual([1, true])
      p.write({ [path]: before })
    }
    const used = read(p, path)
    p.write({ [path]: used.replace('Feb and Mar', unshaped[1]) })
    expect(p.cli(['cassettes', 'verify'], env).code).toBe(1)
    expect(p.cli(['cassettes', 'verify']).code).toBe(0)
  })
})
