// A limit may come out of arithmetic (0.1 * 3) and a rate out of a division: the last digits decide nothing.
const TOLERANCE = 1e-9

/** Whether `actual` reaches `limit`, but for rounding. */
export const isAtLeast = (actual: number, limit: number): boolean => actual >= limit - Math.abs(limit) * TOLERANCE

/** Whether `actual` stays within `limit`, but for rounding. */
export const isAtMost = (actual: number, limit: number): boolean => actual <= limit + Math.abs(limit) * TOLERANCE
