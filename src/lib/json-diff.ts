import { createColors } from 'picocolors'
import { withinDeadline } from './deadline.ts'
import { textDiff } from './text-diff.ts'
import { visibleLine } from './visible.ts'

export type JsonDiffOptions = {
  /** Colours added and removed lines for a terminal; off unless told. */
  readonly color?: boolean
}

/** The differ compares objects of a list with each other: quadratic, and worse for lists in lists. */
const MAX_CHARACTERS = 50_000
const MAX_DEPTH = 50
const TIMEOUT_MS = 500
const MAX_LINES = 200

/**
 * What differs between two JSON values, as lines that start with `+`, `-` or a blank; '' when nothing does, whatever
 * the order of keys. Values that JSON lacks count as in JSON.stringify. Structures that are large, deep, or take
 * more than half a second are compared as indented text instead. Control characters are visible.
 */
export const jsonDiff = async (expected: unknown, actual: unknown, options: JsonDiffOptions = {}): Promise<string> => {
  const [before, after] = [plainCopy(expected), plainCopy(actual)]
  const lines = (await structuralDiff(before, after)) ?? (await linesDiff(before, after))
  const shown =
    lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`] : lines
  return shown.map((line) => (options.color === true ? colored(line) : line)).join('\n')
}

type Copy = { readonly value: unknown; readonly isSimple: boolean }

/**
 * A copy that the differ reads right: without prototypes, because it looks keys up with `in`, sorted, because
 * the order of keys says nothing, and with what it would misread noticed.
 */
const plainCopy = (value: unknown): Copy => {
  let isSimple = (JSON.stringify(value) ?? 'null').length <= MAX_CHARACTERS
  const copy = (node: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH) isSimple = false
    if (Array.isArray(node)) {
      // The differ stands in names for a list's objects, and looks its strings up among them.
      if (node.some((item) => typeof item === 'string' && (item in {} || item.startsWith('__')))) isSimple = false
      return node.map((item) => copy(item, depth + 1))
    }
    if (typeof node !== 'object' || node === null) return node
    const bare: Record<string, unknown> = Object.create(null)
    for (const [key, member] of Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1))) {
      // It marks keys with such endings itself, and writes to `__proto__` by assignment.
      if (/^__|__(?:added|deleted)$/.test(key)) isSimple = false
      bare[key] = copy(member, depth + 1)
    }
    return bare
  }
  return { value: copy(JSON.parse(JSON.stringify(value) ?? 'null'), 0), isSimple }
}

const structuralDiff = async (before: Copy, after: Copy): Promise<readonly string[] | undefined> => {
  if (!before.isSimple || !after.isSimple) return undefined
  const { diff, colorizeToCallback } = (await import('json-diff')).default
  const result = withinDeadline(TIMEOUT_MS, () => diff(before.value, after.value))
  if (!result.ok) return undefined
  const lines: string[] = []
  if (result.value === undefined) return lines
  colorizeToCallback(result.value, RENDERING, (sign: string, line: string) => {
    lines.push(visibleLine(`${sign}${line}`, 400))
  })
  return lines
}

const linesDiff = async (before: Copy, after: Copy): Promise<readonly string[]> => {
  const text = await textDiff(JSON.stringify(before.value, null, 2), JSON.stringify(after.value, null, 2))
  return text === '' ? [] : text.split('\n')
}

// Two or more unchanged entries in a row are counted instead of shown.
const RENDERING = { color: false, maxElisions: 2 }

const { green, red } = createColors(true)

const colored = (line: string): string => {
  if (line.startsWith('+')) return green(line)
  return line.startsWith('-') ? red(line) : line
}
