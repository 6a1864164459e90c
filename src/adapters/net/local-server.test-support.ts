import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'

type Seen = { readonly method: string; readonly path: string; readonly body: string; readonly headers: object }

/** A server of this machine that counts who comes; ends with all its connections. */
export const localServer = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  at: { readonly host?: string; readonly port?: number } = {},
) => {
  const seen: Seen[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    response.on('error', () => undefined)
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece)
    } catch {
      return
    }
    const { method = '', url = '', headers } = request
    seen.push({ method, path: url, body: Buffer.concat(pieces).toString(), headers })
    answer(request, response)
  })
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections += 1
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  const host = at.host ?? '127.0.0.1'
  await once(server.listen(at.port ?? 0, host), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    seen: seen as readonly Seen[],
    connections: () => connections,
    /** Connections that are still there. */
    open: () => open.size,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

/** A server that says these bytes to whoever comes, whatever is asked, and then closes or goes on in `then`. */
export const rawServer = async (text: string, then: (socket: Socket) => void = (socket) => socket.end()) => {
  const open = new Set<Socket>()
  const server = createTcpServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    socket.once('data', () => {
      socket.write(text)
      then(socket)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => open.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}
