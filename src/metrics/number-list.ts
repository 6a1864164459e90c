/** A list of numbers in eight bytes each that grows by doubling; `values` is a view, not a copy. */
export const numberList = (): NumberList => {
  let slots = new Float64Array(64)
  let length = 0
  return {
    push: (value) => {
      if (length === slots.length) {
        const wider = new Float64Array(length * 2)
        wider.set(slots)
        slots = wider
      }
      slots[length++] = value
    },
    values: () => slots.subarray(0, length),
  }
}

export type NumberList = {
  readonly push: (value: number) => void
  readonly values: () => Float64Array
}
