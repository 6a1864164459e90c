export type Repair = {
  /** Line of the frontmatter, from 0, and the key whose value was put in quotes. */
  readonly line: number
  readonly key: string
  /** The value as it must be written. */
  readonly quoted: string
}

/**
 * The known repair of frontmatter that is no YAML, named by the client guide of the standard: values that hold a colon
 * and are not quoted are put in double quotes, line by line. Undefined where there is nothing of the kind. The lines
 * keep their numbers.
 */
export const repairFrontmatter = (
  text: string,
): { readonly text: string; readonly repairs: readonly Repair[] } | undefined => {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  const repairs: Repair[] = []
  let blockIndent = -1
  for (const [at, line] of lines.entries()) {
    const indent = indentOf(line)
    if (blockIndent >= 0 && (line.trim() === '' || indent > blockIndent)) continue
    blockIndent = -1
    const [, before, key, written] = pairPattern.exec(line) ?? []
    if (before === undefined || key === undefined || written === undefined) continue
    const value = written.trimEnd()
    if (/^[|>][-+\d]*$/.test(value)) blockIndent = indent
    if (!needsQuotes.test(value) || !/:(\s|$)/.test(value)) continue
    const quoted = `"${takeContinuation(lines, at, value, indent).replace(/["\\]/g, '\\$&')}"`
    lines[at] = `${before}${key}: ${quoted}`
    repairs.push({ line: at, key, quoted })
  }
  return repairs.length === 0 ? undefined : { text: lines.join('\n'), repairs }
}

const pairPattern = /^(\s*(?:- )?)([\w-]+):[ \t]+(\S.*)$/

/** Not already quoted, a list, a map, a block, or otherwise special. */
const needsQuotes = /^[^"'[{|>&*!%@`#]/

const indentOf = (line: string): number => line.length - line.trimStart().length

/** A plain value may go on in deeper lines: they become part of the quoted one. */
const takeContinuation = (lines: string[], at: number, value: string, indent: number): string => {
  let text = value
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? ''
    if (line.trim() === '' || indentOf(line) <= indent) break
    text += ` ${line.trim()}`
    lines[next] = ''
  }
  return text
}
