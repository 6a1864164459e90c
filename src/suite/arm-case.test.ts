import { describe, expect, test } from 'vitest'
import type { EvalCase } from '../core/plan.ts'
import { type ArmSkills, caseInArm } from './arm-case.ts'

const evalCase = (part: Partial<EvalCase>): EvalCase => ({
  id: 'a',
  input: ['x'],
  tags: [],
  trials: 1,
  pass_threshold: 1,
  line: 1,
  triggerOnly: false,
  ...part,
})

const had = ['csv', 'pdf']
const armOf = (names: readonly string[], lacksSkills = true): ArmSkills => ({
  lacksSkills,
  has: (name) => names.includes(name),
  had: (name) => had.includes(name),
  isEmpty: names.length === 0,
})
const none = armOf([])
const onlyPdf = armOf(['pdf'])
const output = [{ contains: 'ok' }]
const inArm = (expected: EvalCase['expected'], arm: ArmSkills) => {
  const found = caseInArm(evalCase({ expected: { output, ...expected } }), arm)
  if (typeof found === 'string') return found
  const { output: _, ...rest } = found.expected ?? {}
  return rest
}

describe('the labels of a case', () => {
  test.each([
    ['none of an arm without skills', ['csv'], none, {}],
    ['not even that none is selected', [], none, {}],
    ['a list that names a skill that is not there', ['csv', 'pdf'], onlyPdf, {}],
    ['a list of those that are there', ['pdf'], onlyPdf, { skills: ['pdf'] }],
    ['that none is selected of those that are there', [], onlyPdf, { skills: [] }],
    [
      'includes one that is not there',
      { includes: ['csv'], excludes: ['pdf'] },
      onlyPdf,
      { skills: { excludes: ['pdf'] } },
    ],
    [
      'excludes only what is not there',
      { includes: ['pdf'], excludes: ['csv'] },
      onlyPdf,
      { skills: { includes: ['pdf'] } },
    ],
    ['excludes some that are there', { excludes: ['csv', 'pdf'] }, onlyPdf, { skills: { excludes: ['csv', 'pdf'] } }],
    ['nothing but what is not there', { excludes: ['csv'] }, onlyPdf, {}],
  ])('%s', (_, skills, arm, expected) => {
    expect(inArm({ skills }, arm)).toEqual(expected)
  })
})

describe('constraints on actions', () => {
  test.each([
    ['in_order that needs a skill', { in_order: ['select_skills', 'write_file'] }, none, {}],
    ['in_order that needs none', { in_order: ['write_file'] }, none, { in_order: ['write_file'] }],
    ['exactly and any_order alike', { exactly: ['run_script'], any_order: [{ load_resource: 'a' }] }, none, {}],
    ['never of skills alone', { never: ['search_skills'] }, none, {}],
    ['never of more', { never: ['run_script', 'write_file'] }, none, { never: ['run_script', 'write_file'] }],
    ['only', { only: ['select_skills', 'read_file'] }, none, { only: ['select_skills', 'read_file'] }],
    ['before with a skill on a side', { before: [{ first: 'select_skills', then: 'write_file' }] }, none, {}],
    [
      'count of skills',
      {
        count: [
          { of: 'run_script', max: 1 },
          { of: 'grep', min: 1 },
        ],
      },
      none,
      { count: [{ of: 'grep', min: 1 }] },
    ],
    ['no_loops', { no_loops: true }, none, { no_loops: true }],
    [
      'a named skill that is there',
      { in_order: [{ select_skills: 'pdf' }] },
      onlyPdf,
      { in_order: [{ select_skills: 'pdf' }] },
    ],
    ['a named skill that is not there', { in_order: [{ select_skills: 'csv' }] }, onlyPdf, {}],
    ['the skill of a script', { any_order: [{ action: 'run_script', skill: 'csv' }] }, onlyPdf, {}],
  ] as const)('%s', (_, actions, arm, expected) => {
    const found = inArm({ actions: actions as never }, arm)
    expect(found).toEqual(Object.keys(expected).length === 0 ? {} : { actions: expected })
  })
})

describe('what an author marks', () => {
  const marked: EvalCase['expected'] = {
    output: [{ contains: 'a', arm: 'with_skills' }, { contains: 'b' }],
    files: [
      { path: 'x', checks: [{ contains: 'c', arm: 'with_skills' }] },
      { path: 'y', exists: true, checks: [{ contains: 'd', arm: 'with_skills' }, { contains: 'e' }] },
      { path: 'z', arm: 'with_skills', contains: 'f' },
    ],
  }

  test('leaves to each of the others the place that it has in the suite', () => {
    expect(caseInArm(evalCase({ expected: marked }), onlyPdf)).toMatchObject({
      expected: {
        output: [{ contains: 'b', place: 'output[1]' }],
        files: [{ path: 'y', place: 'files[1]', checks: [{ contains: 'e', place: 'files[1].checks[1]' }] }],
      },
    })
  })

  test('is judged in an arm with other skills, and in none that lacks some', () => {
    expect(caseInArm(evalCase({ expected: marked }), armOf(['pdf'], false))).toMatchObject({ expected: marked })
    expect(caseInArm(evalCase({ expected: marked }), onlyPdf)).toMatchObject({
      expected: { output: [{ contains: 'b' }], files: [{ path: 'y', exists: true, checks: [{ contains: 'e' }] }] },
    })
    const only = evalCase({ arms: 'with_skills', expected: { output } })
    expect(caseInArm(only, none)).toBe('with_skills')
    expect(caseInArm(only, armOf(['pdf'], false))).toMatchObject({ id: 'a' })
  })
})

test.each([
  ['no_checks', { expected: { skills: ['csv'] }, constraints: { max_turns: 3 } }],
  ['no_checks', { expected: { output: [{ contains: 'a', arm: 'with_skills' as const }] } }],
  ['no_checks', { constraints: { forbidden_skills: ['csv'] } }],
  ['skipped', { skip: true, expected: { output } }],
  ['xfail', { xfail: 'why', expected: { output } }],
  ['no_input', { input: ['hello', '/csv'], expected: { output } }],
] as const)('a case is left out: %s', (why, part) => {
  expect(caseInArm(evalCase(part as Partial<EvalCase>), none)).toBe(why)
})

test('what is forbidden is reason enough to run it, limits stay beside it', () => {
  const constraints = { max_turns: 3, forbidden_tools: ['grep'], forbidden_skills: ['csv'] }
  expect(caseInArm(evalCase({ constraints }), none)).toMatchObject({
    constraints: { max_turns: 3, forbidden_tools: ['grep'] },
  })
  expect(caseInArm(evalCase({ constraints }), onlyPdf)).not.toHaveProperty('constraints.forbidden_skills')
})

test.each([
  ['/csv Which?', 'Which?'],
  ['/pdf /csv Which?', '/pdf Which?'],
  ['/csv /pdf Which?', '/pdf Which?'],
  ['/tmp is full', '/tmp is full'],
  ['/etc/passwd', '/etc/passwd'],
  ['ask /csv', 'ask /csv'],
])('of the input %s is asked: %s', (input, asked) => {
  expect(caseInArm(evalCase({ input: [input], expected: { output } }), onlyPdf)).toMatchObject({ input: [asked] })
})

test('a skill that an arm has not is not turned off or on in it', () => {
  const input = ['/disable csv', 'x', '/enable pdf']
  const expected = { output }
  const inputOf = (part: Partial<EvalCase>) => {
    const found = caseInArm(evalCase({ input, expected, ...part }), onlyPdf)
    return typeof found === 'string' ? found : found.input
  }
  expect(inputOf({ agent: { skill_controls: true } })).toEqual(['x', '/enable pdf'])
  expect(inputOf({})).toEqual(input)
})
