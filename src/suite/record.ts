export type JsonRecord = Readonly<Record<string, unknown>>

/** Whether this is a map: neither null nor a list. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The map that this is, or an empty one. */
export const recordOr = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

/** The list that this is, or an empty one. */
export const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
