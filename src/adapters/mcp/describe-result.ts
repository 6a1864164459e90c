import type { ToolResult } from '../../core/ports.ts'

/** As much of an answer as a conversation can bear; the rest is counted. */
const mostChars = 64 * 1024

type Content = Readonly<Record<string, unknown>>

/** The result of a `tools/call` in text: texts as they are, what is no text described. */
export const describeResult = (result: Readonly<Record<string, unknown>>): ToolResult => {
  const parts = Array.isArray(result.content) ? result.content.map(describeContent) : []
  const { structuredContent } = result
  if (parts.length === 0 && structuredContent !== undefined) parts.push(jsonText(structuredContent))
  const text = parts.join('\n')
  const { length } = text
  return {
    status: result.isError === true ? 'error' : 'ok',
    text: length > mostChars ? `${text.slice(0, mostChars)}\n[cut: ${length - mostChars} more characters]` : text,
  }
}

const describeContent = (content: unknown): string => {
  if (typeof content !== 'object' || content === null) return '(content of no known kind)'
  const { type, text, resource, uri } = content as Content
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'resource_link') return `(a link to ${String(uri)})`
  if (type === 'resource' && typeof resource === 'object' && resource !== null) {
    const inner = resource as Content
    return typeof inner.text === 'string' ? inner.text : `(the binary resource ${String(inner.uri)}; not shown)`
  }
  return type === 'image' || type === 'audio' ? `(${type}; its content is not shown)` : '(content of no known kind)'
}

const jsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (error instanceof RangeError) return '(structured content that is nested too deeply)'
    throw error
  }
}
