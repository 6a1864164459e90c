import { describe, expect, test } from 'vitest'
import { head, pack, project } from './support/cli.ts'
import { expectVerdicts, runJson, sharedSuite, trialOf } from './support/shared-suite.ts'

describe('expected.skills', () => {
  const { behaviour } = sharedSuite({ files: { 'skills/hidden/SKILL.md': hidden() } })
  const selecting = (...skills: readonly string[]) =>
    `mock: [${skills.map((skill) => `{select_skills: ${skill}}, `).join('')}{final_answer: ok}]`

  behaviour(
    'a list: exactly these skills must be selected; []: none may be',
    `
  - {id: exact, input: x, ${selecting('pdf-forms', 'csv-analyzer')}, expected: {skills: [csv-analyzer, pdf-forms]}}
  - {id: missing, input: x, ${selecting('csv-analyzer')}, expected: {skills: [csv-analyzer, pdf-forms]}}
  - {id: extra, input: x, ${selecting('csv-analyzer', 'pdf-forms')}, expected: {skills: [csv-analyzer]}}
  - {id: none, input: x, ${selecting()}, expected: {skills: []}}
  - {id: not-none, input: x, ${selecting('pdf-forms')}, expected: {skills: []}}`,
    {
      exact: 'passed',
      missing: /not selected: pdf-forms/,
      extra: /selected, though not expected: pdf-forms/,
      none: 'passed',
      'not-none': /selected, though not expected: pdf-forms/,
    },
  )

  behaviour(
    '{includes, excludes}: only the named skills are judged',
    `
  - {id: includes, input: x, ${selecting('csv-analyzer', 'pdf-forms')}, expected: {skills: {includes: [csv-analyzer]}}}
  - {id: includes-not, input: x, ${selecting('pdf-forms')}, expected: {skills: {includes: [csv-analyzer]}}}
  - {id: excludes, input: x, ${selecting('csv-analyzer')}, expected: {skills: {excludes: [pdf-forms]}}}
  - {id: excludes-not, input: x, ${selecting('pdf-forms')}, expected: {skills: {excludes: [pdf-forms]}}}`,
    { includes: 'passed', 'includes-not': /csv-analyzer/, excludes: 'passed', 'excludes-not': /pdf-forms/ },
  )

  behaviour(
    'a skill counts as selected when a select_skills for it succeeded in any turn',
    `
  - {id: late, input: x, mock: [{list_dir: .}, {select_skills: csv-analyzer}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}
  - {id: several, input: x, mock: [{select_skills: [csv-analyzer, pdf-forms]}, {final_answer: ok}], expected: {skills: [csv-analyzer, pdf-forms]}}
  - {id: twice, input: x, ${selecting('csv-analyzer', 'csv-analyzer')}, expected: {skills: [csv-analyzer]}}
  - {id: with-source, input: x, ${selecting('csv-analyzer@suite')}, expected: {skills: [csv-analyzer]}}
  - {id: unknown, input: x, ${selecting('csv-analyser')}, expected: {skills: []}}
  - {id: other-source, input: x, ${selecting('csv-analyzer@user')}, expected: {skills: []}}
  - {id: hidden, input: x, ${selecting('hidden')}, expected: {skills: []}}`,
    {
      late: 'passed',
      several: 'passed',
      twice: 'passed',
      'with-source': 'passed',
      unknown: 'passed',
      'other-source': 'passed',
      hidden: 'passed',
    },
  )

  behaviour(
    'other names of select_skills select too',
    `
  - {id: alias-use, input: x, mock: [{raw: {name: use_skill, input: {skill: csv-analyzer}}}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}
  - {id: alias-read, input: x, mock: [{raw: {name: read_skill, input: {name: csv-analyzer}}}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}
  - {id: alias-activate, input: x, mock: [{raw: {name: activate_skill, input: {skill_name: csv-analyzer}}}, {final_answer: ok}], expected: {skills: [csv-analyzer]}}`,
    { 'alias-use': 'passed', 'alias-read': 'passed', 'alias-activate': 'passed' },
  )

  behaviour(
    'a skill that the user invoked by name does not count',
    `
  - id: invoked
    input: /csv-analyzer sum it
    mock: [{load_resource: {skill: csv-analyzer, path: references/kpi.md}}, {final_answer: ok}]
    expected: {skills: [], actions: {exactly: [load_resource]}}
  - id: invoked-hidden
    input: /hidden do it
    mock: [{run_script: {skill: hidden, path: scripts/none.sh}}, {final_answer: ok}]
    expected: {skills: []}`,
    { invoked: 'passed', 'invoked-hidden': 'passed' },
  )
})

function hidden(): string {
  return '---\nname: hidden\ndescription: Only people see it.\ndisable-model-invocation: true\n---\n\n# H\n'
}

describe('trigger metrics', () => {
  const skills = ['a', 'b', 'c'].map((name) => [
    `skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: D.\n---\nB\n`,
  ])
  const of = (id: string, expected: string | undefined, selected: readonly string[], more = '') =>
    `  - {id: ${id}, input: x, mock: [[${selected.map((name) => `{select_skills: ${name}}, `).join('')}{list_dir: .}], {final_answer: ok}]${
      expected === undefined ? '' : `, expected: {skills: ${expected}}`
    }${more}}\n`
  const run = (cases: string) => {
    using p = project({
      ...Object.fromEntries(skills),
      'evals/t.eval.yaml': `name: t\nskills: [../skills]\nmodel: mock\ncases:\n${cases}`,
    })
    return runJson(p, [])
  }

  test('a list labels every skill of the index, {includes, excludes} the named ones, no label none', () => {
    const { trigger } = run(
      of('list', '[a]', ['a']) +
        of('includes', '{includes: [a]}', ['b']) +
        of('excludes', '{excludes: [c]}', ['c']) +
        of('absent', undefined, ['b']),
    ).result.summary
    expect(trigger.skills).toEqual({
      a: { tp: 1, fp: 0, fn: 1, tn: 0, precision: 1, recall: 0.5, f1: 2 / 3, specificity: null },
      b: { tp: 0, fp: 0, fn: 0, tn: 1, precision: null, recall: null, f1: null, specificity: 1 },
      c: {
        tp: 0,
        fp: 1,
        fn: 0,
        tn: 1,
        precision: 0,
        recall: null,
        f1: expect.toSatisfy(isZeroOrNull),
        specificity: 0.5,
      },
    })
  })

  test('each trial is one observation, micro- and macro-averaged over skills, the top level is the micro average', () => {
    const { trigger } = run(of('t', '[a]', ['a'], ', trials: 3') + of('u', '[b]', ['a'])).result.summary
    expect(trigger).toMatchObject({ tp: 3, fp: 1, fn: 1, tn: 7 })
    expect(trigger.precision).toBeCloseTo(3 / 4)
    expect(trigger.recall).toBeCloseTo(3 / 4)
    expect(trigger.specificity).toBeCloseTo(7 / 8)
    expect(trigger.skills.a).toMatchObject({ tp: 3, fp: 1, fn: 0, tn: 0, precision: 0.75, recall: 1 })
    expect(trigger.skills.b).toMatchObject({ tp: 0, fp: 0, fn: 1, tn: 3, precision: null, recall: 0 })
    // Over the skills that have the metric: precision of a alone, recall of a and b.
    expect(trigger.macro.precision).toBeCloseTo(0.75)
    expect(trigger.macro.recall).toBeCloseTo(0.5)
  })

  test('a metric whose denominator is 0 is null, never 0 or 1', () => {
    const { trigger } = run(of('none', '[]', []) + of('unlabelled', undefined, ['a'])).result.summary
    expect(trigger).toMatchObject({ precision: null, recall: null, f1: null, specificity: 1, tn: 3 })
    expect(trigger.macro).toMatchObject({ precision: null, recall: null, f1: null, specificity: 1 })
    const nothing = run(of('unlabelled', undefined, ['a'])).result.summary.trigger
    expect(nothing).toMatchObject({ precision: null, recall: null, f1: null, specificity: null, skills: {} })
  })

  test('an error is no observation', () => {
    const { trigger } = run('  - {id: e, input: x, mock: [{select_skills: b}], expected: {skills: [a]}}\n').result
      .summary
    expect(trigger).toMatchObject({ tp: 0, fp: 0, fn: 0, tn: 0, confusion: [] })
  })

  test('the confusion table pairs expected with selected as documented', () => {
    const { trigger } = run(
      // Both: with itself. The other expected (b) with each other selected (c).
      of('pairs', '[a, b]', ['a', 'c']) +
        // An expected one without another selected: with (none).
        of('missed', '[a, b]', ['a']) +
        // Selected with no expected one left: with (none) as expected.
        of('extra', '[a]', ['a', 'b']) +
        of('unexpected', '[]', ['c']) +
        of('silent', '[]', []),
    ).result.summary
    const table = trigger.confusion.map(({ expected, selected, count }) => `${expected} ${selected} ${count}`)
    expect(table.sort()).toEqual(['(none) b 1', '(none) c 1', 'a a 3', 'b (none) 1', 'b c 1'])
  })
})

const isZeroOrNull = (value: unknown): boolean => value === 0 || value === null

describe('expected.actions', () => {
  const { behaviour } = sharedSuite({
    files: {
      'skills/csv-analyzer/scripts/fail.sh': '#!/usr/bin/env bash\necho oops >&2\nexit 3\n',
      'skills/csv-analyzer/scripts/echo.sh': '#!/usr/bin/env bash\necho "$@"\n',
    },
  })
  /** Select, load, run, read (which fails), write (which is denied), call, answer. */
  const mock = `mock:
      - select_skills: csv-analyzer
      - load_resource: {skill: csv-analyzer, path: references/kpi.md}
      - run_script: {skill: csv-analyzer, path: scripts/echo.sh, args: [--months, "3", March]}
      - read_file: nowhere/data.csv
      - write_file: {path: out/a.txt, content: A}
      - run_script: {skill: csv-analyzer, path: scripts/fail.sh}
      - call_tool: {tool: web_search, input: {q: sales}}
      - final_answer: done`
  const c = (id: string, actions: string) => `
  - id: ${id}
    input: x
    tools: {web_search: {returns: hit}}
    permissions: {deny: [write_file]}
    ${mock}
    expected: {actions: ${actions}}`

  behaviour(
    'a pattern is an action type, a map to its main parameter, or the full form',
    c('p-type', '{in_order: [select_skills, run_script, final_answer]}') +
      c(
        'p-main',
        '{in_order: [{select_skills: csv-analyzer}, {load_resource: "references/*.md"}, {run_script: "scripts/*.sh"}, {call_tool: web_search}, {final_answer: done}]}',
      ) +
      c('p-main-not', '{in_order: [{select_skills: pdf-forms}]}') +
      c('p-glob-not', '{in_order: [{run_script: "*.sh"}]}') +
      c('p-answer-not', '{in_order: [{final_answer: other}]}') +
      c(
        'p-full',
        '{in_order: [{action: run_script, path: scripts/echo.sh, args: {contains: --months}, skill: csv-analyzer, status: ok, exit_code: 0, output: {contains: March}}]}',
      ) +
      c('p-args-not', '{in_order: [{action: run_script, args: {contains: --years}}]}') +
      c('p-exit-not', '{in_order: [{action: run_script, exit_code: 1}]}') +
      c('p-output-not', '{in_order: [{action: run_script, output: {contains: April}}]}') +
      c('p-skill-not', '{in_order: [{action: run_script, skill: pdf-forms}]}'),
    {
      'p-type': 'passed',
      'p-main': 'passed',
      'p-main-not': /in_order/,
      'p-glob-not': /in_order/,
      'p-answer-not': /in_order/,
      'p-full': 'passed',
      'p-args-not': /in_order/,
      'p-exit-not': /in_order/,
      'p-output-not': /in_order/,
      'p-skill-not': /in_order/,
    },
  )

  behaviour(
    'parameters are matched in part: a key that the pattern leaves out matches anything',
    c('part', '{in_order: [{action: call_tool, input: {q: sales}}, {action: final_answer}]}') +
      c('part-list', '{in_order: [{action: run_script, args: [--months, "3", March]}]}') +
      c('part-not', '{in_order: [{action: call_tool, input: {q: other}}]}'),
    { part: 'passed', 'part-list': 'passed', 'part-not': /in_order/ },
  )

  behaviour(
    'denied and failed actions are part of the sequence; a pattern without status matches only ok ones',
    c(
      'st-failed',
      '{in_order: [{action: read_file, status: error}, {action: run_script, status: error, exit_code: 3}]}',
    ) +
      c('st-denied', '{in_order: [{action: write_file, status: denied}]}') +
      c('st-ok-only', '{in_order: [read_file]}') +
      c('st-ok-only-2', '{count: [{of: run_script, equals: 1}]}') +
      c('st-never', '{never: [read_file]}') +
      c('st-never-denied', '{never: [{write_file: "out/**"}]}') +
      c('st-never-ok', '{never: [{action: write_file, status: ok}]}'),
    {
      'st-failed': 'passed',
      'st-denied': 'passed',
      'st-ok-only': /in_order/,
      'st-ok-only-2': 'passed',
      'st-never': /never/,
      'st-never-denied': /never/,
      'st-never-ok': 'passed',
    },
  )

  behaviour(
    'in_order: the patterns match a subsequence, in this order',
    c('in-order', '{in_order: [select_skills, {run_script: "scripts/echo.sh"}, call_tool]}') +
      c('in-order-swapped', '{in_order: [call_tool, select_skills]}') +
      c('in-order-twice', '{in_order: [select_skills, select_skills]}'),
    { 'in-order': 'passed', 'in-order-swapped': /in_order/, 'in-order-twice': /in_order/ },
  )

  const rest =
    '{action: read_file, status: error}, {action: write_file, status: denied}, {action: run_script, status: error}, call_tool'
  behaviour(
    'exactly: the whole sequence matches one to one, final_answer left out unless it is named',
    c('exactly', `{exactly: [select_skills, load_resource, run_script, ${rest}]}`) +
      c('exactly-final', `{exactly: [select_skills, load_resource, run_script, ${rest}, final_answer]}`) +
      c('exactly-short', '{exactly: [select_skills, load_resource, run_script]}') +
      c('exactly-long', `{exactly: [select_skills, load_resource, run_script, ${rest}, call_tool]}`) +
      c('exactly-swapped', `{exactly: [load_resource, select_skills, run_script, ${rest}]}`) +
      c('exactly-none', '{exactly: []}'),
    {
      exactly: 'passed',
      'exactly-final': 'passed',
      'exactly-short': /exactly/,
      'exactly-long': /exactly/,
      'exactly-swapped': /exactly/,
      'exactly-none': /exactly/,
    },
  )

  behaviour(
    'any_order: there is a one-to-one assignment of patterns to distinct actions',
    c('any', '{any_order: [call_tool, select_skills]}') +
      c('any-shared', '{any_order: [{run_script: "scripts/*.sh"}, {run_script: "scripts/echo.sh"}]}') +
      // The wide pattern, first, must not take the only action that the narrow one matches.
      `
  - id: any-assigned
    input: x
    tools: {n: {returns: 1}}
    mock: [{call_tool: {tool: n, input: {q: a}}}, {call_tool: {tool: n, input: {q: b}}}, {final_answer: ok}]
    expected: {actions: {any_order: [call_tool, {action: call_tool, input: {q: a}}]}}` +
      c('any-twice', '{any_order: [select_skills, {select_skills: csv-analyzer}]}'),
    { any: 'passed', 'any-shared': /any_order/, 'any-assigned': 'passed', 'any-twice': /any_order/ },
  )

  behaviour(
    'only: every action matches at least one pattern',
    c('only', `{only: [select_skills, load_resource, run_script, ${rest}]}`) +
      c('only-not', '{only: [select_skills, load_resource, run_script, call_tool]}'),
    { only: 'passed', 'only-not': /only/ },
  )

  behaviour(
    'never: no action matches any of them',
    c('never', '{never: [delete_file, {run_script: "scripts/other.sh"}]}') +
      c('never-one', '{never: [delete_file, {run_script: "scripts/echo.sh"}]}'),
    { never: 'passed', 'never-one': /never/ },
  )

  behaviour(
    'before: before every Q some P succeeded',
    c(
      'before',
      '{before: [{first: {select_skills: csv-analyzer}, then: run_script}, {first: load_resource, then: call_tool}]}',
    ) +
      c('before-absent', '{before: [{first: call_tool, then: delete_file}]}') +
      c('before-late', '{before: [{first: call_tool, then: run_script}]}') +
      c('before-failed', '{before: [{first: read_file, then: call_tool}]}') +
      // A Q that failed or was denied was tried without a P too.
      c('before-denied', '{before: [{first: call_tool, then: {action: write_file, status: denied}}]}'),
    {
      before: 'passed',
      'before-absent': 'passed',
      'before-late': /before/,
      'before-failed': /before/,
      'before-denied': /before/,
    },
  )

  behaviour(
    'count: the number of matching actions is in the range',
    c(
      'count',
      '{count: [{of: run_script, equals: 1}, {of: select_skills, min: 1, max: 1}, {of: delete_file, equals: 0}]}',
    ) +
      c('count-min', '{count: [{of: run_script, min: 2}]}') +
      c('count-max', '{count: [{of: run_script, max: 0}]}') +
      c('count-equals', '{count: [{of: run_script, equals: 2}]}'),
    { count: 'passed', 'count-min': /count/, 'count-max': /count/, 'count-equals': /count/ },
  )

  const loop = (id: string, mockOf: string, actions: string) =>
    `\n  - {id: ${id}, input: x, tools: {n: {returns_each: [1, 2, 3]}}, mock: [${mockOf}, {final_answer: ok}], expected: {actions: ${actions}}}`
  const list = '{list_dir: .}'
  const tool = '{call_tool: {tool: n, input: {}}}'
  behaviour(
    'no_loops: no action with the same parameters and observation more than n times running, 2 by default',
    loop('loop-2', `${list}, ${list}`, '{no_loops: true}') +
      loop('loop-3', `${list}, ${list}, ${list}`, '{no_loops: true}') +
      loop('loop-apart', `${list}, ${list}, {read_file: x}, ${list}`, '{no_loops: true}') +
      loop('loop-n', `${list}, ${list}, ${list}`, '{no_loops: 3}') +
      loop('loop-1', `${list}, ${list}`, '{no_loops: 1}') +
      loop('loop-other-result', `${tool}, ${tool}, ${tool}`, '{no_loops: true}'),
    {
      'loop-2': 'passed',
      'loop-3': /no_loops/,
      'loop-apart': 'passed',
      'loop-n': 'passed',
      'loop-1': /no_loops/,
      'loop-other-result': 'passed',
    },
  )

  behaviour(
    'every entry must hold',
    c('every', '{in_order: [select_skills], never: [call_tool], only: [select_skills]}'),
    (run) => {
      const kinds = trialOf(run, 'every').checks.map(({ kind, passed }) => `${kind} ${passed}`)
      expect(kinds.sort()).toEqual(['in_order true', 'never false', 'only false'])
      expect(run.of('every').status).toBe('failed')
    },
  )

  behaviour(
    'a failure prints the pattern, the sequence as it was, and the first place where they part',
    c('parts', '{exactly: [select_skills, load_resource, {run_script: scripts/other.sh}]}'),
    (run) => {
      const message = trialOf(run, 'parts').checks[0]?.message ?? ''
      expect(message).toContain('scripts/other.sh')
      const lines = message.split('\n')
      const shown = lines.slice(lines.indexOf('the actions were:') + 1)
      expect(shown).toHaveLength(8)
      expect(shown.filter((line) => !/^ /.test(line))).toEqual([
        expect.stringMatching(/3\. run_script scripts\/echo\.sh/),
      ])
    },
  )

  test('a pattern that names nothing that there is, is an error', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `${head}cases:
  - {id: a, input: x, expected: {actions: {in_order: [run_scrip]}}}
  - {id: b, input: x, expected: {actions: {never: [{read_fil: x}]}}}
  - {id: c, input: x, expected: {actions: {before: [{first: run_script}]}}}
  - {id: d, input: x, expected: {actions: {count: [{of: run_script}]}}}
  - {id: e, input: x, expected: {actions: {in_ordr: [run_script]}}}
  - {id: f, input: x, expected: {actions: {in_order: [{action: run_script, pth: x}]}}}
`,
    })
    const { code, err } = p.cli(['run'])
    expect(code).toBe(2)
    for (const [line, said] of [
      [5, 'Did you mean `run_script`'],
      [6, 'Did you mean `read_file`'],
      [7, 'then'],
      [8, 'min, max or equals'],
      [9, 'Did you mean `in_order`'],
      [10, 'Did you mean `path`'],
    ] as const) {
      const block = err.split('\n\n').find((text) => text.includes(`t.eval.yaml:${line}:`))
      expect(block, `line ${line}`).toContain(said)
    }
  })
})

describe('expected.plan', () => {
  const { behaviour } = sharedSuite()
  const plan = (id: string, steps: string, expected: string) =>
    `\n  - {id: ${id}, input: x, mock: [{update_plan: {steps: [${steps}]}}, {final_answer: ok}], expected: {plan: ${expected}}}`
  const done = '{id: a, title: A, status: completed}'
  const open = '{id: b, title: B, status: in_progress}'

  behaviour(
    'completed: all and min_steps look at the final plan',
    plan('completed', `${done}`, '{completed: all}') +
      plan('completed-not', `${done}, ${open}`, '{completed: all}') +
      plan('min-steps', `${done}, ${open}`, '{min_steps: 2}') +
      plan('min-steps-not', `${done}`, '{min_steps: 2}') +
      `
  - {id: no-plan, input: x, mock: [{final_answer: ok}], expected: {plan: {min_steps: 1}}}
  - {id: no-plan-all, input: x, mock: [{final_answer: ok}], expected: {plan: {completed: all}}}
  - id: patched
    input: x
    mock: [{update_plan: {goal: G, steps: [${done}, ${open}]}}, {update_plan: {patch: true, steps: [{id: b, status: completed}]}}, {final_answer: ok}]
    expected: {plan: {completed: all, min_steps: 2}}`,
    (run) => {
      expectVerdicts(run, {
        completed: 'passed',
        'completed-not': /b|B/,
        'min-steps': 'passed',
        'min-steps-not': /plan/,
        'no-plan': /plan/,
        'no-plan-all': /plan/,
        patched: 'passed',
      })
      expect(trialOf(run, 'patched').plan).toMatchObject({
        goal: 'G',
        steps: [
          { id: 'a', title: 'A', status: 'completed' },
          { id: 'b', title: 'B', status: 'completed' },
        ],
      })
    },
  )
})
