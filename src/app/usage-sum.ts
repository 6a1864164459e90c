import type { CassetteAnswer } from '../schema/cassette.ts'

/** Tokens of so many trials; null where one of them does not tell. */
export type UsageSum = { trials: number; input: number | null; cached: number | null; output: number | null }
export const noUsage = (): UsageSum => ({ trials: 0, input: 0, cached: 0, output: 0 })

/** What a trial used for these answers. */
export const usageOf = (answers: readonly Pick<CassetteAnswer, 'usage'>[]): UsageSum => {
  const sum = { ...noUsage(), trials: 1 }
  for (const answer of answers) {
    const {
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: output,
      reasoning_tokens: more,
    } = answer.usage
    sum.input = plus(sum.input, input)
    // Where a provider does not tell a part, it is in the rest.
    sum.cached = plus(sum.cached, cached ?? 0)
    sum.output = plus(sum.output, output === null ? null : output + (more ?? 0))
  }
  return sum
}

export const plus = (sum: number | null, more: number | null): number | null =>
  sum === null || more === null ? null : sum + more

export const addTo = (sum: UsageSum, more: UsageSum, times = 1): void => {
  sum.trials += more.trials * times
  for (const key of ['input', 'cached', 'output'] as const)
    sum[key] = plus(sum[key], more[key] === null ? null : more[key] * times)
}

export const addTimes = (sum: UsageSum, one: UsageSum, times: number): void => addTo(sum, { ...one, trials: 1 }, times)

export const mean = (sums: readonly UsageSum[]): UsageSum => {
  const all = noUsage()
  for (const sum of sums) addTo(all, sum)
  return meanOf(all)
}

export const meanOf = ({ trials, input, cached, output }: UsageSum): UsageSum => ({
  trials: 1,
  input: input === null ? null : input / trials,
  cached: cached === null ? null : cached / trials,
  output: output === null ? null : output / trials,
})
