import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A program that speaks MCP on its standard streams; `body` is JavaScript with `reply(message, result)` and `on.METHOD`. */
export const serverProgram = (body: string): readonly string[] => [
  process.execPath,
  '-e',
  `const say = (m) => process.stdout.write(JSON.stringify({jsonrpc: '2.0', ...m}) + '\\n')
const reply = (m, result) => say({id: m.id, result})
const on = {
  initialize: (m) => reply(m, {protocolVersion: m.params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: 's', version: '1'}}),
  'tools/list': (m) => reply(m, {tools: [{name: 'echo', description: 'says it again', inputSchema: {type: 'object'}}]}),
  'tools/call': (m) => reply(m, {content: [{type: 'text', text: JSON.stringify(m.params.arguments)}]}),
}
${body}
require('node:readline').createInterface({input: process.stdin}).on('line', (line) => {
  const m = JSON.parse(line)
  if (on[m.method]) on[m.method](m)
})`,
]

type Reply = (
  message: { readonly id?: unknown; readonly method: string; readonly params?: Record<string, unknown> },
  request: IncomingMessage,
  response: ServerResponse,
) => void

/** The same over HTTP; `on` takes the place of an answer, by the method. */
export const serveHttp = async (on: Readonly<Record<string, Reply>> = {}) => {
  const seen: { readonly method: string; readonly headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const message = JSON.parse(body)
      seen.push({ method: message.method, headers: request.headers })
      const other = on[message.method]
      if (other) return other(message, request, response)
      if (message.id === undefined) return response.writeHead(202).end()
      const result = answers[message.method]?.(message) ?? {}
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

type Message = Parameters<Reply>[0]
const answers: Readonly<Record<string, (message: Message) => unknown>> = {
  initialize: ({ params }) => ({
    protocolVersion: params?.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'echo', description: 'says it again', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] }),
}
