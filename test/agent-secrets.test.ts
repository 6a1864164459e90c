import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { project } from './support/cli.ts'

const value = 'plain-words-of-a-value-4711'
/** Refuses everybody, and says what it was sent. */
const server = createServer((request, response) =>
  response.writeHead(400).end(`not accepted: authorization: ${request.headers.authorization}`),
)
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
afterAll(() => void server.close())

const files = (mcp: object = {}) => ({
  '.agent/config.json': JSON.stringify({
    mcp,
    models: { live: { provider: 'openai', model: 'x', base_url: 'http://127.0.0.1:1', api_key_env: 'WEB_ACCESS' } },
  }),
  'said.txt': `It is ${value}.\n`,
  'turns.yaml': `- read_file: said.txt\n- final_answer: It is ${value}.\n`,
})
const start = async (p: ReturnType<typeof project>, ...args: readonly string[]) => {
  const { said, ended } = p.start(['agent', ...args], { WEB_ACCESS: value })
  return { code: await ended, ...said, all: said.out + said.err }
}

describe('the value of a configured key is not printed', () => {
  test('where a server says it as it refuses to start, in a run and in a chat', async () => {
    const { port } = server.address() as AddressInfo
    const headers = { Authorization: { env: 'WEB_ACCESS', prefix: 'Bearer ' } }
    using p = project(files({ web: { url: `http://127.0.0.1:${port}/mcp`, headers } }))
    for (const command of [['run', 'x'], ['chat']]) {
      const { code, all, err } = await start(p, ...command, '--mock', 'turns.yaml', '--mcp', 'web')
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('the MCP server web did not start') })
      expect(err).toMatch(/not accepted: authorization: .*\[redacted:/)
      expect(all).not.toContain(value)
    }
  })

  test.each([[[]], [['--json']], [['--events']]])('where the agent says it: agent run %j', async (more) => {
    using p = project(files())
    const { code, out, all } = await start(p, 'run', 'x', '--mock', 'turns.yaml', ...more)
    expect(code, all).toBe(0)
    expect(out).toMatch(/It is \[redacted:[^\]]+\]\./)
    expect(all).not.toContain(value)
    for (const line of more.includes('--events') ? out.trim().split('\n') : []) JSON.parse(line)
    if (more.includes('--json')) JSON.parse(out)
  })
})
