import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleCase } from '../../test/support/sample-run.ts'
import { type CaseOfSuite, type pairCases, pairStreams, placeOf } from './pair-cases.ts'

const entry = fc.record({
  suite: fc.constantFrom('s', 't'),
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  model: fc.constantFrom('m', 'n'),
})
const side = fc.uniqueArray(entry, { selector: placeOf, maxLength: 16 })
const stream = (cases: readonly { suite: string; id: string; model: string }[]): CaseOfSuite[] =>
  cases.map(({ suite, id, model }) => ({ suite, result: sampleCase({ id, model }) }))
const sorted = (pairs: Iterable<ReturnType<typeof pairCases>[number]>) =>
  [...pairs].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))

describe('pairs of two runs read in step', () => {
  test('are the same in whatever order each run lists its cases', () => {
    fc.assert(
      fc.property(side, side, fc.func(fc.integer()), (base, head, shuffle) => {
        const turned = <T>(all: readonly T[]) => all.toSorted((a, b) => shuffle(a) - shuffle(b))
        expect(sorted(pairStreams(stream(turned(base)), stream(turned(head))))).toEqual(
          sorted(pairStreams(stream(base), stream(head))),
        )
      }),
    )
  })

  test('are those of a plain search', () => {
    fc.assert(
      fc.property(side, side, (base, head) => {
        const models = [base, head].map((all) => [...new Set(all.map(({ model }) => model))])
        const isRenamed = models.every(({ length }) => length === 1) && models[0]?.[0] !== models[1]?.[0]
        const like = (one: (typeof base)[number]) => (other: (typeof base)[number]) =>
          one.suite === other.suite && one.id === other.id && (isRenamed || one.model === other.model)
        const pairs = [...pairStreams(stream(base), stream(head))]
        expect(pairs.filter((pair) => pair.base && pair.head)).toHaveLength(
          base.filter((one) => head.some(like(one))).length,
        )
        expect(pairs.filter((pair) => !pair.head)).toHaveLength(base.filter((one) => !head.some(like(one))).length)
        expect(pairs.filter((pair) => !pair.base)).toHaveLength(head.filter((one) => !base.some(like(one))).length)
      }),
    )
  })

  test('hold no case that the other run has come to', () => {
    const held = new Set<string>()
    function* watched(name: string): Generator<CaseOfSuite> {
      for (let i = 0; i < 1000; i++) {
        held.add(`${name}${i}`)
        yield { suite: 's', result: sampleCase({ id: `c${i}` }) }
      }
    }
    for (const { id } of pairStreams(watched('a'), watched('b'))) {
      held.delete(`a${id.slice(1)}`)
      held.delete(`b${id.slice(1)}`)
      expect(held.size).toBeLessThanOrEqual(2)
    }
  })
})
