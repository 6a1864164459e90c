import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import { relativePath } from '../core/relative-path.ts'
import type { TrajectoryEvent } from '../core/trajectory.ts'
import { checkFile } from '../grading/check-file.ts'
import { compilePattern } from '../grading/match-pattern.ts'
import type { ActionPattern } from '../schema/pattern.ts'
import { candidateExpectations } from './candidate-expectations.ts'

const action = (
  name: string,
  params: Readonly<Record<string, unknown>>,
  status: 'ok' | 'error' = 'ok',
  more: object = {},
): TrajectoryEvent => ({
  type: 'action',
  record: { turn: 1, action: name, params, status, observation: '', duration_ms: 0, ...more },
})
const answer = (text: string): TrajectoryEvent => ({ type: 'answer', turn: 2, text })
const of = (...events: readonly TrajectoryEvent[]) => candidateExpectations(events, { hasSkills: false, changed: [] })

test('the skills that the model selected, and none where it selected none', () => {
  const about = { hasSkills: true, changed: [] }
  const selected = (skill: string, by: 'model' | 'user'): TrajectoryEvent => ({
    type: 'selected',
    turn: 1,
    skill,
    source: 'project',
    by,
  })
  expect(candidateExpectations([selected('a', 'user'), selected('b', 'model')], about)).toEqual({ skills: ['b'] })
  expect(candidateExpectations([], about)).toEqual({ skills: [] })
  expect(of()).toEqual({})
})

test('what succeeded, in its order, as patterns that match these paths alone', () => {
  expect(
    of(
      action('select_skills', { skills: [{ name: 'a' }, { name: 'gone' }] }, 'ok', {
        skills: { loaded: ['a'], failed: ['gone'] },
      }),
      action('read_file', { path: 'data[1].csv' }),
      action('read_file', { path: 'missing' }, 'error'),
      action('grep', { pattern: '/x/' }),
      action('update_plan', { steps: [] }),
      action('network_request', { url: 'https://example.org/a?b=c' }),
      action('no_such_tool', {}),
      action('final_answer', { text: 'x' }),
    ),
  ).toEqual({
    actions: {
      in_order: [
        { select_skills: 'a' },
        { read_file: 'data\\[1\\].csv' },
        'grep',
        'update_plan',
        { network_request: 'https://example.org/a\\?b=c' },
      ],
    },
  })
})

test('the start of the last answer, as whole words, or that it is JSON', () => {
  expect(of(answer('One.'), answer('  Two lines.\nThe second.'))).toEqual({ output: [{ contains: 'Two lines.' }] })
  expect(of(answer(`${'word '.repeat(30)}`)).output).toEqual([{ contains: 'word '.repeat(16).trimEnd() }])
  expect(of(answer('{"a": 1}'))).toEqual({ output: [{ is_json: true }] })
  expect(of(answer('  '))).toEqual({})
})

test('the files that were changed', () => {
  const changed = [
    { path: 'a*.txt', exists: true },
    { path: 'b', exists: false },
  ]
  expect(candidateExpectations([], { hasSkills: false, changed })).toEqual({
    files: [
      { path: 'a\\*.txt', exists: true },
      { path: 'b', exists: false },
    ],
  })
})

const pathOf = (written: string): string => {
  const result = relativePath(written)
  return 'path' in result ? result.path : written
}
const hostile = fc
  .string({ unit: fc.constantFrom(...'ab1.*?[]{}(),!|+^$-@é /'), minLength: 1, maxLength: 12 })
  .filter((path) => 'path' in relativePath(path) && pathOf(path) !== '')

const notAsked = () => Promise.reject(new Error('no script is asked for'))

const patternsOf = (event: TrajectoryEvent): readonly ActionPattern[] =>
  (of(event) as { readonly actions: { readonly in_order: ActionPattern[] } }).actions.in_order

test('for any path: a pattern that matches that path and no other', async () => {
  const asked = async (written: string, path: string): Promise<boolean> => {
    const [pattern = 'grep'] = patternsOf(action('read_file', { path: written }))
    const matches = await compilePattern(pattern)
    return matches({ turn: 1, action: 'read_file', params: { path }, status: 'ok', observation: '', duration_ms: 0 })
  }
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (path, other) => {
      expect(await asked(path, path)).toBe(true)
      expect(await asked(path, other)).toBe(pathOf(path) === pathOf(other))
    }),
    {
      numRuns: 2_000,
      examples: [
        ['app/[id]/page.tsx', 'app/i/page.tsx'],
        ['st*r.txt', 'star.txt'],
        ['{{n}}.txt', 'n.txt'],
        ['./a[1].txt', 'a1.txt'],
      ],
    },
  )
})

test('for any file that was changed: an entry that is about that file and no other', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (written, more) => {
      const [path, other] = [pathOf(written), pathOf(more)]
      fc.pre(path !== other && !other.startsWith(`${path}/`) && !path.startsWith(`${other}/`))
      const { files = [] } = candidateExpectations([], {
        hasSkills: false,
        changed: [{ path, exists: true }],
      }) as { files?: { path: string; exists: boolean }[] }
      const [check = { path: '', exists: true }] = files
      const holds = async (name: string) =>
        (
          await checkFile(check, memoryWorkspace({ [name]: 'x' }), { runScript: notAsked, readSchema: () => true })
        ).every(({ passed }) => passed)
      expect([await holds(path), await holds(other)]).toEqual([true, false])
    }),
    {
      numRuns: 500,
      examples: [
        ['a*.txt', 'ab.txt'],
        ['app/[id]/x', 'app/i/x'],
      ],
    },
  )
})
