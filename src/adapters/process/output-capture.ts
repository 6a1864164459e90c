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
    while (tail.length > 0 && tailBytes - (tail[0]?.length ?? 0) >= keepBytes) tailBytes -= tail.shift()?.length ?? 0
    // A flood of single bytes would cost more for its chunks than for its bytes.
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
      const first = Buffer.concat(head)
      const kept = Buffer.concat(tail)
      const last = kept.subarray(Math.max(0, kept.length - keepBytes))
      const decoder = new TextDecoder()
      if (bytes === first.length + last.length) {
        return { text: decoder.decode(Buffer.concat([first, last])), bytes, omitted: 0 }
      }
      // Characters that the cuts have halved are left out with the rest.
      const whole = first.subarray(0, first.length - halfAtEnd(first))
      const rest = last.subarray(halfAtStart(last))
      const omitted = bytes - whole.length - rest.length
      const note = `\n… ${omitted.toLocaleString('en')} bytes left out …\n`
      return { text: decoder.decode(whole) + note + decoder.decode(rest), bytes, omitted }
    },
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** How many bytes at the end are the beginning of a UTF-8 character that does not end there. */
const halfAtEnd = (bytes: Uint8Array): number => {
  let begun = 1
  while (begun < 4 && isContinuation(bytes.at(-begun))) begun += 1
  const lead = bytes.at(-begun) ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return length > begun ? begun : 0
}

/** How many bytes at the start are the end of a UTF-8 character that began before. */
const halfAtStart = (bytes: Uint8Array): number => {
  let count = 0
  while (count < 3 && isContinuation(bytes[count])) count += 1
  return count
}
