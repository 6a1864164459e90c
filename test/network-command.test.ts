import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { project } from './support/cli.ts'

const server = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  let connections = 0
  const listening = createServer(answer).on('connection', () => {
    connections += 1
  })
  await once(listening.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      listening.closeAllConnections()
      await once(listening.close(), 'close')
    },
  }
}

/** What came of one request that a scripted model made. The server is in this process: the program may not block it. */
const request = async (url: string, allow: readonly string[], granted: readonly string[] = []) => {
  using p = project({
    'work.yaml': `- network_request: ${JSON.stringify(url)}\n- final_answer: done\n`,
    '.agent/config.json': JSON.stringify({ permissions: { allow } }),
  })
  const { said, ended } = p.start(['agent', 'run', 'ask', '--mock', 'work.yaml', '--json', ...granted])
  await ended
  const { actions } = JSON.parse(said.out) as { actions: { action: string; status: string; observation: string }[] }
  return actions[0]
}

test('a server of this machine is asked where a rule names it', async () => {
  await using there = await server((_, response) => response.end('hello'))
  expect(await request(`${there.origin}/x`, ['network_request(127.0.0.1)'])).toMatchObject({
    status: 'ok',
    observation: 'HTTP 200 OK\ncontent-length: 5\n\nhello',
  })
})

test('a server of this machine is not asked where every host is allowed', async () => {
  await using there = await server((_, response) => response.end('hello'))
  expect(await request(there.origin, [], ['--allow', 'network_request'])).toMatchObject({
    status: 'error',
    observation:
      '127.0.0.1 is not asked: its address is not a public one (loopback), and no rule allows this host by its own name',
  })
  expect(there.connections()).toBe(0)
})

test('nobody is asked where no rule says so', async () => {
  await using there = await server((_, response) => response.end('hello'))
  expect(await request(there.origin, [])).toMatchObject({ status: 'denied' })
  expect(there.connections()).toBe(0)
})

test('a redirect is followed to hosts that the policy allows', async () => {
  await using there = await server((message, response) => {
    if (message.url === '/end') return response.end('the end')
    const location = message.url === '/out' ? 'http://localhost:1/' : '/end'
    return response.writeHead(302, { location }).end()
  })
  const rules = ['network_request(127.0.0.1)']
  expect((await request(`${there.origin}/in`, rules))?.observation).toMatch(/\n\nthe end$/)
  expect((await request(`${there.origin}/out`, rules))?.observation).toMatch(
    /^redirected by 127\.0\.0\.1:\d+ \(302\): http:\/\/localhost:1\/ is not permitted \(/,
  )
})
