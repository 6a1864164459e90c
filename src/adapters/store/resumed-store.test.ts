import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aRow } from '../../core/ports.contract.test-support.ts'
import type { TrialRow } from '../../core/results.ts'
import { sha256 } from '../../lib/hash.ts'
import { tempFolder } from '../files/temp-folder.test-support.ts'
import { jsonlStore, resumedStore } from './jsonl-store.ts'
import { rowIndex } from './row-index.ts'

const inputsOf = (name: string): string => sha256(name).slice(0, 16)
const rowOf = (name: string, n = 1, output = name): TrialRow => aRow({ case: name, n, output, inputs: inputsOf(name) })
const anything = (line: unknown) => line as TrialRow

const fileWith = (rows: readonly TrialRow[]): string => {
  const path = join(tempFolder(), 'results.jsonl')
  const store = jsonlStore(path)
  for (const [at, row] of rows.entries()) store.append(at, row)
  store.close()
  return path
}

describe('a store that goes on', () => {
  test('gives each result to the place where it is wanted now, and takes further ones behind them', () => {
    const path = fileWith([rowOf('a'), rowOf('b', 1), rowOf('b', 2, `long ${'é'.repeat(90_000)}`)])
    const store = resumedStore(path, anything)
    expect(store.found).toBe(3)
    expect(store.read(0)).toBeUndefined()
    expect(store.adopt(7, inputsOf('b'), 2)?.output).toMatch(/^long/)
    expect(store.adopt(3, inputsOf('a'), 1)).toEqual(rowOf('a'))
    expect(store.adopt(4, inputsOf('a'), 2)).toBeUndefined()
    expect(store.adopt(5, inputsOf('unknown'), 1)).toBeUndefined()
    store.append(0, rowOf('new'))
    expect([0, 3, 4, 5, 7].map((at) => store.read(at)?.case)).toEqual(['new', 'a', undefined, undefined, 'b'])
    expect(store.look(inputsOf('b'), 1)).toEqual(rowOf('b'))
    expect(store.read(1)).toBeUndefined()
    store.close()
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(4)
  })

  test('cut anywhere, it has what was whole and no byte more', () => {
    const rows = ['a', 'b', 'c', 'd'].map((name) => rowOf(name, 1, `${name} ünï`))
    const whole = readFileSync(fileWith(rows))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (cut) => {
        const path = join(tempFolder(), 'results.jsonl')
        writeFileSync(path, whole.subarray(0, cut))
        const store = resumedStore(path, anything)
        const kept = whole.subarray(0, cut).lastIndexOf(10) + 1
        expect(statSync(path).size).toBe(kept)
        const lines = whole.subarray(0, kept).toString().split('\n').length - 1
        const found = rows.map((row, at) => store.adopt(at, row.inputs ?? '', 1))
        expect(found).toEqual(rows.map((row, i) => (i < lines ? row : undefined)))
        store.append(9, rowOf('z'))
        expect(store.read(9)).toEqual(rowOf('z'))
        store.close()
      }),
      { numRuns: 60 },
    )
  })

  test('skips what is no result, and takes the later of two for one trial', () => {
    const path = fileWith([rowOf('a', 1, 'first')])
    appendFileSync(
      path,
      `nonsense\n[]\nnull\n{"inputs":"${inputsOf('x')}","n":1}\n${JSON.stringify(rowOf('a', 1, 'second'))}\n`,
    )
    const store = resumedStore(path, (line) => ('status' in (line as object) ? (line as TrialRow) : undefined))
    expect(store.adopt(0, inputsOf('a'), 1)?.output).toBe('second')
    expect(store.adopt(1, inputsOf('x'), 1)).toBeUndefined()
    expect(store.read(1)).toBeUndefined()
    store.close()
  })

  test('makes its file where there is none yet', () => {
    const store = resumedStore(join(tempFolder(), 'results.jsonl'), anything)
    store.append(0, rowOf('a'))
    expect(store.read(0)).toEqual(rowOf('a'))
    store.close()
  })

  test('is not misled by a digest that starts the same', () => {
    const near = rowOf('a')
    const other = { ...near, inputs: `${inputsOf('a').slice(0, 13)}000` }
    const store = resumedStore(fileWith([other]), anything)
    expect(store.adopt(0, inputsOf('a'), 1)).toBeUndefined()
    store.close()
  })
})

test('an index finds every trial that was added, and no other, as it grows', () => {
  const index = rowIndex()
  for (let i = 0; i < 20_000; i += 1)
    index.add(inputsOf(`${i % 5000}`), 1 + Math.floor(i / 5000), { offset: i * 10, length: i + 1 })
  expect(index.size).toBe(20_000)
  for (let i = 0; i < 20_000; i += 1) {
    expect(index.find(inputsOf(`${i % 5000}`), 1 + Math.floor(i / 5000))).toEqual({ offset: i * 10, length: i + 1 })
  }
  expect(index.find(inputsOf('0'), 5)).toBeUndefined()
  expect(index.find(inputsOf('5001'), 1)).toBeUndefined()
})
