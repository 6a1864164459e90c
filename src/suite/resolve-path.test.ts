import { describe, expect, test } from 'vitest'
import { isInside, resolvePath } from './resolve-path.ts'

test.each([
  ['/p/evals', 'a.csv', '/p/evals/a.csv'],
  ['/p/evals', './x/../a', '/p/evals/a'],
  ['/p/evals', '../../../..', '/'],
  ['/p/evals', '/etc//passwd', '/etc/passwd'],
  ['/', 'a', '/a'],
  ['C:\\p\\evals', '..\\a/b', 'C:/p/a/b'],
  ['/p', 'a\\b', '/p/a\\b'],
])('from %s, %s is %s', (dir, written, path) => {
  expect(resolvePath(dir, written)).toBe(path)
})

describe('isInside', () => {
  test.each([
    ['/p', '/p', true],
    ['/p', '/p/a', true],
    ['/p/', '/p/a', true],
    ['/', '/a', true],
    ['/p', '/pp/a', false],
    ['/p/a', '/p', false],
  ])('of %s: %s is %s', (folder, path, expected) => {
    expect(isInside(folder, path)).toBe(expected)
  })
})
