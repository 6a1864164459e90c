import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jsonCache } from './json-cache.ts'
import { tempFolder } from './temp-folder.test-support.ts'

test('gives back what was put under a key', () => {
  const folder = join(tempFolder(), 'cache/suites')
  const cache = jsonCache(folder)
  cache.write('abc', { a: [1, 'ä'] })
  cache.write('def', null)
  expect([cache.read('abc'), cache.read('def'), cache.read('nope')]).toEqual([{ a: [1, 'ä'] }, null, undefined])
  expect(readdirSync(folder).sort()).toEqual(['abc.json', 'def.json'])
})

test('takes what was torn by a crash for what is not there', () => {
  const folder = tempFolder()
  const cache = jsonCache(folder)
  cache.write('abc', { a: 1 })
  writeFileSync(join(folder, 'abc.json'), readFileSync(join(folder, 'abc.json'), 'utf8').slice(0, 3))
  expect(cache.read('abc')).toBeUndefined()
  cache.write('abc', { a: 2 })
  expect(cache.read('abc')).toEqual({ a: 2 })
})

test('does without a folder that can’t be written', () => {
  const cache = jsonCache(join(tempFolder({ file: '' }), 'file/cache'))
  cache.write('abc', 1)
  expect(cache.read('abc')).toBeUndefined()
})
