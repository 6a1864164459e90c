import { expect, test } from 'vitest'
import { pathFrom, placeWords } from './place-words.ts'

test('finds -C and --config as they were given, the last of each, and none behind --', () => {
  expect(placeWords(['run', 'evals'])).toEqual({ folder: [], config: [] })
  expect(placeWords(['run', '-C', 'a', '--config', 'c.json'])).toEqual({
    folder: ['-C', 'a'],
    config: ['--config', 'c.json'],
  })
  expect(placeWords(['run', '-Ca', '-C', 'b', '--config=x', '--config=y z'])).toEqual({
    folder: ['-C', 'b'],
    config: ['--config', 'y z'],
  })
  expect(placeWords(['run', '--', '-C', 'a'])).toEqual({ folder: [], config: [] })
})

test.each([
  ['', 'evals/a.eval.yaml', 'evals/a.eval.yaml'],
  ['evals', 'evals/a.eval.yaml', 'a.eval.yaml'],
  ['evals/deep', 'evals/a.eval.yaml', '../a.eval.yaml'],
  ['sub', 'evals/a.eval.yaml', '../evals/a.eval.yaml'],
  ['..', 'evals/a.eval.yaml', 'evals/a.eval.yaml'],
])('from "%s" the path %s is written %s', (from, path, written) => {
  expect(pathFrom(from, path)).toBe(written)
})
