import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { liveRegion } from './live-region.ts'

const clear = '\r\x1b[J'

const onTerminal = (intervalMs: number) => {
  const written: string[] = []
  const terminal = { write: (text: string) => written.push(text), columns: 20 }
  return { written, terminal, region: liveRegion(terminal, (line) => line.length, intervalMs) }
}

test('redraws its line in place and prints above it', () => {
  const { written, region } = onTerminal(0)
  region.update('1 of 2')
  region.print('FAIL a\n')
  region.update('2 of 2')
  region.close()
  region.close()
  expect(written).toEqual(['\r1 of 2\x1b[J', `${clear}FAIL a\n1 of 2`, '\r2 of 2\x1b[J', clear])
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
  region.close()
  expect(written).toEqual(['\r0\x1b[J', clear])
})

test('shows the last of what came too fast once its interval is over', async () => {
  const { written, region } = onTerminal(20)
  for (let i = 0; i < 5; i += 1) region.update(`${i}`)
  while (written.length < 2) await sleep(5)
  region.close()
  expect(written).toEqual(['\r0\x1b[J', '\r4\x1b[J', clear])
})

test('writes nothing where nothing has changed', () => {
  const { written, region } = onTerminal(0)
  region.update('1 of 2')
  region.update('1 of 2')
  expect(written).toEqual(['\r1 of 2\x1b[J'])
})

test('clears all rows of a line that a narrower terminal has wrapped', () => {
  const { written, terminal, region } = onTerminal(0)
  region.update('a'.repeat(18))
  terminal.columns = 7
  region.update('short')
  region.close()
  expect(written.slice(1)).toEqual(['\r\x1b[2Ashort\x1b[J', clear])
})
