/** A whole number with its thousands apart: `12,345`. */
export const formatNumber = (value: number): string => String(value).replace(/(?<=^-?\d+)(?=(?:\d{3})+$)/g, ',')

/** `1 case`, `2 cases`; the plural where it is not the word with an s. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

/** Milliseconds for people: `12 ms`, `0.3 s`, `2 min 5 s`, `1 h 2 min`. */
export const formatDuration = (ms: number): string => {
  if (!(ms >= 0)) return UNKNOWN
  if (ms < 100) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${formatNumber(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** A share as a percentage with one decimal; only what is all or nothing reads `100%` or `0%`. */
export const formatShare = (share: number | null): string => {
  if (share === null) return UNKNOWN
  const tenths = Math.round(share * 1000)
  if (tenths >= 1000 && share < 1) return '99.9%'
  if (tenths === 0 && share > 0) return '0.1%'
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)}%`
}

/** Dollars; small sums keep four decimals. Null is a price that is not known. */
export const formatCost = (usd: number | null): string => {
  if (usd === null) return UNKNOWN
  if (usd === 0) return '$0'
  if (usd < 0.0001) return '<$0.0001'
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}

/** Stands for a number that can't be known. */
export const UNKNOWN = '–'
