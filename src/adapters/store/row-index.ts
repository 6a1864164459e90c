export type Line = { readonly offset: number; readonly length: number }

/** Where in a file the result of a trial lies, by the digest of its inputs and its number. */
export type RowIndex = {
  /** A later line for the same trial replaces the earlier one. */
  add(inputs: string, n: number, line: Line): void
  find(inputs: string, n: number): Line | undefined
  readonly size: number
}

/**
 * An index in typed arrays, 28 bytes for a place: a map of 100,000 texts would take as much as the run itself. It goes by
 * 52 bits of the digest; who reads the line sees the whole digest and must compare it.
 */
export const rowIndex = (): RowIndex => {
  let capacity = 1024
  let table = emptyTable(capacity)
  let size = 0

  const slotOf = (key: number, n: number): number => {
    let slot = (key + n * 0x9e3779b1) % capacity
    while (table.lengths[slot] !== 0 && !(table.keys[slot] === key && table.numbers[slot] === n)) {
      slot = (slot + 1) % capacity
    }
    return slot
  }

  const put = (key: number, n: number, { offset, length }: Line): void => {
    const slot = slotOf(key, n)
    if (table.lengths[slot] === 0) size += 1
    table.keys[slot] = key
    table.numbers[slot] = n
    table.offsets[slot] = offset
    table.lengths[slot] = length
  }

  const grow = (): void => {
    const { keys, numbers, offsets, lengths } = table
    capacity *= 2
    table = emptyTable(capacity)
    size = 0
    for (const [i, length] of lengths.entries()) {
      if (length > 0) put(keys[i] ?? 0, numbers[i] ?? 0, { offset: offsets[i] ?? 0, length })
    }
  }

  return {
    add: (inputs, n, line) => {
      if (size * 2 >= capacity) grow()
      put(keyOf(inputs), n, line)
    },
    find: (inputs, n) => {
      const slot = slotOf(keyOf(inputs), n)
      const length = table.lengths[slot] ?? 0
      return length === 0 ? undefined : { offset: table.offsets[slot] ?? 0, length }
    },
    get size() {
      return size
    },
  }
}

const emptyTable = (capacity: number) => ({
  keys: new Float64Array(capacity),
  numbers: new Uint32Array(capacity),
  offsets: new Float64Array(capacity),
  lengths: new Uint32Array(capacity),
})

const keyOf = (inputs: string): number => Number.parseInt(inputs.slice(0, 13), 16) || 0
