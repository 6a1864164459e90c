import { expect, test } from 'vitest'
import { liveRegion } from './live-region.ts'

const clear = '\r\x1b[2K'

const onTerminal = (intervalMs: number) => {
  const written: string[] = []
  return { written, region: liveRegion({ write: (text) => written.push(text) }, intervalMs) }
}

test('redraws its line in place and prints above it', () => {
  const { written, region } = onTerminal(0)
  region.update('1 of 2')
  region.print('FAIL a\n')
  region.update('2 of 2')
  region.close()
  region.close()
  expect(written).toEqual([`${clear}1 of 2`, `${clear}FAIL a\n1 of 2`, `${clear}2 of 2`, clear])
})

test('prints as it is while nothing is shown', () => {
  const { written, region } = onTerminal(0)
  region.print('hello\n')
  region.close()
  region.print('bye\n')
  expect(written).toEqual(['hello\n', 'bye\n'])
})

test('redraws no more often than its interval', () => {
  const { written, region } = onTerminal(60_000)
  for (let i = 0; i < 1000; i += 1) region.update(`${i}`)
  expect(written).toEqual([`${clear}0`])
})
