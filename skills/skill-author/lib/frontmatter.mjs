// The top level of a SKILL.md's frontmatter: plain, quoted and block scalars. Nested values are named, not read.

/** {fields: Map name → {value, line}, body, findings: [{severity, rule, line, message}]}; value is undefined for nested ones. */
export function readFrontmatter(text) {
  const lines = text.split('\n')
  const findings = []
  if (lines[0].trimEnd() !== '---') return { fields: new Map(), body: text, findings: [missing('the file does not start with a line ---')] }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  if (end < 0) return { fields: new Map(), body: '', findings: [missing('the frontmatter is not closed by a line ---')] }
  const fields = new Map()
  for (let at = 1; at < end; ) {
    const line = lines[at]
    const match = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/.exec(line.trimEnd())
    let next = at + 1
    while (next < end && (/^[ \t]/.test(lines[next]) || lines[next].trim() === '')) next += 1
    if (match) {
      const [, name, first = ''] = match
      if (fields.has(name)) findings.push({ severity: 'error', rule: 'duplicate-field', line: at + 1, message: `${name} stands twice` })
      const value = scalar(first, lines.slice(at + 1, next), name, at + 1, findings)
      fields.set(name, { value, line: at + 1 })
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      findings.push({ severity: 'error', rule: 'bad-frontmatter', line: at + 1, message: 'expected "name: value"' })
    }
    at = next
  }
  return { fields, body: lines.slice(end + 1).join('\n'), findings }
}

function missing(message) {
  return { severity: 'error', rule: 'no-frontmatter', line: 1, message }
}

function scalar(first, following, name, line, findings) {
  const block = /^([|>])[+-]?[0-9]?[ \t]*(?:#.*)?$/.exec(first)
  if (block) return blockScalar(block[1], following)
  const rest = following.map((part) => part.trim()).filter((part) => part !== '')
  if (first === '' && rest.length > 0 && /^(?:- |[\w-]+:(?: |$))/.test(rest[0])) return undefined
  if (/^[[{]/.test(first)) return undefined
  const joined = [first, ...rest].join(' ').trim()
  if (joined.startsWith('"')) return quoted(joined, /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/, name, line, findings, unescape)
  if (joined.startsWith("'")) return quoted(joined, /^'((?:[^']|'')*)'\s*(?:#.*)?$/, name, line, findings, (text) => text.replaceAll("''", "'"))
  if (/: |:$/.test(joined)) findings.push({ severity: 'error', rule: 'unquoted-colon', line, message: `${name} holds ": ", which YAML reads as a nested key; put the value in quotes` })
  const comment = joined.search(/ #/)
  if (comment >= 0) findings.push({ severity: 'warning', rule: 'unquoted-hash', line, message: `${name} is cut at " #", which starts a comment; put the value in quotes` })
  return comment >= 0 ? joined.slice(0, comment).trimEnd() : joined
}

function quoted(joined, pattern, name, line, findings, decode) {
  const match = pattern.exec(joined)
  if (match) return decode(match[1])
  findings.push({ severity: 'error', rule: 'bad-frontmatter', line, message: `the quotes of ${name} don't close` })
  return undefined
}

function unescape(text) {
  const escapes = { n: '\n', t: '\t', r: '\r', 0: '\0' }
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code, char) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[char] ?? char)))
}

function blockScalar(style, following) {
  const filled = following.filter((line) => line.trim() !== '')
  const indent = filled.reduce((least, line) => Math.min(least, /^[ \t]*/.exec(line)[0].length), Infinity)
  const lines = following.map((line) => line.slice(indent).trimEnd())
  const text = lines.join('\n').trim()
  return style === '|' ? text : text.replace(/([^\n])\n(?=[^\n])/g, '$1 ').replace(/\n\n/g, '\n')
}
