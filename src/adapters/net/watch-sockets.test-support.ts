import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Every socket that this process opens as a client, and where it tries to connect to. */
export const watchSockets = () => {
  const attempts: string[] = []
  let sockets = 0
  const seen = (message: unknown) => {
    sockets += 1
    const { socket } = message as { readonly socket: Socket }
    socket.on('connectionAttempt', (address: string) => attempts.push(address))
  }
  subscribe('net.client.socket', seen)
  return {
    sockets: () => sockets,
    attempts,
    [Symbol.dispose]: () => void unsubscribe('net.client.socket', seen),
  }
}
