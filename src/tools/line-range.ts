export type LineRange = { readonly first: number; readonly last: number }

/** `10-40`, `10-` or `10` → lines counted from 1, both included; undefined where it is none of these. */
export const parseLineRange = (text: string): LineRange | undefined => {
  const match = /^(\d+)(-(\d*))?$/.exec(text)
  if (!match) return undefined
  const first = Number(match[1])
  const last = match[2] === undefined ? first : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3])
  return first >= 1 && last >= first ? { first, last } : undefined
}
