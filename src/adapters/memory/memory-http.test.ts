import { httpContract } from '../../core/ports.contract.test-support.ts'
import { memoryHttp } from './memory-http.ts'

httpContract(async (answers) => {
  const origin = 'http://site.test:8080'
  const byUrl = Object.fromEntries(Object.entries(answers).map(([path, answer]) => [`${origin}${path}`, answer]))
  const http = memoryHttp(byUrl, ['site.test'])
  return {
    http,
    origin,
    seen: () => http.requests.map(({ method, url, body }) => ({ method, path: url.pathname, body: body ?? '' })),
    [Symbol.asyncDispose]: async () => undefined,
  }
})
