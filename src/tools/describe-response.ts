import type { HttpResponse } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'

const told = ['content-type', 'content-length', 'location', 'retry-after']

/** An answer as the model is told it: the status, what matters of the headers, and the text or what stands for it. */
export const describeResponse = (response: HttpResponse, redirectedTo: URL | undefined): string => {
  const { status, statusText, headers } = response
  const lines = [`HTTP ${status} ${visibleLine(statusText, 80)}`.trimEnd()]
  if (redirectedTo) lines.push(`redirected to ${redirectedTo.href}`)
  for (const name of told) {
    const value = headers.get(name)
    if (value !== undefined) lines.push(`${name}: ${visibleLine(value)}`)
  }
  return `${lines.join('\n')}\n\n${describeBody(response)}`
}

const describeBody = ({ body, isCut, headers }: HttpResponse): string => {
  if (body.length === 0) return '(no body)'
  const type = headers.get('content-type') ?? ''
  const text = isMedia(type) ? undefined : textOf(body, charsetOf(type), isCut)
  const size = `${isCut ? 'more than ' : ''}${body.length} bytes`
  if (text === undefined) return `(a binary body of ${size}; its content is not shown)`
  return isCut ? `${text}\n[cut: the first ${body.length} bytes are shown; the rest was not read]` : text
}

const isMedia = (type: string): boolean => /^\s*(image|audio|video|font)\//i.test(type) && !/^\s*image\/svg/i.test(type)

const charsetOf = (type: string): string => /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? 'utf-8'

/** undefined where it is no text: NUL characters, or many bytes that are no characters. */
const textOf = (body: Uint8Array, charset: string, isCut: boolean): string | undefined => {
  // Read as part of a stream: a character that the cut has halved is left out.
  const text = new TextDecoder(readable(charset)).decode(body, { stream: isCut })
  if (text.includes('\0')) return undefined
  const wrong = text.split('\ufffd').length - 1
  return wrong * 10 > text.length ? undefined : text
}

/** The name of a charset that can be read; of one that nobody knows, the usual one. */
const readable = (charset: string): string => {
  try {
    return new TextDecoder(charset).encoding
  } catch (error) {
    if (error instanceof RangeError) return 'utf-8'
    throw error
  }
}
