import { expect, test } from 'vitest'
import { memoryClock } from '../memory/memory-clock.ts'
import { systemClock, systemIds } from './system-clock.ts'

const clock = systemClock()
const never = new AbortController().signal

test('sleeps about as long as it is asked to', async () => {
  const before = clock.monotonic()
  await clock.sleep(30, never)
  expect(clock.monotonic() - before).toBeGreaterThanOrEqual(28)
})

test('is woken by an abort, also one that came before', async () => {
  const controller = new AbortController()
  const sleeping = clock.sleep(60_000, controller.signal)
  controller.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
  await expect(clock.sleep(60_000, controller.signal)).rejects.toThrow('enough')
})

test('rings once, unless that was taken back', async () => {
  const rung: string[] = []
  const takeBack = clock.timer(5, () => rung.push('taken back'))
  clock.timer(5, () => rung.push('rung'))
  takeBack()
  await clock.sleep(40, never)
  expect(rung).toEqual(['rung'])
})

test('does not take a very long time for none', async () => {
  const rung: string[] = []
  const takeBack = clock.timer(1e12, () => rung.push('rung'))
  const controller = new AbortController()
  const sleeping = clock.sleep(1e12, controller.signal).then(
    () => 'slept',
    () => 'woken',
  )
  await clock.sleep(30, never)
  controller.abort()
  takeBack()
  expect([rung, await sleeping]).toEqual([[], 'woken'])
})

test('lets others have their turn', async () => {
  const order: string[] = []
  setImmediate(() => order.push('other'))
  await clock.breathe()
  order.push('we')
  expect(order).toEqual(['other', 'we'])
})

test('gives run ids that sort by time and differ', () => {
  const at = (iso: string) => systemIds(memoryClock(Date.parse(iso))).run()
  expect(at('2026-11-21T09:05:03Z')).toMatch(/^20261121-090503-000-[0-9a-f]{6}$/)
  expect(at('2026-11-21T09:05:03Z')).not.toBe(at('2026-11-21T09:05:03Z'))
  expect(at('2026-11-21T09:05:03Z') < at('2026-11-21T09:05:04Z')).toBe(true)
})
