import { httpContract } from '../../core/ports.contract.test-support.ts'
import { httpClient } from './http-client.ts'
import { localServer } from './local-server.test-support.ts'

httpContract(async (answers) => {
  const server = await localServer((request, response) => {
    const { status = 200, headers, body, hangs } = answers[request.url ?? ''] ?? { status: 404 }
    if (hangs) return
    response.writeHead(status, headers)
    response.end(body)
  })
  return {
    http: httpClient(),
    origin: server.origin,
    seen: () => server.seen.map(({ method, path, body }) => ({ method, path, body })),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
})
