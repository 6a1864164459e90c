import { expect, test } from 'vitest'
import { stalePolicy } from './stale-policy.ts'

const all = (mode: 'fail' | 'warn' | 'ignore') => ({
  system: mode,
  index: mode,
  body: mode,
  tools: mode,
  input: mode,
  observation: mode,
  context: mode,
  params: mode,
  judge: mode,
})

test('every part fails where nothing is said', () => {
  expect(stalePolicy()).toEqual(all('fail'))
  expect(stalePolicy(undefined, {})).toEqual(all('fail'))
})

test('one word holds for all parts', () => {
  expect(stalePolicy('warn')).toEqual(all('warn'))
})

test('the later setting wins, part by part', () => {
  expect(stalePolicy({ index: 'ignore', body: 'warn' }, { body: 'fail' })).toEqual({ ...all('fail'), index: 'ignore' })
  expect(stalePolicy('ignore', { body: 'fail' })).toEqual({ ...all('ignore'), body: 'fail' })
  expect(stalePolicy({ body: 'ignore' }, 'warn')).toEqual(all('warn'))
})
