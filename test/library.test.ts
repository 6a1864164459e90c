import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project, root, skill } from './support/cli.ts'

const guide = readFileSync(join(root, 'docs/library.md'), 'utf8')
const snippets = [...guide.matchAll(/^```js\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '')

const suite = `name: sums
skills: [../skills]
cases:
  - id: passes
    input: hi
    mock: [{final_answer: hello}]
    expected: {output: [{equals: hello}]}
  - id: fails
    input: hi
    mock: [{final_answer: bye}]
    expected: {output: [{equals: hello}]}
`
const files = {
  'package.json': '{"type": "module"}',
  'skills/one/SKILL.md': skill('one', 'Does one thing. Use it for one.'),
  'evals/sums.eval.yaml': suite,
  'turns.yaml': '- call_tool: {tool: count_lines, input: {}}\n- final_answer: done\n',
  'price.yaml': '- call_tool: {tool: look_up, input: {item: pen}}\n- final_answer: "7"\n',
}
const installed = (more: Readonly<Record<string, string>> = {}) => {
  const p = project({ ...files, ...more })
  mkdirSync(join(p.dir, 'node_modules'))
  symlinkSync(root, join(p.dir, 'node_modules/skills-eval'))
  return p
}
/** What a program prints; the environment is that of no CI and no home of ours. */
const node = (p: ReturnType<typeof project>, code: string) => {
  p.write({ 'use.mjs': code })
  const result = spawnSync(process.execPath, ['use.mjs'], {
    cwd: p.dir,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH ?? '', HOME: p.dir, CI: 'true' },
  })
  return { out: result.stdout, err: result.stderr, code: result.status }
}

describe('the snippets of the guide', () => {
  const expected = [
    '1 1\n',
    'sums passes passed\nsums fails failed\n',
    'call_tool allow\nfinal_answer allow\nanswered done 2\n',
    '7\n',
  ]

  test.each(snippets.map((snippet, i) => [i + 1, snippet] as const))(
    '%i prints what it says, and the library nothing',
    (n, snippet) => {
      using p = installed()
      expect(node(p, snippet)).toEqual({ out: expected[n - 1], err: '', code: 0 })
    },
  )
})

describe('a tool of the caller', () => {
  const tool = (run: string, more = '') => `import { defineTool, runAgent, runSuites } from 'skills-eval'
const calls = []
const lookUp = defineTool({
  name: 'look_up',
  description: 'Finds a price.',
  input: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
  run: (input) => { calls.push(input); ${run} },
})
${more}
`
  const agent = (options: string) =>
    `const { actions } = await runAgent({ prompt: 'p', mock: 'price.yaml', tools: [lookUp], ${options} })
console.log(actions[0].status, actions[0].observation, calls.length)`

  test('is called where the policy allows it alone, with an input that its schema allows', () => {
    using p = installed()
    expect(node(p, tool('return 7', agent(''))).out).toMatch(
      /^denied call_tool is not permitted \(default: deny call_tool\).* 0\n$/,
    )
    expect(node(p, tool('return 7', agent("allow: ['call_tool:other']"))).out).toMatch(/^denied .* 0\n$/)
    expect(node(p, tool('return {price: 7}', agent("allow: ['call_tool:look_up']"))).out).toBe('ok {"price":7} 1\n')
    expect(node(p, tool('throw new Error("no such item")', agent("allow: ['call_tool:look_up']"))).out).toBe(
      'error no such item 1\n',
    )
    p.write({ 'price.yaml': '- call_tool: {tool: look_up, input: {item: 5}}\n- final_answer: "7"\n' })
    expect(node(p, tool('return 7', agent("allow: ['call_tool:look_up']"))).out).toMatch(
      /^error the input of look_up is not valid.* 0\n$/,
    )
  })

  test('that the policy asks about is the caller’s to approve', () => {
    using p = installed({ '.agent/config.json': '{"permissions": {"ask": ["call_tool(look_up)"]}}' })
    expect(
      node(p, tool('return 7', agent("approve: ({ target }) => ({ answer: target === 'look_up' ? 'once' : 'no' })")))
        .out,
    ).toBe('ok 7 1\n')
    expect(node(p, tool('return 7', agent("approve: () => ({ answer: 'no', reason: 'not now' })"))).out).toMatch(
      /^denied .*not now 0\n$/,
    )
    expect(node(p, tool('return 7', agent(''))).out).toMatch(/^denied .* 0\n$/)
  })

  test('is not called where `approve` returns what is no answer, which is an error', () => {
    using p = installed({ '.agent/config.json': '{"permissions": {"ask": ["call_tool(look_up)"]}}' })
    const code = `const answers = [undefined, false, null, 'once', 'no', {}, { answer: 'deny' }, { answer: 'no', reason: 5 }]
for (const answer of answers) {
  try {
    await runAgent({ prompt: 'p', mock: 'price.yaml', tools: [lookUp], approve: () => answer })
    console.log('went on')
  } catch (error) { console.log(error.name, error.code, calls.length) }
}`
    expect(node(p, tool('return 7', code)).out).toBe('UsageError bad_answer 0\n'.repeat(8))
  })

  test('is asked about anew with another input where it was approved for the run', () => {
    using p = installed({
      '.agent/config.json': '{"permissions": {"ask": ["call_tool(look_up)"]}}',
      'price.yaml':
        ['pen', 'ink', 'pen'].map((item) => `- call_tool: {tool: look_up, input: {item: ${item}}}\n`).join('') +
        '- final_answer: x\n',
    })
    const code = `const asked = []
await runAgent({ prompt: 'p', mock: 'price.yaml', tools: [lookUp],
  approve: ({ params }) => { asked.push(params.input.item); return { answer: 'run' } } })
console.log(asked.join(), calls.length)`
    expect(node(p, tool('return 7', code)).out).toBe('pen,ink 3\n')
  })

  test('is recorded in an eval with the answers of the model, and not called in a replay', () => {
    const suite = `name: price
skills: [../skills]
cases:
  - id: pen
    input: hi
    mock: [{call_tool: {tool: look_up, input: {item: pen}}}, {final_answer: "7"}]
    expected: {actions: {in_order: [{call_tool: look_up}]}}
`
    using p = installed({ 'evals/sums.eval.yaml': suite })
    const run = (record: string, description = '') =>
      `const { exitCode, run } = await runSuites({ tools: [lookUp${description}], record: '${record}' })
const [{ trials: [trial] }] = run.suites[0].cases
console.log(exitCode, trial.status, trial.actions[0]?.observation, calls.length)`
    expect(node(p, tool('return 7', run('all'))).out).toBe('0 passed 7 1\n')
    expect(node(p, tool('return 8', run('replay'))).out).toBe('0 passed 7 0\n')
    expect(node(p, tool('return 8', run('replay')).replace('Finds a price', 'Finds a prize')).out).toBe(
      '4 stale undefined 0\n',
    )
  })

  test('that would take the name of an action or of a server’s tool is refused', () => {
    using p = installed()
    for (const name of ['read_file', 'mcp__a__b', 'a b', '']) {
      const code = `import { defineTool } from 'skills-eval'
try { defineTool({ name: '${name}', description: '', run: () => 1 }) } catch (error) { console.log(error.code) }`
      expect(node(p, code).out).toBe('bad_tool\n')
    }
  })
})

describe('a run of the library', () => {
  test('throws what is wrong with suites, with places, and what can’t be done, with a code', () => {
    using p = installed({ 'evals/sums.eval.yaml': 'cases: [{id: a, inptu: x}]\n' })
    const code = (options: string) => `import { InvalidInputError, runSuites, UsageError } from 'skills-eval'
try { await runSuites(${options}) } catch (error) {
  console.log(error instanceof InvalidInputError, error instanceof UsageError, error.code, error.diagnostics?.[0].line)
}`
    expect(node(p, code('')).out).toBe('true false invalid_input 1\n')
    expect(node(p, code("{ paths: ['none'] }")).out).toMatch(/^false true \w+ undefined\n$/)
    expect(node(p, code("{ cwd: 'nowhere' }")).out).toMatch(/^false true no_folder undefined\n$/)
  })

  test('ends when its signal says so, and a tool that does not heed it does not hold it up', () => {
    using p = installed()
    const { out, code } = node(
      p,
      `import { defineTool, runAgent } from 'skills-eval'
const stop = new AbortController()
const tool = defineTool({ name: 'look_up', description: 'x', run: () => { stop.abort(new Error('enough')); return new Promise(() => setInterval(() => {}, 1000)) } })
try { await runAgent({ prompt: 'p', mock: 'price.yaml', tools: [tool], allow: ['call_tool'], signal: stop.signal }) } catch (error) { console.log(error.message) }
process.exit(0)`,
    )
    expect({ out, code }).toEqual({ out: 'enough\n', code: 0 })
  })

  test('ends while `approve` has no answer, which is told that nobody waits for it', () => {
    using p = installed({ '.agent/config.json': '{"permissions": {"ask": ["call_tool"]}}' })
    const code = `import { runAgent } from 'skills-eval'
const stop = new AbortController()
const approve = (question, { signal }) => {
  signal.addEventListener('abort', () => console.log('told', signal.reason.message))
  setTimeout(() => stop.abort(new Error('enough')), 100)
  return new Promise(() => setInterval(() => {}, 1000))
}
try { await runAgent({ prompt: 'p', mock: 'price.yaml', approve, signal: stop.signal }) } catch (error) { console.log(error.message) }
process.exit(0)`
    expect(node(p, code)).toEqual({ out: 'told enough\nenough\n', err: '', code: 0 })
  })

  test('is not affected by what its listeners throw', () => {
    using p = installed()
    const { out, err } = node(
      p,
      `import { runAgent, runSuites } from 'skills-eval'
const thrown = () => { throw new Error('mine') }
const { exitCode } = await runSuites({ filter: ['passes'], on: { caseFinished: thrown } })
const { output } = await runAgent({ prompt: 'p', mock: 'turns.yaml', onEvent: thrown, onNotice: thrown })
console.log(exitCode, output)`,
    )
    expect({ out, err }).toEqual({ out: '0 done\n', err: '' })
  })
})
