import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assign } from './assignment.ts'

test('moves an earlier choice where that lets a later one in', () => {
  // 0 fits 0 and 1, 1 fits only 0: taking the first that fits would leave 1 out.
  const fits = [
    [true, true],
    [true, false],
  ]
  expect(assign(2, 2, (l, r) => fits[l]![r]!)).toEqual([1, 0])
})

test('leaves out what there is no place for', () => {
  expect(assign(3, 2, () => true).filter((r) => r === -1)).toHaveLength(1)
  expect(assign(2, 3, () => false)).toEqual([-1, -1])
  expect(assign(0, 3, () => true)).toEqual([])
})

test('asks about each pair at most once', () => {
  const asked = new Set<string>()
  assign(5, 5, (l, r) => {
    expect(asked.has(`${l},${r}`)).toBe(false)
    asked.add(`${l},${r}`)
    return (l + r) % 2 === 0
  })
})

test('assigns as many as trying everything does, each to one that fits, none twice', () => {
  const grids = fc.tuple(fc.nat(5), fc.nat(5)).chain(([left, right]) => {
    const row = fc.array(fc.boolean(), { minLength: right, maxLength: right })
    return fc.record({ right: fc.constant(right), rows: fc.array(row, { minLength: left, maxLength: left }) })
  })
  fc.assert(
    fc.property(grids, ({ right, rows }) => {
      const assigned = assign(rows.length, right, (l, r) => rows[l]![r]!)
      const taken = assigned.filter((r) => r >= 0)
      expect(new Set(taken).size).toBe(taken.length)
      for (const [l, r] of assigned.entries()) if (r >= 0) expect(rows[l]![r]).toBe(true)
      expect(taken.length).toBe(most(rows, 0, new Set()))
    }),
  )
})

/** The most that can be assigned from row `l` on, by trying everything. */
const most = (rows: readonly boolean[][], l: number, used: ReadonlySet<number>): number => {
  const row = rows[l]
  if (row === undefined) return 0
  let best = most(rows, l + 1, used)
  for (const [r, isFit] of row.entries())
    if (isFit && !used.has(r)) best = Math.max(best, 1 + most(rows, l + 1, new Set([...used, r])))
  return best
}
