import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberList } from './number-list.ts'

test('keeps what was pushed, in order, past every growth', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 300, size: 'max' }), (values) => {
      const list = numberList()
      for (const value of values) list.push(value)
      expect([...list.values()]).toEqual(values)
    }),
  )
})
