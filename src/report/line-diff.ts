import { plural } from './format-number.ts'
import type { ToneLine } from './tone.ts'

const CONTEXT = 2
const MAX_TABLE = 250_000

/**
 * How to come from one list of lines to the other: `- ` what is only in `before`, `+ ` what is only in `after`, two
 * lines around each change, and how many equal ones were left out between. Longest common subsequence; where that
 * would be a table of more than 250,000 cells, the differing middle is shown as removed and added whole.
 */
export const lineDiff = (before: readonly string[], after: readonly string[]): readonly ToneLine[] => {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let tail = 0
  const most = Math.min(before.length, after.length) - start
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return collapse([
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, before.length - tail), after.slice(start, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ])
}

const same = (lines: readonly string[]): ToneLine[] => lines.map((line) => ({ text: `  ${line}`, tone: 'plain' }))
const removed = (line: string): ToneLine => ({ text: `- ${line}`, tone: 'bad' })
const added = (line: string): ToneLine => ({ text: `+ ${line}`, tone: 'good' })

const middle = (before: readonly string[], after: readonly string[]): ToneLine[] => {
  if (before.length * after.length > MAX_TABLE) return [...before.map(removed), ...after.map(added)]
  const lengths = commonLengths(before, after)
  const width = after.length + 1
  const diff: ToneLine[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]]
    if (old !== undefined && old === now) {
      diff.push(...same([old]))
      i++
      j++
    } else if (
      old !== undefined &&
      (now === undefined || at(lengths, (i + 1) * width + j) >= at(lengths, i * width + j + 1))
    ) {
      diff.push(removed(old))
      i++
    } else if (now !== undefined) {
      diff.push(added(now))
      j++
    }
  }
  return diff
}

/** Row i, column j: how many lines `before` from i on and `after` from j on have in common, in order. */
const commonLengths = (before: readonly string[], after: readonly string[]): Uint32Array => {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j]
          ? at(lengths, (i + 1) * width + j + 1) + 1
          : Math.max(at(lengths, (i + 1) * width + j), at(lengths, i * width + j + 1))
    }
  }
  return lengths
}

const at = (table: Uint32Array, index: number): number => table[index] ?? 0

const collapse = (diff: readonly ToneLine[]): readonly ToneLine[] => {
  const shown: ToneLine[] = []
  let left = 0
  const tellLeft = () => {
    if (left > 0) shown.push({ text: `  … ${plural(left, 'equal line')}`, tone: 'faint' })
    left = 0
  }
  const near = nearChanges(diff)
  for (const [index, line] of diff.entries()) {
    if (!near[index]) left++
    else {
      tellLeft()
      shown.push(line)
    }
  }
  tellLeft()
  return shown
}

const nearChanges = (diff: readonly ToneLine[]): readonly boolean[] => {
  const near = diff.map(() => false)
  for (const [index, { tone }] of diff.entries()) {
    if (tone !== 'plain') near.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  }
  return near
}
