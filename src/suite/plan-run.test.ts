import { describe, expect, test } from 'vitest'
import { memoryFiles } from '../adapters/memory/memory-files.ts'
import { nearestNames } from './nearest-names.ts'
import { type PlanOptions, planRun } from './plan-run.ts'
import { readValid } from './read.test-support.ts'

const csv = `name: csv
skills: [../skills]
cases:
  - {id: top, input: x, tags: [smoke, slow], trials: 2, expected: {skills: [csv-analyzer]}}
  - {id: sub/refund, input: x, tags: [smoke], mock: [{load_resource: {skill: kpi, path: a.md}}]}
  - {id: later, input: x, skip: not yet, constraints: {forbidden_skills: [pdf]}}
  - {id: "row-{{n}}", input: x, each: rows.jsonl, expected: {actions: {never: [{select_skills: "{{s}}@project"}]}}}
triggers: {csv-analyzer: {should: [one], should_not: [two]}}
`
const files = memoryFiles({ '/p/evals/rows.jsonl': '{"n":1,"s":"pdf"}\n{"n":2,"s":"xls"}\n' })
const options: PlanOptions = { defaultModel: 'mock', ci: false, files }

const suiteFile = async (text: string, path = 'evals/csv.eval.yaml') => ({
  suite: await readValid(text),
  path,
  dir: '/p/evals',
})

const plan = async (more: Partial<PlanOptions> = {}, texts: readonly string[] = [csv]) =>
  planRun(await Promise.all(texts.map((text, i) => suiteFile(text, `evals/s${i}.eval.yaml`))), { ...options, ...more })

const idsOf = async (more: Partial<PlanOptions> = {}, texts: readonly string[] = [csv]) =>
  [...(await plan(more, texts)).plan.cases()].map(({ evalCase }) => evalCase.id)

const all = [
  'top',
  'sub/refund',
  'later',
  'row-1',
  'row-2',
  'trigger/csv-analyzer/should/1',
  'trigger/csv-analyzer/should_not/1',
]

describe('planRun', () => {
  test('lists suites, in each its models, in each its cases, in each its trials', async () => {
    const other = 'name: other\nmodel: [a, b]\ncases: [{id: x, input: x, trials: 3}, {id: y, input: x}]\n'
    const { plan: run } = await plan({}, [csv, other])
    const rows = [...run.cases()].map(({ suite, model, evalCase, trials, at }) => [
      suite.name,
      model,
      evalCase.id,
      trials,
      at,
    ])
    expect(rows).toEqual([
      ['csv', 'mock', 'top', 2, 0],
      ['csv', 'mock', 'sub/refund', 1, 2],
      ['csv', 'mock', 'later', 0, 3],
      ['csv', 'mock', 'row-1', 1, 3],
      ['csv', 'mock', 'row-2', 1, 4],
      ['csv', 'mock', 'trigger/csv-analyzer/should/1', 1, 5],
      ['csv', 'mock', 'trigger/csv-analyzer/should_not/1', 1, 6],
      ['other', 'a', 'x', 3, 7],
      ['other', 'a', 'y', 1, 10],
      ['other', 'b', 'x', 3, 11],
      ['other', 'b', 'y', 1, 14],
    ])
    expect(run.counts).toEqual({ cases: 11, trials: 15, skipped: 1 })
  })

  test('says of a suite what the run needs to know', async () => {
    const text =
      'name: n\ndescription: d\nskills: [../skills, /abs]\nthresholds: {pass_rate: 1}\ncases: [{id: a, input: x}]\n'
    expect((await plan({}, [text])).plan.suites).toEqual([
      {
        name: 'n',
        description: 'd',
        path: 'evals/s0.eval.yaml',
        dir: '/p/evals',
        skills: ['/p/skills', '/abs'],
        models: ['mock'],
        thresholds: { pass_rate: 1 },
      },
    ])
  })

  test('makes the cases anew at each call', async () => {
    const { plan: run } = await plan()
    expect([...run.cases()]).toEqual([...run.cases()])
  })

  test('models and trials of the command line override the suite, a skipped case stays without trials', async () => {
    const { plan: run } = await plan({ models: ['a', 'b', 'a'], trials: 5, filter: ['top', 'later'] })
    expect([run.suites[0]?.models, run.counts]).toEqual([['a', 'b'], { cases: 4, trials: 10, skipped: 2 }])
  })

  test.each<[filter: string[], ids: string[]]>([
    [['REFUND'], ['sub/refund']],
    [['csv/top'], ['top']],
    [['csv/'], all],
    [['row-*'], ['row-1', 'row-2']],
    [['trigger/*'], all.slice(5)],
    [['csv/sub/*'], ['sub/refund']],
    [['*'], all],
    [
      ['row-[1]', 'top'],
      ['top', 'row-1'],
    ],
    [['{top,later}'], ['top', 'later']],
    [['(x+)+$'], []],
    [['nothing'], []],
    [['=top'], ['top']],
    [['=csv/top'], ['top']],
    [['=to'], []],
    [['=TOP'], []],
    [['=row-*'], []],
    [
      ['=row-1', '=top'],
      ['top', 'row-1'],
    ],
  ])('--filter %j', async (filter, ids) => {
    expect(await idsOf({ filter })).toEqual(ids)
  })

  test('--filter ignores the case of what it looks for and of ids', async () => {
    expect(
      await idsOf({ filter: ['T/to'] }, ['name: T\ncases: [{id: TOP, input: x}, {id: other, input: x}]\n']),
    ).toEqual(['TOP'])
  })

  test('a filter that can not be read is a usage error', async () => {
    await expect(plan({ filter: ['{a..{b,'] })).rejects.toMatchObject({ name: 'UsageError', code: 'bad_filter' })
  })

  test.each<[tags: string[], ids: string[]]>([
    [['slow'], ['top']],
    [
      ['slow', 'smoke'],
      ['top', 'sub/refund'],
    ],
    [['none, smoke'], ['top', 'sub/refund']],
    [['Smoke'], []],
  ])('--tag %j', async (tags, ids) => {
    expect(await idsOf({ tags })).toEqual(ids)
  })

  test.each<[skills: string[], ids: string[]]>([
    [['csv-analyzer'], ['top', ...all.slice(5)]],
    [['csv-analyzer@project'], ['top', ...all.slice(5)]],
    [['kpi'], ['sub/refund']],
    [['pdf'], ['later', 'row-1']],
    [
      ['xls', 'kpi'],
      ['sub/refund', 'row-2'],
    ],
  ])('--skill %j', async (skills, ids) => {
    expect(await idsOf({ skills })).toEqual(ids)
  })

  test('kinds of filters must all hold', async () => {
    expect(await idsOf({ tags: ['smoke'], filter: ['top', 'later'] })).toEqual(['top'])
  })

  test('what no filter leaves is no plan, and how many cases there were is known', async () => {
    const { plan: run, totals } = await plan({ filter: ['nothing'] })
    expect([run.suites, run.counts, totals]).toEqual([[], { cases: 0, trials: 0, skipped: 0 }, { cases: 7 }])
  })

  describe('only', () => {
    const focused =
      'name: f\ncases:\n  - {id: a, input: x}\n  - {id: b, input: x, only: true}\n  - {id: c, input: x, only: false}\n'

    test('leaves out every other case of the run, of other suites too', async () => {
      expect([await idsOf({}, [csv, focused]), (await plan({}, [csv, focused])).plan.counts]).toEqual([
        ['b'],
        { cases: 1, trials: 1, skipped: 0 },
      ])
    })

    test('counts among the cases that were asked for', async () => {
      expect(await idsOf({ filter: ['f/a', 'top'] }, [csv, focused])).toEqual(['top', 'a'])
    })

    test('is an error in CI, at its case', async () => {
      expect((await plan({ ci: true }, [focused])).diagnostics).toEqual([
        {
          severity: 'error',
          code: 'suite/only-in-ci',
          message: '`only` leaves out every other case, which is an error in CI',
          file: 'evals/s0.eval.yaml',
          line: 4,
          hint: 'Remove `only`, or choose cases with --filter.',
        },
      ])
    })

    test('is none outside of it', async () => {
      expect((await plan({}, [focused])).diagnostics).toEqual([])
    })
  })

  test('two suites of one name are told with both files', async () => {
    expect((await plan({}, [csv, csv])).diagnostics).toEqual([
      {
        severity: 'error',
        code: 'suite/duplicate-name',
        message: 'the suites evals/s0.eval.yaml and evals/s1.eval.yaml are both named `csv`',
        file: 'evals/s1.eval.yaml',
        hint: 'Give one of them another `name`: results and recordings go by it.',
      },
    ])
  })
})

test('names near a filter that matches nothing are found without reading anything', async () => {
  const suites = [await suiteFile(csv)]
  expect([
    nearestNames(suites, 'refnd'),
    nearestNames(suites, 'csv/tpo'),
    nearestNames(suites, 'latr*'),
    nearestNames(suites, 'zzzzzzzz'),
  ]).toEqual([['sub/refund'], ['csv', 'csv/top'], ['later'], []])
})
