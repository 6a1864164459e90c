export type LineRange = { readonly from: number; readonly to: number }

/** `"10-40"`, `"10-"` or `"10"` as lines counted from 1; undefined for anything else. */
export const parseLineRange = (text: string): LineRange | undefined => {
  const [, first, dash, last] = /^(\d{1,9})(-?)(\d{0,9})$/.exec(text.trim()) ?? []
  if (first === undefined || (dash === '' && last !== '')) return undefined
  const from = Number(first)
  const to = dash === '' ? from : last === '' ? Number.POSITIVE_INFINITY : Number(last)
  return from >= 1 && to >= from ? { from, to } : undefined
}

export type LineSlice =
  | { readonly ok: true; readonly text: string; readonly cut: boolean }
  | { readonly ok: false; readonly total: number }

/**
 * The lines of a range, read no further than needed; `cut` where they were more than `maxLength` characters. Where the
 * text ends before the range starts, how many lines it has.
 */
export const sliceLines = (lines: Iterable<string>, { from, to }: LineRange, maxLength: number): LineSlice => {
  const taken: string[] = []
  let length = 0
  let total = 0
  for (const line of lines) {
    total += 1
    if (total < from) continue
    if (length + line.length > maxLength)
      return { ok: true, text: [...taken, line].join('\n').slice(0, maxLength), cut: true }
    taken.push(line)
    length += line.length + 1
    if (total === to) break
  }
  return total < from ? { ok: false, total } : { ok: true, text: taken.join('\n'), cut: false }
}
