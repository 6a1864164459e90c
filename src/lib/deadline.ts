import { type Context, createContext, Script } from 'node:vm'

export type WithinDeadline<T> = { readonly ok: true; readonly value: T } | { readonly ok: false }

/**
 * Runs synchronous `run` and gives up after `timeoutMs`: `{ok: false}`. The engine itself is
 * interrupted, so a native regular expression that backtracks for ever ends too. What `run` throws is
 * thrown on. Costs about 0.1 ms (a watchdog thread); state that `run` was changing may be left half done.
 */
export const withinDeadline = <T>(timeoutMs: number, run: () => T): WithinDeadline<T> => {
  const room = waitingRoom()
  let value: WithinDeadline<T> = { ok: false }
  room.run = () => {
    value = { ok: true, value: run() }
  }
  try {
    room.script.runInContext(room.context, { timeout: timeoutMs })
    return value
  } catch (error) {
    if (isTimeout(error)) return { ok: false }
    throw error
  } finally {
    // What was looked at may be large: the context must not keep it alive.
    room.run = undefined
  }
}

type Room = { readonly context: Context; readonly script: Script; run: (() => void) | undefined }

const rooms: Room[] = []

// A context costs 0.3 ms, so one is made at the first need and kept.
const waitingRoom = (): Room => {
  const held = rooms[0]
  if (held !== undefined) return held
  const room: Room = {
    context: createContext({ run: () => room.run?.() }, { codeGeneration: { strings: false, wasm: false } }),
    script: new Script('run()'),
    run: undefined,
  }
  rooms.push(room)
  return room
}

// Not instanceof: the error is one of the context's own realm.
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
