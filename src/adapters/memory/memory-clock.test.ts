import { expect, test } from 'vitest'
import { memoryClock } from './memory-clock.ts'

const never = new AbortController().signal

test('stands still until somebody sleeps', async () => {
  const clock = memoryClock(1000)
  await clock.breathe()
  expect([clock.now(), clock.monotonic()]).toEqual([1000, 0])
  await clock.sleep(250, never)
  expect([clock.now(), clock.monotonic()]).toEqual([1250, 250])
})

test('rings what is due in its order, at its time', async () => {
  const clock = memoryClock()
  const rung: string[] = []
  clock.timer(300, () => rung.push(`late at ${clock.monotonic()}`))
  clock.timer(100, () => rung.push(`early at ${clock.monotonic()}`))
  clock.timer(900, () => rung.push('never'))
  const takeBack = clock.timer(200, () => rung.push('taken back'))
  takeBack()
  await clock.sleep(500, never)
  expect(rung).toEqual(['early at 100', 'late at 300'])
  expect(clock.monotonic()).toBe(500)
})

test('wakes a sleeper when a timer aborts it', async () => {
  const clock = memoryClock()
  const controller = new AbortController()
  clock.timer(100, () => controller.abort(new Error('enough')))
  await expect(clock.sleep(500, controller.signal)).rejects.toThrow('enough')
  expect(clock.monotonic()).toBe(100)
})

test('does not fall asleep once it is aborted', async () => {
  const clock = memoryClock()
  await expect(clock.sleep(500, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  expect(clock.monotonic()).toBe(0)
})
