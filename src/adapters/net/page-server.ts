import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { UsageError } from '../../core/errors.ts'
import type { PageServer, ServedPage } from '../../core/ports.ts'

/** Nobody watches a report in more windows. */
const maxWatchers = 32
const pingMs = 15_000

/**
 * Serves one page to this machine alone, below a path that nobody can guess: `<token>/` is the page, `<token>/events` tells
 * whoever waits there that it is another now. Nothing else is there, no folder is behind it. A request by another name
 * than that of this machine is a page elsewhere that had its name point here, and is refused, as is one that another
 * site sends. Throws a UsageError where the port is taken.
 */
export const servePage = async (page: () => Promise<ServedPage>, port: number): Promise<PageServer> => {
  const token = randomBytes(16).toString('base64url')
  const watchers = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void answer(request, response).catch(() => response.destroy())
  })
  server.maxConnections = 4 * maxWatchers
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isOwnName(request.headers.host, portOf())) return refuse(response, 421, 'this is not the name of this server')
    if (!isOwnPage(request.headers)) return refuse(response, 403, 'another site may not ask')
    if (!isRead) return refuse(response, 405, 'this page is only read')
    const [path] = (request.url ?? '').split('?', 1)
    if (path === undefined || !isSame(path.slice(0, token.length + 2), `/${token}/`))
      return refuse(response, 404, 'nothing is here; the address is the one that was printed')
    const rest = path.slice(token.length + 2)
    if (rest === 'events') return watch(response, (await page()).version)
    if (rest !== '') return refuse(response, 404, 'nothing is here')
    const { html, policy, status } = await page()
    response.writeHead(status, {
      ...common,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${policy}; frame-ancestors 'none'`,
      'content-length': html.length,
    })
    response.end(request.method === 'HEAD' ? undefined : html)
  }
  const watch = (response: ServerResponse, version: string): void => {
    if (watchers.size >= maxWatchers) {
      refuse(response, 503, 'too many windows wait for changes')
      return
    }
    response.writeHead(200, { ...common, 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(`retry: 2000\ndata: ${version}\n\n`)
    watchers.add(response)
    response.on('close', () => watchers.delete(response))
  }
  const ping = setInterval(() => {
    for (const watcher of watchers) watcher.write(':\n\n')
  }, pingMs)
  ping.unref()
  const portOf = (): number => {
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(refusedPort(error, port)))
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${portOf()}/${token}/`,
    changed: (version) => {
      for (const watcher of watchers) watcher.write(`data: ${version}\n\n`)
    },
    close: () => {
      clearInterval(ping)
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const common = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

const refuse = (response: ServerResponse, status: number, why: string): void => {
  response.writeHead(status, { ...common, 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${why}\n`)
}

const isOwnName = (host: string | undefined, port: number): boolean =>
  host === `127.0.0.1:${port}` || host === `localhost:${port}` || (port === 80 && host === '127.0.0.1')

/** Browsers say from where a request comes; a link that a person follows may come from anywhere. */
const isOwnPage = (headers: IncomingMessage['headers']): boolean => {
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return headers['sec-fetch-mode'] === 'navigate'
  return headers.origin === undefined || headers.origin === `http://${headers.host}`
}

const isSame = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const refusedPort = (error: NodeJS.ErrnoException, port: number): Error => {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error
  const why = error.code === 'EACCES' ? 'may not be used' : 'is in use'
  return new UsageError('port_taken', `the port ${port} ${why}`, { hint: 'Without --port, one that is free is taken.' })
}
