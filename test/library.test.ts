import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
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

  test('that is a shell is of high risk, and any other of medium', () => {
    using p = installed({
      '.agent/config.json': '{"permissions": {"ask": ["call_tool"]}}',
      'price.yaml':
        '- call_tool: {tool: bash, input: {command: ls}}\n- call_tool: {tool: look_up, input: {item: a}}\n- final_answer: x\n',
    })
    const code = `const bash = defineTool({ name: 'bash', description: 'x', run: () => 1 })
const approve = ({ target, risk }) => { console.log(target, risk); return { answer: 'no' } }
await runAgent({ prompt: 'p', mock: 'price.yaml', tools: [lookUp, bash], approve })`
    expect(node(p, tool('return 7', code)).out).toBe('bash high\nlook_up medium\n')
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

  test('that is none, or of which there are two of one name, is refused before anything is done', () => {
    using p = installed()
    const code = `import { defineTool, runAgent, runSuites } from 'skills-eval'
const is = (name, more) => ({ name, description: 'x', run: () => 1, ...more })
const told = async (work) => { try { await work(); console.log('went on') } catch (error) { console.log(error.code, error.message) } }
const agent = (...tools) => told(() => runAgent({ prompt: 'p', mock: 'turns.yaml', tools }))
await told(() => defineTool({ name: 'a', description: 'x' }))
await told(() => defineTool({ name: 'a', run: () => 1 }))
await told(() => defineTool(is('a', { input: 'object' })))
await agent(defineTool(is('a')), defineTool(is('a')))
await agent(defineTool(is('a', { input: { type: 'nix' } })))
await agent('x')
const made = (name) => ({ name, description: 'x', parameters: {}, call: async () => ({ status: 'ok', text: '' }) })
await agent(made('a'))
await agent(made('read_file'))
await told(() => runSuites({ tools: [made('b'), made('b')] }))`
    expect(node(p, code).out.split('\n')).toEqual([
      'bad_tool the tool a has no function `run`',
      'bad_tool the tool a has no description, which is a text',
      'bad_tool the tool a has an `input` that is no JSON Schema, which is an object',
      'bad_tool two of `tools` are called a',
      expect.stringMatching(/^bad_tool the input of the tool a is no JSON Schema: .*type/),
      'bad_tool `tools[0]` is no tool',
      'went on',
      'bad_tool a tool can\'t be called "read_file"',
      'bad_tool two of `tools` are called b',
      '',
    ])
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

  const refused = (of: string, options: string, more = '') => `import { ${of} } from 'skills-eval'
const Tag = class { state = 1; caseFinished() {} }
for (const options of [${options}]) {
  try { const result = await ${of}(options); console.log('ran', ${more || 'result.exitCode'}) } catch (error) { console.log(error.name, error.code, error.message) }
}`

  test.each([
    ['{ trials: -1 }', 'trials` is -1: it must be a whole number, at least 1'],
    ['{ trials: 1.5 }', 'trials` is 1.5: it must be a whole number, at least 1'],
    ['{ trials: NaN }', 'trials` is NaN: it must be a whole number, at least 1'],
    ['{ trials: "2" }', 'trials` is "2": it must be a whole number, at least 1'],
    ['{ bail: 0 }', 'bail` is 0: it must be a whole number, at least 1'],
    ['{ concurrency: NaN }', 'concurrency` is NaN: it must be a whole number, at least 1'],
    ['{ retries: -3 }', 'retries` is -3: it must be a whole number, at least 0'],
    ['{ maxCostUsd: -1 }', 'maxCostUsd` is -1: it must be an amount of USD above 0'],
    ['{ record: "nix" }', 'record` is "nix": it must be one of replay, missing, stale, all, off'],
    ['{ filter: "=t" }', 'filter` is "=t": it must be a list of ids, globs or parts of ids'],
    ['{ paths: null }', 'paths` is null: it must be a path or a list of paths'],
    ['{ on: { casFinished: () => 1 } }', 'on` is {}: it must be an object of functions: started,'],
    ['{ signal: 5 }', 'signal` is 5: it must be an AbortSignal'],
    ['{ trails: 1 }', 'there is no option `trails`: did you mean `trials`?'],
    ['{ minLift: 10, tags: "x" }', '`tags` is "x": it must be a list of tags; `minLift` is 10: it must be a share'],
  ])('runSuites(%s) is refused with what is allowed, and nothing runs', (options, message) => {
    using p = installed()
    const { out, err } = node(p, refused('runSuites', options))
    expect({ out, err }).toEqual({ out: expect.stringMatching(/^UsageError bad_option runSuites: .*\n$/), err: '' })
    expect(out).toContain(message)
    expect(existsSync(join(p.dir, 'reports'))).toBe(false)
  })

  test('takes one path alone, what is given as undefined as not given, and a listener of a class', () => {
    using p = installed()
    const options =
      "{ paths: 'evals' }, { trials: undefined, filter: ['passes'] }, { filter: ['passes'], on: new Tag() }"
    expect(node(p, refused('runSuites', options)).out).toBe('ran 1\nran 0\nran 0\n')
  })

  test('an agent is refused what it can’t take', () => {
    using p = installed()
    const options =
      "undefined, {}, { mock: 'turns.yaml' }, { prompt: ' ' }, { prompt: 'x', promt: 1 }, { prompt: 'x', allow: 'write_file' }, { prompt: 'x', approve: true }"
    const task = '`prompt` is missing: it must be a text: the task'
    expect(node(p, refused('runAgent', options, 'result.output')).out.split('\n')).toEqual([
      'UsageError bad_option runAgent takes its options as one object, and was given undefined',
      `UsageError bad_option runAgent: ${task}`,
      `UsageError bad_option runAgent: ${task}`,
      'UsageError bad_option runAgent: `prompt` is " ": it must be a text: the task',
      'UsageError bad_option runAgent: there is no option `promt`: did you mean `prompt`?',
      'UsageError bad_option runAgent: `allow` is "write_file": it must be a list of grants: TOOL or TOOL:PATTERN',
      'UsageError bad_option runAgent: `approve` is true: it must be a function: approve(question, { signal })',
      '',
    ])
  })

  test('of suites that is aborted says so in words that do not depend on the reason', () => {
    using p = installed()
    const code = `import { runSuites } from 'skills-eval'
const stop = new AbortController()
const { run, exitCode } = await runSuites({ signal: stop.signal, concurrency: 1, on: { caseFinished: () => stop.abort() } })
console.log(run.interrupted, exitCode)`
    expect(node(p, code).out).toBe('aborted 130\n')
  })

  test('of an agent is repeated by the words of its record, or by none where it has tools of its own', () => {
    using p = installed({ 'c.json': '{}', '.agent/skills/one/SKILL.md': skill('one', 'Does one thing.') })
    const code = `import { defineTool, runAgent } from 'skills-eval'
import { readFileSync } from 'node:fs'
const lookUp = defineTool({ name: 'look_up', description: 'x', run: () => 1 })
const options = { prompt: 'do it', mock: 'turns.yaml', config: 'c.json', skills: ['one'], allow: ['write_file:a b'] }
for (const tools of [[], [lookUp]]) {
  const { run } = await runAgent({ ...options, tools })
  console.log(JSON.parse(readFileSync('.agent/runs/' + run + '/run.json', 'utf8')).repeat)
}`
    expect(node(p, code).out).toBe(
      "skills-agent run --config c.json --mock turns.yaml --skill one --allow 'write_file:a b' -- 'do it'\n\n",
    )
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

  test('is not affected by what its listeners throw, at once or later, and tells it once', () => {
    using p = installed()
    const { out, err } = node(
      p,
      `import { runAgent, runSuites } from 'skills-eval'
const notices = []
const onNotice = (text) => { notices.push(text.trim()); throw new Error('mine too') }
const thrown = () => { throw new Error('mine') }
const { exitCode } = await runSuites({ filter: ['passes'], on: { caseFinished: thrown }, onNotice })
const { output } = await runAgent({ prompt: 'p', mock: 'turns.yaml', onEvent: thrown, onNotice })
await runAgent({ prompt: 'p', mock: 'turns.yaml', onEvent: async () => thrown(), onNotice })
console.log(exitCode, output)
console.log(notices.filter((text) => text.includes('mine')).join('\\n'))`,
    )
    const failed = 'error: what listens to events failed: Error: mine\n'
    expect({ out, err }).toEqual({
      out: `0 done\nerror: what listens to the run failed: Error: mine\n${failed}${failed}`,
      err: '',
    })
  })
})
