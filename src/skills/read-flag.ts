const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
])

/**
 * A boolean as authors write it (`true`, `yes`, `on`, `1` and their opposites, in any case); undefined for anything
 * else.
 */
export const readFlag = (value: unknown): boolean | undefined =>
  typeof value === 'string' ? words.get(value.trim().toLowerCase()) : undefined
