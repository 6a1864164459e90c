import type { ProcessOutput } from '../../core/ports.ts'

/** Keeps the first and the last `keepBytes` of a stream and counts the rest: memory does not grow with a flood. */
export const outputCapture = (keepBytes: number): { push(chunk: Uint8Array): void; result(): ProcessOutput } => {
  const head: Uint8Array[] = []
  let headBytes = 0
  let tail: Uint8Array[] = []
  let tailBytes = 0
  let bytes = 0

  const pushTail = (chunk: Uint8Array) => {
    tail.push(chunk)
    tailBytes += chunk.length
    // Dropped only once there is twice as much as is kept, so that each byte is copied a bounded number of times.
    while (tailBytes - (tail[0]?.length ?? 0) >= keepBytes) tailBytes -= tail.shift()?.length ?? 0
    if (tail.length > 1024) tail = [Buffer.concat(tail)]
  }

  return {
    push: (chunk) => {
      bytes += chunk.length
      const room = keepBytes - headBytes
      if (room > 0) {
        const part = chunk.subarray(0, room)
        head.push(Buffer.from(part))
        headBytes += part.length
      }
      if (chunk.length > room) pushTail(Buffer.from(chunk.subarray(Math.max(0, room))))
    },
    result: () => {
      const last = Buffer.concat(tail).subarray(-keepBytes)
      const omitted = bytes - headBytes - last.length
      const decoder = new TextDecoder()
      if (omitted <= 0) return { text: decoder.decode(Buffer.concat([...head, last])), bytes, omitted: 0 }
      const note = `\n… ${omitted.toLocaleString('en')} bytes left out …\n`
      return { text: decoder.decode(Buffer.concat(head)) + note + decoder.decode(last), bytes, omitted }
    },
  }
}
