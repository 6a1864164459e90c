// Loaded before the program (`node --import`): nock lets no request out, and every one is written to $NO_NET_LOG.

import { appendFileSync } from 'node:fs'
import nock from 'nock'

const note = (what) => appendFileSync(process.env.NO_NET_LOG, `${what}\n`)

note('the net is off')
nock.disableNetConnect()
nock.emitter.on('no match', (request) =>
  note(`request ${request?.method ?? ''} ${request?.url ?? request?.path ?? ''}`),
)
