import { expect, test } from 'vitest'
import type { EvalCase } from '../core/plan.ts'
import { askedParts } from './asked-parts.ts'

const of = (expected: unknown, input: readonly string[] = ['x']) =>
  askedParts({ input, expected: expected as EvalCase['expected'] } as EvalCase)

test('reads skills from labels, from patterns and from a request that invokes them', () => {
  expect(of({ skills: ['a', 'b@project'] }).selected).toEqual(['a', 'b'])
  expect(of({ skills: { includes: ['a'], excludes: ['b'] } }).selected).toEqual(['a'])
  expect(of({ actions: { in_order: [{ select_skills: 'a' }, { select_skills: ['b', 'c'] }] } }).selected).toEqual([
    'a',
    'b',
    'c',
  ])
  expect(of({}, ['/a do it', 'and /b']).selected).toEqual(['a'])
})

test('reads scripts and resources by path from every list that asks, in each form of a pattern', () => {
  const { loaded, run } = of({
    actions: {
      in_order: ['run_script', { load_resource: 'references/*.md' }],
      exactly: [{ run_script: { skill: 'a', path: 'scripts/x.py' } }],
      any_order: [{ action: 'load_resource', skill: 'b@project', path: 'assets/t.md' }],
      count: [
        { of: { run_script: 'scripts/y.py' }, min: 1 },
        { of: { run_script: 'scripts/z.py' }, equals: 2 },
      ],
    },
  })
  expect(loaded).toEqual([
    { skill: undefined, path: 'references/*.md' },
    { skill: 'b', path: 'assets/t.md' },
  ])
  expect(run).toEqual([
    { skill: 'a', path: 'scripts/x.py' },
    { skill: undefined, path: 'scripts/y.py' },
    { skill: undefined, path: 'scripts/z.py' },
  ])
})

test('a pattern that forbids, bounds from above or wants a denial asks for nothing; a script that fails has run', () => {
  const path = 'scripts/x.py'
  const nothing = { selected: [], loaded: [], run: [] }
  expect(
    of({
      actions: {
        never: [{ run_script: path }],
        only: [{ run_script: path }],
        count: [{ of: { run_script: path }, max: 1 }],
        before: [{ first: { run_script: path }, then: 'write_file' }],
        in_order: [{ action: 'run_script', path, status: 'denied' }],
      },
    }),
  ).toEqual(nothing)
  expect(of({ actions: { in_order: [{ action: 'load_resource', path: 'a.md', status: 'error' }] } })).toEqual(nothing)
  expect(of({ actions: { in_order: [{ action: 'run_script', path, exit_code: 3 }] } }).run).toHaveLength(1)
  expect(of(undefined)).toEqual(nothing)
})
