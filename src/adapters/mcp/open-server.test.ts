import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ToolServerError } from '../../core/errors.ts'
import type { ToolServer } from '../../core/ports.ts'
import { openMcpServer, type ServerOptions } from './open-server.ts'
import { serveHttp, serverProgram } from './server.test-support.ts'

const forever = new AbortController().signal
const live = { signal: forever }
const opened: ToolServer[] = []
let folder = ''

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'skills-eval-mcp-')))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()))
  rmSync(folder, { recursive: true, force: true })
})

const open = async (server: ServerOptions['server'], timeoutMs = 20_000, signal = forever) => {
  const one = await openMcpServer({ name: 'box', server, timeoutMs, version: '0', signal })
  opened.push(one)
  return one
}
const program = (body: string, env: Readonly<Record<string, string>> = {}) => ({
  command: serverProgram(body),
  cwd: folder,
  env,
})
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')
  } catch {
    return false
  }
}
const gone = async (pid: number): Promise<boolean> => {
  for (let i = 0; i < 100 && isAlive(pid); i += 1) await new Promise((done) => setTimeout(done, 20))
  return !isAlive(pid)
}

describe('a server as a program', () => {
  test('lists its tools and answers calls', async () => {
    const server = await open(program(''))
    expect(await server.list(100, live)).toEqual({
      tools: [{ name: 'echo', description: 'says it again', parameters: { type: 'object' } }],
      isCut: false,
    })
    expect(await server.call('echo', { a: 1 }, live)).toEqual({ status: 'ok', text: '{"a":1}' })
    expect(await server.call('echo', [1], live)).toEqual({ status: 'error', text: 'the input must be an object' })
  })

  test('that was written with the official library is understood', async () => {
    const module = (name: string) =>
      pathToFileURL(resolve(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/server/dist', name)).href
    const zod = pathToFileURL(resolve(import.meta.dirname, '../../../node_modules/zod/index.js')).href
    writeFileSync(
      join(folder, 'server.mjs'),
      `import { McpServer } from '${module('index.mjs')}'
import { StdioServerTransport } from '${module('stdio.mjs')}'
import * as z from '${zod}'
const server = new McpServer({ name: 'sums', version: '1.0.0' })
server.registerTool('add', { description: 'adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
  async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }))
await server.connect(new StdioServerTransport())
`,
    )
    const server = await open({ command: [process.execPath, 'server.mjs'], cwd: folder, env: {} })
    const { tools } = await server.list(100, live)
    expect(tools.map(({ name, parameters }) => [name, parameters.required])).toEqual([['add', ['a', 'b']]])
    expect(await server.call('add', { a: 2, b: 3 }, live)).toEqual({ status: 'ok', text: '5' })
    const wrong = await server.call('add', { a: 'two' }, live)
    expect(wrong.status).toBe('error')
  })

  test('sees the environment that it is given and nothing else', async () => {
    process.env.SKILLS_EVAL_TEST_SECRET = 'hidden'
    const text = `on['tools/call'] = (m) => reply(m, {content: [{type: 'text', text: Object.keys(process.env).sort().join()}]})`
    const server = await open(program(text, { GIVEN: '1' }))
    expect((await server.call('echo', {}, live)).text).toBe('GIVEN,SKILLS_EVAL_MCP_SERVER')
    delete process.env.SKILLS_EVAL_TEST_SECRET
  })

  test('that is not there, or ends at once, is told with what it said last', async () => {
    await expect(open({ command: ['no-such-program'], cwd: folder, env: {} })).rejects.toThrow(
      'the MCP server box did not start: no-such-program could not be started: ENOENT',
    )
    await expect(open(program('console.error("no\\ntoken"); process.exit(3)'))).rejects.toThrow(
      'the MCP server box did not start: it ended with exit code 3: no / token',
    )
  })

  test('that never answers is given up after its time, at the start and in a call', async () => {
    await expect(open(program('on.initialize = () => {}'), 300)).rejects.toThrow(ToolServerError)
    const server = await open(
      program(`on['tools/call'] = (m) => m.params.name === 'wait' || reply(m, {content: []})`),
      2000,
    )
    expect(await server.call('wait', {}, live)).toEqual({
      status: 'error',
      text: 'the MCP server box: it did not answer within 2 s',
    })
    expect((await server.call('echo', {}, live)).status).toBe('ok')
  })

  test('that dies in a call is an observation, and so is every call after', async () => {
    const server = await open(program(`on['tools/call'] = () => { console.error('out of memory'); process.exit(7) }`))
    const died = { status: 'error', text: 'the MCP server box: it ended with exit code 7: out of memory' }
    expect(await server.call('echo', {}, live)).toEqual(died)
    expect(await server.call('echo', {}, live)).toEqual(died)
  })

  test('that floods its output, in one line or in many, is ended', async () => {
    // A pipe that is full is an error to it, which is not to end it.
    const stubborn = `process.stdout.on('error', () => undefined); `
    const oneLine = await open(
      program(`${stubborn}on['tools/call'] = () => setInterval(() => process.stdout.write('x'.repeat(1 << 20)), 0)`),
    )
    const flooded = { status: 'error', text: 'the MCP server box: it sent more than 16 MiB for one request' }
    expect(await oneLine.call('echo', {}, live)).toEqual(flooded)
    const pings = `${stubborn}on['tools/call'] = () => setInterval(() => { for (let i = 0; i < 300; i++) say({id: 'p' + i, method: 'ping', params: {fill: 'x'.repeat(4000)}}) }, 0)`
    const many = await open(program(pings))
    expect(await many.call('echo', {}, live)).toEqual(flooded)
  })

  test('may write what is no message: it is passed over', async () => {
    const garbage = `process.stdout.write('Listening…\\n{"half":\\n[]\\n\\u0000\\n' + '['.repeat(100000) + '\\n{"jsonrpc":"2.0","id":99,"result":{}}\\n')`
    const server = await open(
      program(`${garbage}\non['tools/call'] = (m) => { ${garbage}; reply(m, {content: 'no list', x: 1}) }`),
    )
    expect(await server.call('echo', {}, live)).toEqual({ status: 'ok', text: '' })
  })

  test('that lists thousands of tools, or pages without end, is cut short', async () => {
    const many = `on['tools/list'] = (m) => reply(m, {tools: Array.from({length: 10000}, (_, i) => ({name: 't' + i, inputSchema: {type: 'object'}}))})`
    const first = await (await open(program(many))).list(100, live)
    expect([first.tools.length, first.isCut]).toEqual([100, true])
    const endless = `on['tools/list'] = (m) => reply(m, {tools: [{name: 't' + (m.params.cursor ?? ''), inputSchema: {}}], nextCursor: 'x' + (m.params.cursor ?? '')})`
    const second = await (await open(program(endless))).list(100, live)
    expect([second.tools.length, second.isCut]).toEqual([50, true])
  })

  test('that lists what is no tool among others is used for the others', async () => {
    const odd = `on['tools/list'] = (m) => reply(m, {tools: [null, 7, {name: 5}, {name: 'ok', inputSchema: {}}, {name: 'n'.repeat(300), inputSchema: {}}]})`
    const { tools } = await (await open(program(odd))).list(100, live)
    expect(tools.map(({ name }) => name)).toEqual(['ok'])
    const none = await open(program(`on['tools/list'] = (m) => reply(m, {tools: 'none'})`))
    await expect(none.list(100, live)).rejects.toThrow('the MCP server box lists no tools')
  })

  test('may change its tools between calls: what is gone is an error of its own words', async () => {
    const server = await open(
      program(
        `let n = 0; on['tools/call'] = (m) => n++ === 0 ? (say({method: 'notifications/tools/list_changed'}), reply(m, {content: [{type: 'text', text: 'once'}]})) : say({id: m.id, error: {code: -32602, message: 'no tool echo'}})`,
      ),
    )
    expect((await server.call('echo', {}, live)).text).toBe('once')
    expect(await server.call('echo', {}, live)).toEqual({
      status: 'error',
      text: expect.stringContaining('no tool echo'),
    })
  })

  test('is ended with all that it started, also what left its group and what hears no SIGTERM', async () => {
    const body = `const {spawn} = require('node:child_process')
const start = (detached) => spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], {detached, stdio: 'ignore'}).pid
const pids = [process.pid, start(false), start(true)]
process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)
on['tools/call'] = (m) => reply(m, {content: [{type: 'text', text: JSON.stringify(pids)}]})`
    const server = await open(program(body))
    const pids = JSON.parse((await server.call('echo', {}, live)).text) as number[]
    expect(pids.map(isAlive)).toEqual([true, true, true])
    await server.close()
    expect(await Promise.all(pids.map(gone))).toEqual([true, true, true])
  })

  test('is let go of when the run is aborted', async () => {
    const stop = new AbortController()
    const server = await open(program(`on['tools/call'] = () => {}`))
    const call = server.call('echo', {}, { signal: stop.signal })
    stop.abort('SIGINT')
    await expect(call).rejects.toBe('SIGINT')
    const late = new AbortController()
    const starting = open(program('on.initialize = () => {}'), 20_000, late.signal)
    late.abort('SIGINT')
    await expect(starting).rejects.toBe('SIGINT')
  })

  test('answers in pictures, links and structures: each is told in words, and cut where it is long', async () => {
    const server = await open(
      program(`on['tools/call'] = (m) => reply(m, {
  pictures: {content: [{type: 'image', data: 'AAAA', mimeType: 'image/png'}, {type: 'resource_link', uri: 'a:b'}, {type: 'resource', resource: {uri: 'a:c', text: 'inside'}}, 5]},
  structure: {content: [], structuredContent: {rows: 3}},
  refused: {isError: true, content: [{type: 'text', text: 'no'}]},
  long: {content: [{type: 'text', text: 'x'.repeat(70000)}]},
}[m.params.name])`),
    )
    const call = (name: string) => server.call(name, {}, live)
    expect((await call('pictures')).text).toBe(
      '(image; its content is not shown)\n(a link to a:b)\ninside\n(content of no known kind)',
    )
    expect(await call('structure')).toEqual({ status: 'ok', text: '{"rows":3}' })
    expect(await call('refused')).toEqual({ status: 'error', text: 'no' })
    expect((await call('long')).text).toBe(`${'x'.repeat(65536)}\n[cut: 4464 more characters]`)
  })
})

describe('a server over HTTP', () => {
  test('lists its tools, answers calls, and is sent the headers that are configured', async () => {
    await using http = await serveHttp()
    const server = await open({ url: http.url, headers: { authorization: 'Bearer t' } })
    expect((await server.list(100, live)).tools.map(({ name }) => name)).toEqual(['echo'])
    expect(await server.call('echo', { a: 1 }, live)).toEqual({ status: 'ok', text: '{"a":1}' })
    expect(new Set(http.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer t']))
  })

  test('that redirects is not followed', async () => {
    await using target = await serveHttp()
    await using http = await serveHttp({
      initialize: (_, __, response) => response.writeHead(307, { location: target.url.href }).end(),
    })
    const { href } = target.url
    await expect(open({ url: http.url, headers: { authorization: 'Bearer t' } })).rejects.toThrow(
      new ToolServerError(
        'tool_server_error',
        `the MCP server box did not start: ${http.url.href} leads on to ${href}, which is not followed: if that is meant, make it the server's url`,
      ),
    )
    expect(target.seen).toEqual([])
    await using within = await serveHttp({
      initialize: (_, __, response) => response.writeHead(307, { location: '/other' }).end(),
    })
    await expect(open({ url: within.url, headers: {} })).rejects.toThrow(ToolServerError)
    expect(within.seen).toHaveLength(1)
  })

  test('that hangs, breaks off or answers garbage is an observation', async () => {
    await using http = await serveHttp({
      'tools/call': ({ params }, _, response) => {
        if (params?.name === 'hang') return
        if (params?.name === 'break') response.socket?.destroy()
        else response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc"')
      },
    })
    const server = await open({ url: http.url, headers: {} }, 2000)
    expect((await server.call('hang', {}, live)).text).toBe('the MCP server box: it did not answer within 2 s')
    expect((await server.call('break', {}, live)).status).toBe('error')
    expect((await server.call('garbage', {}, live)).status).toBe('error')
  })

  test('that floods its answer is cut off', async () => {
    await using http = await serveHttp({
      'tools/call': (_, __, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(1 << 16)));
        }
        response.on('drain', more)
        more()
      },
    })
    const server = await open({ url: http.url, headers: {} })
    expect(await server.call('echo', {}, live)).toEqual({
      status: 'error',
      text: 'the MCP server box: it sent more than 16 MiB for one request',
    })
  })

  test('that nobody is behind of is told', async () => {
    const url = await (async () => {
      await using http = await serveHttp()
      return http.url
    })()
    const withSecret = new URL('?token=secret', url)
    await expect(open({ url: withSecret, headers: {} })).rejects.toThrow(
      `the MCP server box did not start: ${url.href} can't be reached (ECONNREFUSED): is the server running, and is its url right?`,
    )
  })
})
