import { expect, test } from 'vitest'
import { aRow } from '../core/ports.contract.test-support.ts'
import { withAttempts } from './trial-row.ts'

const judged = (cost_usd: number | null, ...models: readonly string[]) => {
  const usage = { input_tokens: 10, output_tokens: 1, cached_input_tokens: 0, reasoning_tokens: 0 }
  return aRow({ judge: { profile: 'judge', models: [...models], usage, cost_usd } })
}

test('what judging earlier attempts cost is counted, and who answered', () => {
  expect(withAttempts(judged(0.5, 'b'), [judged(0.25, 'a'), aRow(), judged(0.25, 'a', 'b')])).toMatchObject({
    attempts: 4,
    judge: { profile: 'judge', models: ['a', 'b'], usage: { input_tokens: 30, output_tokens: 3 }, cost_usd: 1 },
  })
  expect(withAttempts(aRow(), [judged(null, 'a')]).judge).toMatchObject({ models: ['a'], cost_usd: null })
  expect(withAttempts(aRow(), [aRow()])).not.toHaveProperty('judge')
})
