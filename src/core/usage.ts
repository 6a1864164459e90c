import type { Usage } from './trajectory.ts'

/**
 * The four counts of a usage are disjoint: cached input is not in the input, reasoning is not in the output. Where a
 * provider does not tell a part (null), it is in the rest.
 */
export const allInput = ({ input_tokens: input, cached_input_tokens: cached }: Usage): number | null =>
  input === null ? null : input + (cached ?? 0)

export const allOutput = ({ output_tokens: output, reasoning_tokens: reasoning }: Usage): number | null =>
  output === null ? null : output + (reasoning ?? 0)

export const allTokens = (usage: Usage): number | null => {
  const [input, output] = [allInput(usage), allOutput(usage)]
  return input === null || output === null ? null : input + output
}
