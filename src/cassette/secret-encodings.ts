/**
 * The ways in which a text may write a value: as it is, JSON-escaped (also twice), percent-encoded, as HTML, in
 * hexadecimal, and within something longer in base64, where it looks different at each of three places.
 */
export const writtenForms = (value: string): readonly string[] => {
  const json = escaped(value)
  const percent = percentEncoded(value)
  const hex = Buffer.from(value).toString('hex')
  const forms = [
    value,
    json,
    escaped(json),
    json.replaceAll('/', '\\/'),
    percent,
    percent.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    encodeURIComponent(percent),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    hex,
    hex.toUpperCase(),
    ...base64Forms(value),
  ]
  return [...new Set(forms)].filter((form) => form.length >= value.length)
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Without the characters at its ends that also depend on what stands beside the value. */
const base64Forms = (value: string): string[] => {
  const bytes = Buffer.from(value)
  const forms = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const first = before === 0 ? 0 : before + 1
    const isWhole = (before + bytes.length) % 3 === 0
    return text.slice(first, isWhole ? undefined : -1)
  })
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))].filter(
    // So short a piece occurs in anything.
    (form) => form.length >= 7,
  )
}

/** What of a text may be another text in disguise, in pieces between blanks and delimiters. */
export const ESCAPED_RUN = /[^\s"'<>&=?;,]+/g
export const BASE64_RUN = /[A-Za-z0-9+/_-]{20,}={0,2}/g

/** What a piece says once percent-encoding and backslash escapes are read; the same text where it has none. */
export const unescaped = (piece: string): string =>
  piece
    .replaceAll(/(?:%[\da-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString())
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\x([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/')

/**
 * What a run of base64 says, read from each of its first four characters (something else may be glued to its start);
 * only what reads as text.
 */
export const decodedTexts = (run: string): readonly string[] =>
  [0, 1, 2, 3].flatMap((from) => {
    const text = Buffer.from(run.slice(from), 'base64').toString('latin1')
    return isText(text) ? [text] : []
  })

const isText = (text: string): boolean => {
  const head = text.slice(0, 256)
  return (head.match(/[\t\n\r -~]/g)?.length ?? 0) >= head.length * 0.9
}
