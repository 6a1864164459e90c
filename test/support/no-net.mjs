// Loaded before the program (`node --import`): the net is off, and every attempt to use it is written to $NO_NET_LOG.

import dgram from 'node:dgram'
import { subscribe } from 'node:diagnostics_channel'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const note = (what) => appendFileSync(process.env.NO_NET_LOG, `${what}\n`)
const refuse =
  (what) =>
  (...args) => {
    note(
      `${what} ${JSON.stringify(args, (_, value) => (typeof value === 'function' ? undefined : value))?.slice(0, 300)}`,
    )
    throw Object.assign(new Error(`the net is off: ${what}`), { code: 'ENETDOWN' })
  }
// Who listens on 127.0.0.1 looks that up too, and asks nobody.
const unlessAddress =
  (real, otherwise) =>
  (...args) =>
    (net.isIP(args[0]) > 0 ? real : otherwise)(...args)

note('the net is off')
net.Socket.prototype.connect = refuse('connect')
dgram.createSocket = refuse('datagram')
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  dns[name] = unlessAddress(dns[name], refuse(`dns.${name}`))
  dns.promises[name] = unlessAddress(dns.promises[name], refuse(`dns.promises.${name}`))
}
// What opens a socket by another way is seen all the same.
subscribe('net.client.socket', () => note('a client socket'))
syncBuiltinESMExports()
