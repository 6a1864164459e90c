import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ActionRecord } from '../core/trajectory.ts'
import type { ActionConstraints, ActionPattern } from '../schema/pattern.ts'
import { checkActions } from './check-actions.ts'

const act = (action: string, params: Record<string, unknown> = {}, more: Partial<ActionRecord> = {}): ActionRecord => ({
  turn: 1,
  action,
  params,
  status: 'ok',
  observation: '',
  duration_ms: 1,
  ...more,
})
const read = (path: string, more: Partial<ActionRecord> = {}) => act('read_file', { path }, more)
const answer = act('final_answer', { text: 'done' })
const of = (letters: string): ActionRecord[] => [...letters].map((letter) => read(letter))
const patterns = (letters: string): ActionPattern[] => [...letters].map((letter) => ({ read_file: letter }))

const verdicts = async (constraints: ActionConstraints, actions: readonly ActionRecord[]): Promise<boolean[]> =>
  (await checkActions(constraints, actions)).map((result) => result.passed)
const message = async (constraints: ActionConstraints, actions: readonly ActionRecord[]): Promise<string | undefined> =>
  (await checkActions(constraints, actions)).find((result) => !result.passed)?.message

describe('in_order: the patterns match a subsequence, in this order', () => {
  test.each([
    ['ab', 'ab', true],
    ['ab', 'xaxbx', true],
    ['ab', 'ba', false],
    ['ab', 'bab', true],
    ['aa', 'a', false],
    ['aab', 'aba', false],
    ['aab', 'abab', true],
    ['a', '', false],
  ])('%s in %j: %j', async (wanted, given, passed) => {
    expect(await verdicts({ in_order: patterns(wanted) }, of(given))).toEqual([passed])
  })

  test('one action is not two', async () => {
    expect(await verdicts({ in_order: ['read_file', { read_file: 'a' }] }, of('a'))).toEqual([false])
  })

  test('a failure has the pattern, the sequence as it was, and the first place where they part', async () => {
    const actions = [
      act(
        'select_skills',
        { skills: [{ name: 'csv-analyzer' }] },
        { skills: { loaded: ['csv-analyzer'], failed: [] } },
      ),
      act('run_script', { skill: { name: 'csv-analyzer' }, path: 'scripts/top.py' }, { status: 'error', exit_code: 3 }),
      act('network_request', { url: 'https://a.example' }, { status: 'denied', rule: 'default: deny' }),
      answer,
    ]
    const wanted = [{ select_skills: 'csv-analyzer' }, { run_script: 'scripts/*.py' }]
    expect(await checkActions({ in_order: wanted }, actions)).toEqual([
      {
        name: 'in_order: select_skills csv-analyzer, run_script scripts/*.py',
        kind: 'in_order',
        passed: false,
        score: 0,
        weight: 1,
        expected: wanted,
        message: [
          'pattern 2 (run_script scripts/*.py) matches no action after action 1; action 2 matches but for its status (error)',
          'expected in_order: select_skills csv-analyzer, run_script scripts/*.py',
          'the actions were:',
          '> 1. select_skills csv-analyzer → ok',
          '  2. run_script scripts/top.py (csv-analyzer) → error, exit 3',
          '  3. network_request https://a.example → denied by default: deny',
          '  4. final_answer "done" → ok',
        ].join('\n'),
      },
    ])
  })

  test('a failure says that it happened too early', async () => {
    expect(await message({ in_order: patterns('ba') }, of('xab'))).toMatch(
      /^pattern 2 \(read_file a\) matches no action after action 3; it matches action 2, which came too early/,
    )
  })
})

describe('exactly: the whole sequence matches one to one', () => {
  test.each([
    ['ab', 'ab', true],
    ['ab', 'abc', false],
    ['ab', 'a', false],
    ['ab', 'ba', false],
    ['', '', true],
    ['', 'a', false],
  ])('%j of %j: %j', async (wanted, given, passed) => {
    expect(await verdicts({ exactly: patterns(wanted) }, of(given))).toEqual([passed])
  })

  test('final_answer is left out unless it is named', async () => {
    expect(await verdicts({ exactly: patterns('a') }, [...of('a'), answer])).toEqual([true])
    expect(await verdicts({ exactly: [...patterns('a'), 'final_answer'] }, [...of('a'), answer])).toEqual([true])
    expect(await verdicts({ exactly: [...patterns('a'), 'final_answer'] }, of('a'))).toEqual([false])
    expect(await verdicts({ exactly: [{ final_answer: 'done' }] }, [...of('a'), answer])).toEqual([false])
  })

  test.each([
    ['ab', 'ac', 'pattern 2 (read_file b) does not match 2. read_file c → ok'],
    ['ab', 'a', 'pattern 2 (read_file b) is expected, but the actions end after 1'],
    ['a', 'ab', 'nothing is expected after 1, but there is 2. read_file b → ok'],
  ])('the first place where %j and %j part', async (wanted, given, first) => {
    expect((await message({ exactly: patterns(wanted) }, of(given)))?.split('\n')[0]).toBe(first)
  })

  test('actions that were denied or failed are part of the sequence', async () => {
    const actions = [read('a', { status: 'denied' }), read('b')]
    expect(await verdicts({ exactly: patterns('b') }, actions)).toEqual([false])
    expect(await verdicts({ exactly: patterns('ab') }, actions)).toEqual([false])
    const named = { action: 'read_file', path: 'a', status: 'denied' } as const
    expect(await verdicts({ exactly: [named, ...patterns('b')] }, actions)).toEqual([true])
  })
})

describe('any_order: there is a one-to-one assignment of patterns to distinct actions', () => {
  test.each([
    ['ab', 'ba', true],
    ['ab', 'bxa', true],
    ['aa', 'a', false],
    ['aa', 'aba', true],
    ['ab', 'a', false],
  ])('%s of %j: %j', async (wanted, given, passed) => {
    expect(await verdicts({ any_order: patterns(wanted) }, of(given))).toEqual([passed])
  })

  test('a wide pattern does not take the action that a narrow one needs', async () => {
    expect(await verdicts({ any_order: ['read_file', { read_file: 'a' }] }, of('ab'))).toEqual([true])
    expect(await message({ any_order: [{ read_file: 'a' }, { read_file: '[ab]' }] }, of('a'))).toMatch(
      /^pattern 2 \(read_file \[ab\]\) has no action left for it: other patterns need action 1\n/,
    )
  })
})

describe('only: every action matches at least one pattern', () => {
  test('holds for no actions and for those that match', async () => {
    expect(await verdicts({ only: ['list_dir'] }, [])).toEqual([true])
    expect(await verdicts({ only: patterns('ab') }, of('abba'))).toEqual([true])
  })

  test('fails for another one, which it names', async () => {
    expect((await message({ only: patterns('ab') }, of('acbd')))?.split('\n')[0]).toBe(
      'actions 2 and 4 matched no pattern; the first: 2. read_file c → ok',
    )
  })

  test('an answer is allowed unless a pattern names it', async () => {
    expect(await verdicts({ only: patterns('a') }, [...of('a'), answer])).toEqual([true])
    expect(await verdicts({ only: [{ final_answer: 'no' }] }, [answer])).toEqual([false])
  })

  test('a pattern without a status does not allow what failed', async () => {
    expect(await message({ only: ['read_file'] }, [read('a', { status: 'error' })])).toMatch(
      /but for its status \(error\)/,
    )
  })
})

describe('never: no action matches any of them', () => {
  test('holds where nothing does', async () => {
    expect(await verdicts({ never: ['network_request', { read_file: 'x' }] }, of('ab'))).toEqual([true])
  })

  test.each(['ok', 'error', 'denied'] as const)('every attempt counts: %s', async (status) => {
    expect(
      (await message({ never: ['list_dir', { read_file: 'b' }] }, [read('a'), read('b', { status })]))?.split('\n')[0],
    ).toBe(`read_file b matches 2. read_file b → ${status}`)
  })

  test('a status that is named is the only one that counts', async () => {
    const never: ActionPattern[] = [{ action: 'read_file', status: 'ok' }]
    expect(await verdicts({ never }, [read('a', { status: 'denied' })])).toEqual([true])
    expect(await verdicts({ never }, [read('a')])).toEqual([false])
  })
})

describe('before: before every Q some P succeeded', () => {
  const entry = { first: { read_file: 'p' }, then: { read_file: 'q' } }

  test.each([
    ['pq', true],
    ['pxqq', true],
    ['qp', false],
    ['qpq', false],
    ['p', true],
    ['', true],
    ['q', false],
  ])('in %j: %j', async (given, passed) => {
    expect(await verdicts({ before: [entry] }, of(given))).toEqual([passed])
  })

  test('a P that failed is none', async () => {
    expect((await message({ before: [entry] }, [read('p', { status: 'error' }), read('q')]))?.split('\n')[0]).toBe(
      'nothing that matches read_file p came before 2. read_file q → ok; action 1 matches but for its status (error)',
    )
  })

  test('an action does not come before itself', async () => {
    expect(await verdicts({ before: [{ first: 'read_file', then: 'read_file' }] }, of('a'))).toEqual([false])
  })

  test('each entry is a result of its own', async () => {
    const other = { first: 'list_dir', then: { read_file: 'q' } } as const
    expect((await checkActions({ before: [entry, other] }, of('pq'))).map((r) => [r.name, r.passed])).toEqual([
      ['before: read_file p before every read_file q', true],
      ['before: list_dir before every read_file q', false],
    ])
  })
})

describe('count: the number of matching actions is in the range', () => {
  test.each([
    [{ min: 2 }, 'aab', true],
    [{ min: 3 }, 'aab', false],
    [{ max: 2 }, 'aab', true],
    [{ max: 1 }, 'aab', false],
    [{ equals: 2 }, 'aab', true],
    [{ equals: 1 }, 'aab', false],
    [{ equals: 3 }, 'aab', false],
    [{ min: 1, max: 3 }, 'aab', true],
    [{ max: 0 }, 'b', true],
    [{ equals: 0 }, 'a', false],
  ])('%j in %s: %j', async (range, given, passed) => {
    expect(await verdicts({ count: [{ of: { read_file: 'a' }, ...range }] }, of(given))).toEqual([passed])
  })

  test('a failure has the number and which they are', async () => {
    const results = await checkActions({ count: [{ of: { read_file: 'a' }, min: 1, max: 1 }] }, of('aba'))
    expect(results.map((r) => [r.name, r.message?.split('\n')[0], r.expected])).toEqual([
      [
        'count: read_file a, at least 1 and at most 1',
        '2 actions match read_file a (actions 1 and 3), expected at least 1 and at most 1',
        { min: 1, max: 1 },
      ],
    ])
  })
})

describe('no_loops: no action with the same parameters and the same observation more than n times running', () => {
  test.each([
    [true, 'aab', true],
    [true, 'aaab', false],
    [true, 'baaa', false],
    [true, 'aabaa', true],
    [1, 'ab', true],
    [1, 'abb', false],
    [3, 'aaa', true],
    [3, 'aaaa', false],
  ] as [true | number, string, boolean][])('%j in %s: %j', async (times, given, passed) => {
    expect(await verdicts({ no_loops: times }, of(given))).toEqual([passed])
  })

  test('another observation is no loop, nor are other parameters', async () => {
    const polls = [1, 2, 3].map((n) => read('log', { observation: `line ${n}` }))
    expect(await verdicts({ no_loops: true }, polls)).toEqual([true])
    const lines = [1, 2, 3].map((n) => act('read_file', { path: 'log', lines: `${n}` }))
    expect(await verdicts({ no_loops: true }, lines)).toEqual([true])
  })

  test('the same answer to each message of a conversation is none', async () => {
    expect(await verdicts({ no_loops: true }, [answer, answer, answer])).toEqual([true])
  })

  test('a failure says how often and from where', async () => {
    expect((await message({ no_loops: true }, of('baaaa')))?.split('\n')[0]).toBe(
      '4 times running the same action with the same observation, from 2. read_file a → ok',
    )
  })
})

test('every entry of the map must hold, and each is a result of its own', async () => {
  const constraints: ActionConstraints = {
    in_order: patterns('ab'),
    exactly: patterns('ab'),
    any_order: patterns('ba'),
    only: ['read_file'],
    never: ['list_dir'],
    before: [{ first: { read_file: 'a' }, then: { read_file: 'b' } }],
    count: [{ of: 'read_file', equals: 2 }],
    no_loops: true,
  }
  expect((await checkActions(constraints, of('ab'))).map(({ kind, passed }) => [kind, passed])).toEqual([
    ['in_order', true],
    ['exactly', true],
    ['any_order', true],
    ['only', true],
    ['never', true],
    ['before', true],
    ['count', true],
    ['no_loops', true],
  ])
})

test('a long sequence is shown around the place', async () => {
  const lines = (await message({ never: [{ read_file: 'z' }] }, of(`${'a'.repeat(100)}z${'a'.repeat(100)}`)))?.split(
    '\n',
  )
  expect(lines?.length).toBeLessThan(50)
  expect(lines).toContain('> 101. read_file z → ok')
  expect(lines?.[3]).toBe('  … 80 before')
  expect(lines?.at(-1)).toBe('  … 81 more')
})

const alphabet = fc.constantFrom('a', 'b', 'c')
const word = (max: number) => fc.array(alphabet, { maxLength: max }).map((letters) => letters.join(''))

test('in_order agrees with the definition of a subsequence', async () => {
  const isSubsequence = (wanted: string, given: string): boolean => {
    if (wanted === '') return true
    if (given === '') return false
    return (
      (wanted[0] === given[0] && isSubsequence(wanted.slice(1), given.slice(1))) ||
      isSubsequence(wanted, given.slice(1))
    )
  }
  await fc.assert(
    fc.asyncProperty(word(4), word(8), async (wanted, given) => {
      expect(await verdicts({ in_order: patterns(wanted) }, of(given))).toEqual([isSubsequence(wanted, given)])
    }),
  )
})

test('any_order agrees with trying every assignment', async () => {
  // Sets of letters overlap, so that taking the first that fits goes wrong.
  const sets = fc.array(fc.uniqueArray(alphabet, { minLength: 1 }), { maxLength: 4 })
  const canAssign = (wanted: readonly string[][], given: readonly string[]): boolean => {
    const [first, ...rest] = wanted
    if (first === undefined) return true
    return given.some(
      (letter, i) =>
        first.includes(letter) &&
        canAssign(
          rest,
          given.filter((_, k) => k !== i),
        ),
    )
  }
  await fc.assert(
    fc.asyncProperty(sets, word(5), async (wanted, given) => {
      const anyOrder = wanted.map((letters): ActionPattern => ({ read_file: `[${letters.join('')}]` }))
      expect(await verdicts({ any_order: anyOrder }, of(given))).toEqual([canAssign(wanted, [...given])])
    }),
  )
})
