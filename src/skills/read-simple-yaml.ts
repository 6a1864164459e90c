/**
 * Reads the plainest frontmatter without a YAML parser, many times faster: `key: text` lines, below a key a list of
 * texts or one level of `key: text`, a text that goes on there, or a block text (`>`, `|`). Undefined for everything
 * else: what is returned is exactly what a YAML parser that keeps all scalars as strings returns.
 */
export const readSimpleYaml = (text: string): Record<string, unknown> | undefined => {
  const lines = linesOf(text)
  if (lines === undefined) return undefined
  const fields: Record<string, unknown> = {}
  let keys = 0
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    at += 1
    if (line === '') continue
    const block = at
    while (at < lines.length && isBelow(lines[at] ?? '')) at += 1
    const key = keyOf(line, 0)
    if (key === undefined || Object.hasOwn(fields, key)) return undefined
    const written = valueText(line, key.length + 1)
    const value = block === at ? scalar(written) : blockValue(written, lines.slice(block, at))
    if (value === undefined) return undefined
    fields[key] = value
    keys += 1
  }
  return keys === 0 ? undefined : fields
}

/** The line of a top-level key in a text that `readSimpleYaml` could read, counted from 0. */
export const simpleKeyLine = (text: string, key: string): number => {
  const at = text.startsWith(`${key}:`) ? 0 : text.indexOf(`\n${key}:`) + 1
  return text.slice(0, at).split('\n').length - 1
}

const mostLines = 300

// Control characters, line separators, byte order marks: whatever they mean, the real parser decides.
const unusual = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/

const linesOf = (text: string): string[] | undefined => {
  const lines = text.split('\n')
  if (lines.length > mostLines) return undefined
  for (const [i, raw] of lines.entries()) {
    const line = i < lines.length - 1 && raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (unusual.test(line)) return undefined
    lines[i] = line
  }
  return lines
}

/** Lines that belong to the key above: indented ones, and the entries of a list, which need not be. */
const isBelow = (line: string): boolean => line.startsWith(' ') || line.startsWith('- ')

const keyPattern = /([A-Za-z_][A-Za-z0-9_-]{0,63}):(?= |$)/y

const keyOf = (line: string, from: number): string | undefined => {
  keyPattern.lastIndex = from
  const key = keyPattern.exec(line)?.[1]
  return key === '__proto__' ? undefined : key
}

const valueText = (line: string, from: number): string => {
  let start = from
  let end = line.length
  while (line[start] === ' ') start += 1
  while (end > start && line[end - 1] === ' ') end -= 1
  return line.slice(start, end)
}

const plainStart = /^[A-Za-z0-9_(./$\u00a1-\u1fff\u2c00-\ud7ff]/

const scalar = (text: string): string | undefined => {
  if (text === '') return ''
  const quote = text[0]
  if (quote === '"' || quote === "'") {
    const inner = text.slice(1, -1)
    const isWhole = text.length > 1 && text.endsWith(quote) && !inner.includes(quote) && !inner.includes('\\')
    return isWhole ? inner : undefined
  }
  if (!plainStart.test(text) || text.includes(': ') || text.includes(' #') || text.endsWith(':')) return undefined
  return text
}

const blockValue = (header: string, lines: readonly string[]): unknown => {
  if (header !== '') return /^[|>]/.test(header) ? blockText(header, lines) : plainText(header, lines)
  const first = lines[0] ?? ''
  const indent = first.length - first.trimStart().length
  if (first.startsWith('- ', indent)) return list(lines, indent)
  return indent === 0 ? undefined : map(lines, indent)
}

const list = (lines: readonly string[], indent: number): string[] | undefined => {
  const items: string[] = []
  for (const line of lines) {
    if (!isIndented(line, indent) || !line.startsWith('- ', indent)) return undefined
    const item = scalar(valueText(line, indent + 2))
    if (item === undefined || item === '') return undefined
    items.push(item)
  }
  return items
}

const map = (lines: readonly string[], indent: number): Record<string, string> | undefined => {
  const entries: Record<string, string> = {}
  for (const line of lines) {
    const key = isIndented(line, indent) ? keyOf(line, indent) : undefined
    if (key === undefined || Object.hasOwn(entries, key)) return undefined
    const value = scalar(valueText(line, indent + key.length + 1))
    if (value === undefined || value === '') return undefined
    entries[key] = value
  }
  return entries
}

const blockText = (header: string, lines: readonly string[]): string | undefined => {
  if (!/^[|>]-?$/.test(header)) return undefined
  const first = lines[0] ?? ''
  const indent = first.length - first.trimStart().length
  if (indent === 0) return undefined
  for (const line of lines) if (!isIndented(line, indent) || line.endsWith(' ')) return undefined
  const text = lines.map((line) => line.slice(indent)).join(header[0] === '>' ? ' ' : '\n')
  return header.endsWith('-') ? text : `${text}\n`
}

/** A text that goes on in deeper lines. */
const plainText = (first: string, lines: readonly string[]): string | undefined => {
  const parts = [first]
  for (const line of lines) if (line.startsWith(' ')) parts.push(valueText(line, 0))
  const isPlain = parts.length === lines.length + 1 && parts.every((part) => part !== '' && scalar(part) === part)
  return isPlain ? parts.join(' ') : undefined
}

const isIndented = (line: string, indent: number): boolean => {
  for (let i = 0; i < indent; i += 1) if (line[i] !== ' ') return false
  return line.length > indent && line[indent] !== ' '
}
