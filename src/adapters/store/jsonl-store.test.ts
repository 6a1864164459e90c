import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aRow, storeContract } from '../../core/ports.contract.test-support.ts'
import { tempFolder } from '../files/temp-folder.test-support.ts'
import { jsonlStore } from './jsonl-store.ts'

storeContract(() => jsonlStore(join(tempFolder(), 'results.jsonl')))

test('has each trial on a line of its own as soon as it has ended', () => {
  const path = join(tempFolder(), 'results.jsonl')
  const store = jsonlStore(path)
  store.append(1, aRow({ case: 'second', output: 'two\nlines' }))
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(aRow({ case: 'second', output: 'two\nlines' }))}\n`)
  store.append(0, aRow({ case: 'first' }))
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).case)).toEqual(['second', 'first'])
  store.close()
})

test('never writes over the results of another run', () => {
  const path = join(tempFolder(), 'results.jsonl')
  writeFileSync(path, 'of another run\n')
  expect(() => jsonlStore(path)).toThrow('EEXIST')
  expect(readFileSync(path, 'utf8')).toBe('of another run\n')
})

test('says so where somebody has cut the file', () => {
  const path = join(tempFolder(), 'results.jsonl')
  const store = jsonlStore(path)
  store.append(0, aRow())
  writeFileSync(path, '')
  expect(() => store.read(0)).toThrow('results.jsonl is shorter than what was written to it')
  store.close()
})

test('reads what was written in any order, longer than a block too, while more is written', () => {
  const store = jsonlStore(join(tempFolder(), 'results.jsonl'))
  const outputs = Array.from({ length: 60 }, (_, i) => `${i}:${'é'.repeat(i % 7 === 0 ? 40_000 : i * 97)}`)
  const readAll = (count: number) => {
    for (let step = 0; step < count; step += 1) {
      const at = (step * 17) % count
      expect(store.read(at)?.output).toBe(outputs[at])
    }
  }
  for (const [at, output] of outputs.entries()) {
    store.append(at, aRow({ output }))
    if (at % 10 === 9) readAll(at + 1)
  }
  readAll(60)
  store.close()
})
