import { visible } from './visible.ts'

/** Beyond this many changed lines a diff tells nobody anything, and finding the shortest one takes seconds. */
const MAX_EDITS = 1_000
const MAX_LINES = 200
const MAX_WIDTH = 400

/**
 * What differs between two texts, as a unified diff with three lines of context; '' when nothing does. Control
 * characters are visible. At most 200 lines; texts that differ in more than about 1,000 lines show only where they part.
 */
export const textDiff = async (
  expected: string,
  actual: string,
  names: readonly [string, string] = ['expected', 'actual'],
): Promise<string> => {
  if (expected === actual) return ''
  const { structuredPatch } = await import('diff')
  const [before, after] = withFinalNewlines(expected, actual)
  const patch = structuredPatch('expected', 'actual', before, after, '', '', { context: 3, maxEditLength: MAX_EDITS })
  const lines =
    patch === undefined
      ? firstDifference(before, after)
      : patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
          `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
          ...lines,
        ])
  const shown = lines.slice(0, MAX_LINES).map(narrow)
  if (lines.length > MAX_LINES) shown.push(`… ${lines.length - MAX_LINES} more lines`)
  return [`--- ${narrow(names[0])}`, `+++ ${narrow(names[1])}`, ...shown].join('\n')
}

// That a final newline is missing is news only when the other text has one.
const withFinalNewlines = (expected: string, actual: string): readonly [string, string] =>
  expected.endsWith('\n') || actual.endsWith('\n') ? [expected, actual] : [`${expected}\n`, `${actual}\n`]

const firstDifference = (expected: string, actual: string): string[] => {
  const [before, after] = [expected.split('\n'), actual.split('\n')]
  const at = before.findIndex((line, index) => line !== after[index])
  const part = at === -1 ? before.length : at
  const count = (lines: readonly string[]) => `${lines.length - 1} lines`
  return [
    `@@ line ${part + 1}: the first of more than ${MAX_EDITS} differences (${count(before)} expected, ${count(after)} found) @@`,
    ...before.slice(Math.max(0, part - 3), part).map((line) => ` ${line}`),
    ...before.slice(part, part + 3).map((line) => `-${line}`),
    ...after.slice(part, part + 3).map((line) => `+${line}`),
  ]
}

const narrow = (line: string): string =>
  line.length > MAX_WIDTH ? `${visible(line.slice(0, MAX_WIDTH))}… (${line.length} characters)` : visible(line)
