export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly message: string
      readonly offset?: number
      readonly line?: number
      readonly column?: number
    }

export const parseJson = (text: string, _options: { maxBytes?: number } = {}): ParsedJson => {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

export const extractJson = (text: string): ParsedJson => {
  const whole = parseJson(text.trim())
  if (whole.ok) return whole
  const fenced = /```(?:json)?\s*\n([\s\S]*?)```/.exec(text)?.[1]
  return fenced === undefined ? whole : parseJson(fenced)
}
