import { expect, test } from 'vitest'
import { onExit } from './on-exit.ts'

const exit = (before: readonly unknown[]): void => {
  for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(0)
}

test('does what is owed, the last first, whatever becomes of the others', () => {
  const before = process.listeners('exit')
  const done: string[] = []
  const takeBacks = [
    onExit(() => done.push('first')),
    onExit(() => {
      throw new Error('second')
    }),
    onExit(() => done.push('third')),
  ]
  exit(before)
  expect(done).toEqual(['third', 'first'])
  for (const takeBack of takeBacks) takeBack()
})

test('owes nothing that was taken back, and then does not listen', () => {
  const before = process.listeners('exit')
  const done: string[] = []
  const takeBacks = Array.from({ length: 50 }, (_, i) => onExit(() => done.push(`${i}`)))
  expect(process.listeners('exit').length).toBe(before.length + 1)
  for (const takeBack of takeBacks.slice(1)) takeBack()
  exit(before)
  takeBacks[0]!()
  takeBacks[0]!()
  expect([done, process.listeners('exit')]).toEqual([['0'], before])
})
