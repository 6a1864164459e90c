import { describe, expect, test } from 'vitest'
import { read, readValid } from './read.test-support.ts'
import type { Suite } from './suite.ts'

/** A case without surprises; `more` is added to it. */
const oneCase = (more: string): string => `cases:\n  - id: a\n    input: hi\n${more.replace(/^/gm, '    ')}\n`

const caseOf = (suite: Suite, at = 0) => {
  const one = suite.cases[at]
  if (one?.kind !== 'case') throw new Error(`case ${at} is ${one?.kind}`)
  return one.case
}

describe('what is well written is read', () => {
  test('a suite without a name is called after its file', async () => {
    expect((await readValid(oneCase(''))).name).toBe('t')
  })

  test('name, description, skills, model and thresholds are kept as written', async () => {
    const { cases: _, ...suite } = await readValid(`
$schema: ../schemas/suite.schema.json
name: csv
description: All about CSV
skills: [../skills, ../more/csv]
model: [a, b]
thresholds: {pass_rate: 0.9, trigger: {precision: 1, recall: 0.5, f1: 0.5}, cost_usd: 1, tokens: 9, p95_seconds: 3}
${oneCase('')}`)
    expect(suite).toEqual({
      name: 'csv',
      description: 'All about CSV',
      skills: ['../skills', '../more/csv'],
      models: ['a', 'b'],
      thresholds: {
        pass_rate: 0.9,
        trigger: { precision: 1, recall: 0.5, f1: 0.5 },
        cost_usd: 1,
        tokens: 9,
        p95_seconds: 3,
      },
    })
  })

  test('a model may be a single name', async () => {
    expect((await readValid(`model: mock\n${oneCase('')}`)).models).toEqual(['mock'])
  })

  test('a case has its defaults filled in and knows its line', async () => {
    expect((await readValid(oneCase(''))).cases).toEqual([
      {
        kind: 'case',
        case: { id: 'a', input: ['hi'], tags: [], trials: 1, pass_threshold: 1, line: 2, triggerOnly: false },
      },
    ])
  })

  test('checks have their defaults filled in, wherever they stand', async () => {
    const suite = await readValid(
      oneCase(`expected:
  output:
    - {length: {max: 5}}
    - {similar: {to: x, at_least: 0.5}}
    - {json_path: {path: $.a, length: {min: 1}}}
  files: [{path: a.txt, checks: [{length: {min: 1, unit: lines}}, {length: {min: 2}}]}]`),
    )
    expect(caseOf(suite).expected).toEqual({
      output: [
        { length: { max: 5, unit: 'chars' } },
        { similar: { to: 'x', at_least: 0.5, by: 'token_f1' } },
        { json_path: { path: '$.a', length: { min: 1, unit: 'chars' } } },
      ],
      files: [
        { path: 'a.txt', checks: [{ length: { min: 1, unit: 'lines' } }, { length: { min: 2, unit: 'chars' } }] },
      ],
    })
  })

  test('a suite is plain JSON: it survives being written and read back', async () => {
    const suite = await readValid(`name: x
defaults: {tags: [t], expected: {output: [{length: {min: 1}}]}}
cases:
  - {id: a, input: [one, two], expected: {output: [{json_equals: {a: [1, null, "x"]}}]}}
  - {id: "b-{{n}}", input: "{{q}}", each: [{n: 1, q: what}]}
  - {id: c, input: "{{q}}", each: rows.csv}
triggers: {csv: {should: [one]}}
`)
    expect(JSON.parse(JSON.stringify(suite))).toStrictEqual(suite)
  })

  test.each<[behaviour: string, yaml: string]>([
    ['permissions', 'permissions: {allow: [read_file], deny: ["run_script(x.py)"], ask: [write_file]}'],
    ['files from a path, text and json', 'files: {a.csv: ../a.csv, b/c.txt: {text: x}, d.json: {json: [1]}}'],
    ['a mock of turns', 'mock: [{select_skills: csv}, [{read_file: a}, {list_dir: .}], plain text, {final_answer: x}]'],
    ['a mock of rules', 'mock: {rules: [{when: {input: /csv/i, turn: 1}, do: [{final_answer: x}], times: 2}]}'],
    ['a raw mock action is wrong on purpose', 'mock: [{raw: {name: no_such_tool, input: 5}}]'],
    [
      'a double that returns',
      'tools: {web_search: {description: d, input_schema: {type: object}, returns: {hits: []}}}',
    ],
    ['a double that returns one by one', 'tools: {price: {returns_each: [1, 2]}}'],
    [
      'a double that looks at its input',
      'tools: {t: {when: [{input: {q: {regex: ^a}}, returns: 1}], otherwise: {error: no}}}',
    ],
    ['skills as a list, also an empty one', 'expected: {skills: []}'],
    ['skills by inclusion and exclusion', 'expected: {skills: {includes: [a], excludes: [b]}}'],
    [
      'every action rule, every form of pattern',
      `expected:
  actions:
    in_order: [run_script, {load_resource: "references/*.md"}]
    exactly: []
    any_order: [{call_tool: web_search}]
    only: [{action: run_script, path: "scripts/*.py", args: {contains: --months}, skill: csv, status: ok, exit_code: 0, output: {contains: March}}]
    never: [network_request]
    before: [{first: {select_skills: csv}, then: run_script}]
    count: [{of: run_script, min: 1, max: 3}, {of: grep, equals: 0}]
    no_loops: 3`,
    ],
    [
      'every operator of a check',
      `expected:
  output:
    - {equals: x, ignore_case: true, trim: true, name: n, weight: 2, not: true}
    - {contains: x}
    - {contains_all: [a, b]}
    - {contains_any: [a, b]}
    - {starts_with: a}
    - {ends_with: b}
    - {regex: /a+/i}
    - {regex: "^bare$"}
    - {length: {min: 1, max: 2, unit: words}}
    - {is_json: true}
    - {json_schema: {type: object, required: [a]}}
    - {json_schema: schemas/a.json}
    - {json_equals: {a: 1}, ignore: [/b], tolerance: 1e-6, unordered: [/c]}
    - {json_path: {path: "$.rows[*].n", equals: 3}}
    - {similar: {to: x, at_least: 0.9, by: rouge_l}}
    - {headings: [One, Two]}
    - {script: {run: graders/check.py, args: [x], timeout_seconds: 5}}`,
    ],
    [
      'expected files, also globs',
      'expected: {files: [{path: "out/*.csv", exists: true, contains: x}, {path: a, unchanged: true}]}',
    ],
    ['expected plan', 'expected: {plan: {completed: all, min_steps: 2}}'],
    [
      'every constraint',
      'constraints: {max_turns: 1, max_tool_calls: 0, max_script_runs: 0, max_input_tokens: 1, max_output_tokens: 1, max_tokens: 1, max_cost_usd: 0.1, max_seconds: 1.5, forbidden_tools: [grep, web_search], forbidden_skills: [x]}',
    ],
    ['trials and a threshold', 'trials: 4\npass_threshold: 0.5'],
    ['a threshold with a single trial', 'pass_threshold: 0.5'],
    ['skip, only and xfail with a reason or without', 'skip: later\nonly: true\nxfail: known'],
    ['golden', 'golden: true'],
    ['a placeholder in a case without rows is plain text', 'description: "{{name}} [{ }}"'],
  ])('%s', async (_, yaml) => {
    expect((await read(oneCase(yaml))).told).toEqual([])
  })
})

describe('defaults lie beneath every case', () => {
  test('maps merge by key, lists and scalars replace', async () => {
    const suite = await readValid(`
defaults:
  tags: [slow, csv]
  trials: 3
  constraints: {max_turns: 5, max_tokens: 10}
  expected: {skills: [csv], output: [{contains: a}]}
cases:
  - {id: a, input: x, tags: [fast], constraints: {max_turns: 1}, expected: {output: [{contains: b}]}}
  - {id: b, input: x, trials: 1}
`)
    expect([caseOf(suite, 0), caseOf(suite, 1)]).toMatchObject([
      {
        tags: ['fast'],
        trials: 3,
        constraints: { max_turns: 1, max_tokens: 10 },
        expected: { skills: ['csv'], output: [{ contains: 'b' }] },
      },
      { tags: ['slow', 'csv'], trials: 1, constraints: { max_turns: 5, max_tokens: 10 } },
    ])
  })

  test('a mistake in them is told once, where it stands', async () => {
    const { told } = await read(`defaults:
  constraints: {max_turn: 1}
  mock: [{run_script: {skill: csv}}]
cases:
  - {id: a, input: x}
  - {id: b, input: x}
`)
    expect(told).toEqual([
      '2:17 suite/unknown-key unknown key `max_turn` in `constraints` → Did you mean `max_turns`?',
      '3:23 suite/missing-key run_script: missing key `path`',
    ])
  })

  test('an input that is wrong in them is not told as missing in the cases too', async () => {
    const { told } = await read('defaults: {input: 5}\ncases: [{id: a}, {id: b}]\n')
    expect(told).toEqual([
      '1:19 suite/type `input`: expected a string or a list, got the number 5 → Put it in quotes: "5".',
    ])
  })

  test('what a case makes of them is told where the part stands', async () => {
    const { told } = await read(`defaults:
  expected: {skills: {includes: [csv]}}
cases:
  - id: a
    input: x
    expected: {skills: {excludes: [csv]}}
`)
    expect(told).toEqual(['6:36 suite/contradiction `csv` is in `includes` and in `excludes`'])
  })

  test('they may leave to the case what a double returns', async () => {
    const suite = await readValid(`defaults: {tools: {price: {description: asks for a price}}}
cases:
  - {id: a, input: x, tools: {price: {returns: 3}}}
`)
    expect(caseOf(suite).tools).toEqual({ price: { description: 'asks for a price', returns: 3 } })
  })

  test('null is a value that is not valid, and removes nothing', async () => {
    const { told } = await read('defaults: {trials: 3}\ncases:\n  - {id: a, input: x, trials: null}\n')
    expect(told).toEqual([
      '3:31 suite/type `trials`: expected a number or a map, got nothing → Give it a value, or remove the key.',
    ])
  })
})

describe('triggers become cases', () => {
  test('one per query, counted from 1, after the other cases', async () => {
    const suite = await readValid(`
defaults: {trials: 2, input: never, expected: {skills: [x]}, each: [{a: 1}], mock: [{final_answer: x}]}
triggers:
  csv-analyzer:
    should: [sum my csv, "count {{rows}}"]
    should_not: [fill a form]
`)
    const shared = { tags: [], trials: 2, pass_threshold: 1, triggerOnly: true, mock: [{ final_answer: 'x' }] }
    const includes = { skills: { includes: ['csv-analyzer'] } }
    expect(suite.cases.map((one) => one.kind === 'case' && one.case)).toEqual([
      { ...shared, id: 'trigger/csv-analyzer/should/1', input: ['sum my csv'], expected: includes, line: 5 },
      { ...shared, id: 'trigger/csv-analyzer/should/2', input: ['count {{rows}}'], expected: includes, line: 5 },
      {
        ...shared,
        id: 'trigger/csv-analyzer/should_not/1',
        input: ['fill a form'],
        expected: { skills: { excludes: ['csv-analyzer'] } },
        line: 6,
      },
    ])
  })

  test('ids hold what ids may hold, and stay unique', async () => {
    const suite = await readValid(
      'triggers: {"a b": {should: [x]}, "a:b": {should: [x]}, a-b-2: {should: [x]}, "..": {should: [x]}}\n',
    )
    expect(suite.cases.map((one) => one.kind === 'case' && one.case.id)).toEqual([
      'trigger/a-b/should/1',
      'trigger/a-b-2/should/1',
      'trigger/a-b-2-2/should/1',
      'trigger/skill/should/1',
    ])
  })

  test('an id that a case has already is told at the query', async () => {
    const { told } = await read('cases:\n  - {id: trigger/csv/should/1, input: x}\ntriggers: {csv: {should: [x]}}\n')
    expect(told).toEqual([
      '3:27 suite/duplicate-id duplicate id: `trigger/csv/should/1` is already used in line 2 → Ids are unique within a suite: results, recordings and filters go by them.',
    ])
  })
})

describe('rows of a case are filled in', () => {
  test('inline rows and paths are kept for the run', async () => {
    const suite = await readValid(`
defaults: {tags: [t]}
cases:
  - {id: "q-{{n}}", input: "{{q}}", each: [{n: 1, q: one}, {n: 2, q: two}]}
  - {id: b, input: "{{q}}", each: rows.jsonl}
`)
    expect(suite.cases).toEqual([
      {
        kind: 'each',
        id: 'q-{{n}}',
        template: { tags: ['t'], id: 'q-{{n}}', input: '{{q}}' },
        texts: [['input']],
        rows: [
          { n: 1, q: 'one' },
          { n: 2, q: 'two' },
        ],
        line: 4,
      },
      {
        kind: 'each',
        id: 'b',
        template: { tags: ['t'], id: 'b', input: '{{q}}' },
        texts: [['input']],
        rows: 'rows.jsonl',
        line: 5,
      },
    ])
  })

  const rows = (more: string, each: string) =>
    `cases:\n  - id: "q-{{n}}"\n    input: x\n    ${more}\n    each:\n      ${each}\n`

  test.each<[behaviour: string, yaml: string, told: string[]]>([
    ['a placeholder may stand for a value of any type', rows('trials: "{{t}}"', '- {n: 1, t: 2}'), []],
    [
      'where only a text is taken, a number means its digits',
      rows('expected: {output: [{contains: "{{t}}"}]}\n    mock: [{read_file: "{{t}}"}]', '- {n: 1, t: 2}'),
      [],
    ],
    ['and for a whole part of the case', rows('expected: "{{e}}"', '- {n: 1, e: {skills: []}}'), []],
    [
      'a value that is not valid is told at the value',
      rows('trials: "{{t}}"', '- {n: 1, t: 2}\n      - {n: 2, t: two}'),
      ['7:19 suite/type row 2: `trials`: expected a number or a map, got the string "two"'],
    ],
    [
      'also one that stands within a text',
      rows('expected: {output: [{regex: "a{{r}}"}]}', '- {n: 1, r: (}'),
      ['6:19 suite/regex row 1: not a regular expression: Unterminated group'],
    ],
    [
      'an id of a row must be one that ids may be',
      rows('trials: 1', '- {n: "1 2"}'),
      ['6:13 suite/format row 1: `id`: may have letters, digits and - _ . /, got the string "q-1 2"'],
    ],
    [
      'and unique',
      rows('trials: 1', '- {n: 1}\n      - {n: 1}'),
      [
        '7:13 suite/duplicate-id row 2: duplicate id: `q-1` is already used in line 6 → Ids are unique within a suite: results, recordings and filters go by them.',
      ],
    ],
    [
      'a placeholder that no row has is unknown',
      rows('description: "{{nn}}"', '- {n: 1}\n      - {n: 2}'),
      ['4:18 suite/unknown-placeholder unknown placeholder `{{nn}}`: no row has that column → Did you mean `{{n}}`?'],
    ],
    [
      'a row that lacks a column is told',
      rows('description: "{{nn}}"', '- {n: 1, nn: 1}\n      - {n: 2}\n      - {n: 3}'),
      ['7:9 suite/unknown-placeholder row 2: the row has no column `nn`, nor have 1 others → Did you mean `{{n}}`?'],
    ],
    ['a row is a map', rows('trials: 1', '- 5'), ['6:9 suite/type `each[0]`: expected a map, got the number 5']],
    ['no rows make no case', rows('trials: 1', '[]'), ['6:7 suite/no-rows `each` has no rows: the case is never made']],
    [
      'a mistake that no row can mend is told once, at the case',
      rows('constraints: {max_turn: 1}', '- {n: 1}\n      - {n: 2}'),
      ['4:19 suite/unknown-key unknown key `max_turn` in `constraints` → Did you mean `max_turns`?'],
    ],
  ])('%s', async (_, yaml, told) => {
    expect((await read(yaml)).told).toEqual(told)
  })
})

describe('what is wrong is told with its place and the way out', () => {
  test.each<[behaviour: string, yaml: string, told: string[]]>([
    [
      'an unknown key',
      'expectd: {skills: []}',
      ['4:5 suite/unknown-key unknown key `expectd` → Did you mean `expected`?'],
    ],
    [
      'a key of another map',
      'max_turns: 3',
      ['4:5 suite/unknown-key unknown key `max_turns` → `max_turns` belongs under `constraints`.'],
    ],
    [
      'a key of the suite',
      'thresholds: {}',
      ['4:5 suite/unknown-key unknown key `thresholds` → `thresholds` belongs at the top of the suite.'],
    ],
    [
      'a key of the case within a map of it',
      'constraints: {trials: 3}',
      ['4:19 suite/unknown-key unknown key `trials` in `constraints` → `trials` belongs to the case itself.'],
    ],
    [
      'a judge',
      'expected: {output: [{rubric: [x], judges: 0, not: true}]}',
      [
        expect.stringMatching(/^4:47 suite\/range `expected.output\[0\].judges`: must be at least 1/),
        expect.stringMatching(/^4:55 suite\/\S+ .*not go with rubric/),
      ],
    ],
    ['distractors', 'distractors: 3', [expect.stringMatching(/^4:5 suite\/unknown-key unknown key `distractors`/)]],
    ['no trial at all', 'trials: 0', ['4:13 suite/range `trials`: must be at least 1, got the number 0']],
    [
      'a share that is none',
      'pass_threshold: 1.5',
      ['4:21 suite/range `pass_threshold`: must be at most 1, got the number 1.5'],
    ],
    ['half a trial', 'trials: 1.5', ['4:13 suite/type `trials`: expected a whole number or a map, got the number 1.5']],
    [
      'a number in quotes',
      'trials: "3"',
      ['4:13 suite/type `trials`: expected a number or a map, got the string "3" → Remove the quotes.'],
    ],
    [
      'a value that is missing',
      'description:',
      ['4:17 suite/type `description`: expected a string, got nothing → Give it a value, or remove the key.'],
    ],
    [
      'a destination outside the workspace',
      'files: {../x: {text: a}}',
      [
        '4:13 suite/path the path has "..", which would leave the folder → Paths in the workspace are relative, with forward slashes.',
      ],
    ],
    [
      'an absolute destination',
      'files: {/x: {text: a}}',
      [
        '4:13 suite/path the path is absolute: give a relative one → Paths in the workspace are relative, with forward slashes.',
      ],
    ],
    [
      'a backslash',
      "files: {'a\\b': {text: a}}",
      [
        '4:13 suite/path the path has a backslash: use forward slashes → Paths in the workspace are relative, with forward slashes.',
      ],
    ],
    [
      'a NUL',
      'files: {"a\\0": {text: a}, b: "c\\0"}',
      [
        '4:13 suite/path the path has a control character → Paths in the workspace are relative, with forward slashes.',
        '4:34 suite/path the path of the fixture has a control character → A plain text is the path of a fixture, relative to the suite; content is written `{text: "…"}`.',
      ],
    ],
    [
      'the configuration folder',
      'files: {.agent/config.json: {text: a}}',
      [
        '4:13 suite/path the path is below .agent, which is kept for the configuration → Paths in the workspace are relative, with forward slashes.',
      ],
    ],
    [
      'two destinations that are one',
      'files: {a: {text: a}, ./a: {text: b}}',
      [
        '4:27 suite/path the path names the same file as `a` → Paths in the workspace are relative, with forward slashes.',
      ],
    ],
    [
      'a file that is neither text nor json',
      'files: {a: {txt: x}}',
      ['4:17 suite/unknown-key unknown key `txt` in `files.a` → Did you mean `text`?'],
    ],
    ['a file that says nothing', 'files: {a: {}}', ['4:16 suite/missing-key needs `text` or `json` in `files.a`']],
    [
      'an expected file outside the workspace',
      'expected: {files: [{path: ../x}]}',
      [
        '4:31 suite/path the path has "..", which would leave the folder → Paths in the workspace are relative, with forward slashes.',
      ],
    ],
    [
      'a glob that can not be read',
      'expected: {files: [{path: "{a..{b,"}]}',
      [expect.stringMatching(/^4:31 suite\/path the pattern can not be read/)],
    ],
    [
      'an unknown action in a mock',
      'mock: [{run_scrpt: {}}]',
      ['4:13 suite/unknown-key unknown key `run_scrpt` in `mock[0]` → Did you mean `run_script`?'],
    ],
    [
      'two actions in one map',
      'mock: [{grep: x, list_dir: .}]',
      ['4:12 suite/rule `mock[0]`: is one action: {action type: parameters}'],
    ],
    [
      'a parameter that the action does not have',
      'mock: [{read_file: {pth: x}}]',
      ['4:25 suite/unknown-key read_file: unknown key `pth` → Did you mean `path`?'],
    ],
    [
      'a parameter of the wrong type',
      'mock: [{run_script: {skill: csv, path: x, args: -v}}]',
      ['4:53 suite/type run_script: `args`: expected a list, got the string "-v" → Write a list: [ … ].'],
    ],
    [
      'a short form that is not enough',
      'mock: [{load_resource: a.md}]',
      ['4:28 suite/missing-key load_resource: missing key `skill`'],
    ],
    [
      'an action of a rule',
      'mock: {rules: [{when: {}, do: [{grep: {}}]}], otherwise: [{grep: ""}]}',
      ['4:43 suite/missing-key grep: missing key `pattern`', '4:70 suite/range grep: `pattern`: must not be empty'],
    ],
    [
      'a regular expression of a rule',
      'mock: {rules: [{when: {input: /a(/}, do: [x: 1]}]}',
      [
        expect.stringMatching(/^4:35 suite\/regex not a regular expression/),
        expect.stringMatching(/^4:47 suite\/unknown-key unknown key `x` in `mock.rules\[0\].do\[0\]`/),
      ],
    ],
    [
      'an unknown action in a pattern',
      'expected: {actions: {never: [netwrk_request]}}',
      [
        '4:34 suite/unknown-value `expected.actions.never[0]`: the string "netwrk_request" is not known here → Did you mean `network_request`?',
      ],
    ],
    [
      'an unknown action in a short pattern',
      'expected: {actions: {never: [{run_scrpt: x}]}}',
      ['4:35 suite/unknown-key unknown key `run_scrpt` in `expected.actions.never[0]` → Did you mean `run_script`?'],
    ],
    [
      'an unknown action in a full pattern',
      'expected: {actions: {never: [{action: run_scrpt}]}}',
      [
        '4:43 suite/unknown-value `expected.actions.never[0].action`: the string "run_scrpt" is not known here → Did you mean `run_script`?',
      ],
    ],
    [
      'a parameter that no action has is a warning',
      'expected: {actions: {never: [{action: grep, patern: x}]}}',
      ["4:49 suite/unknown-parameter grep has no `patern`: the pattern can't match → Did you mean `pattern`?"],
    ],
    [
      'an operator that no pattern can have',
      'expected: {actions: {never: [{action: grep, output: {headings: [x]}}]}}',
      ["4:58 suite/pattern `headings` can't be used in a pattern of an action"],
    ],
    [
      'an unknown action rule',
      'expected: {actions: {inorder: [grep]}}',
      ['4:26 suite/unknown-key unknown key `inorder` in `expected.actions` → Did you mean `in_order`?'],
    ],
    [
      'a count without a number',
      'expected: {actions: {count: [{of: grep}]}}',
      ['4:34 suite/rule `expected.actions.count[0]`: needs min, max or equals'],
    ],
    [
      'a count that nothing meets',
      'expected: {actions: {count: [{of: grep, min: 2, max: 1}, {of: grep, min: 2, equals: 1}]}}',
      [
        '4:50 suite/contradiction `min` (2) is more than `max` (1): nothing can hold',
        '4:89 suite/contradiction `equals: 1` is outside of `min` and `max`: no count holds',
      ],
    ],
    [
      'an unknown operator',
      'expected: {output: [{contain: x}]}',
      ['4:26 suite/unknown-key unknown key `contain` in `expected.output[0]` → Did you mean `contains`?'],
    ],
    [
      'no operator',
      'expected: {output: [{name: x}]}',
      [expect.stringMatching(/^4:25 suite\/rule `expected.output\[0\]`: needs an operator: one of equals, contains/)],
    ],
    [
      'two operators',
      'expected: {output: [{contains: x, equals: y}]}',
      ['4:25 suite/rule `expected.output[0]`: has 2 operators (equals, contains): write one check for each'],
    ],
    [
      'a key that goes with another operator',
      'expected: {output: [{contains: x, tolerance: 1}]}',
      ['4:50 suite/rule `expected.output[0].tolerance`: tolerance goes with json_equals only'],
    ],
    [
      'a regular expression',
      'expected: {output: [{regex: "a("}]}',
      ['4:33 suite/regex not a regular expression: Unterminated group'],
    ],
    [
      'a length that nothing has',
      'expected: {output: [{length: {min: 3, max: 2}}]}',
      ['4:40 suite/contradiction `min` (3) is more than `max` (2): nothing can hold'],
    ],
    [
      'a JSON Schema',
      'expected: {output: [{json_schema: {type: strin}}]}',
      [expect.stringMatching(/^4:39 suite\/json-schema not a JSON Schema: /)],
    ],
    [
      'a JSONPath',
      'expected: {output: [{json_path: {path: "$[[", equals: 1}}]}',
      [expect.stringMatching(/^4:44 suite\/json-path not a JSONPath: /)],
    ],
    [
      'an operator below a JSONPath',
      'expected: {output: [{json_path: {path: $.a, equal: 1}}]}',
      ['4:49 suite/unknown-key unknown key `equal` in `expected.output[0].json_path` → Did you mean `equals`?'],
    ],
    [
      'a check of a file',
      'expected: {files: [{path: a, checks: [{regex: "("}]}]}',
      [expect.stringMatching(/^4:51 suite\/regex /)],
    ],
    [
      'the schema of a double',
      'tools: {t: {returns: 1, input_schema: {type: strin}}}',
      [expect.stringMatching(/^4:43 suite\/json-schema /)],
    ],
    [
      'the pattern of a double',
      'tools: {t: {when: [{input: {q: {regex: "("}}, returns: 1}]}}',
      [expect.stringMatching(/^4:44 suite\/regex /)],
    ],
    [
      'a double that says nothing',
      'tools: {t: {description: x}}',
      ['4:16 suite/rule `tools.t`: needs exactly one of returns, returns_each, when, error'],
    ],
    [
      'a name that no tool may have',
      'tools: {"a b": {returns: 1}}',
      ['4:13 suite/format `tools["a b"]`: must be letters, digits, _ . -'],
    ],
    [
      'a skill that must and must not be selected',
      'expected: {skills: {includes: [a, b], excludes: [b]}}',
      ['4:54 suite/contradiction `b` is in `includes` and in `excludes`'],
    ],
    [
      'a plan that is not asked to be complete',
      'expected: {plan: {completed: some}}',
      ['4:34 suite/unknown-value `expected.plan.completed`: expected all, got the string "some"'],
    ],
    [
      'a number that JSON does not have',
      'expected: {output: [{equals: .inf}]}',
      [
        "4:34 suite/range `cases[0].expected.output[0].equals`: a number that is not finite can't be kept → Put it in quotes if the text is meant.",
      ],
    ],
  ])('%s', async (_, yaml, told) => {
    expect((await read(oneCase(yaml))).told).toEqual(told)
  })

  test.each<[behaviour: string, yaml: string, told: string[]]>([
    [
      'an unknown key at the top',
      `skill: [x]\n${oneCase('')}`,
      ['1:1 suite/unknown-key unknown key `skill` → Did you mean `skills`?'],
    ],
    [
      'a key of a case at the top',
      `trials: 3\n${oneCase('')}`,
      ['1:1 suite/unknown-key unknown key `trials` → `trials` belongs in a case, under `cases`, or in `defaults`.'],
    ],
    [
      'a key of constraints at the top',
      `max_turns: 3\n${oneCase('')}`,
      ['1:1 suite/unknown-key unknown key `max_turns` → `max_turns` belongs under `constraints`.'],
    ],
    [
      'a model named twice',
      `model: [a, b, a]\n${oneCase('')}`,
      ['1:15 suite/duplicate-model `model`: a is named twice'],
    ],
    [
      'an unknown threshold',
      `thresholds: {pass_rat: 1}\n${oneCase('')}`,
      ['1:14 suite/unknown-key unknown key `pass_rat` in `thresholds` → Did you mean `pass_rate`?'],
    ],
    [
      'an unknown side of a trigger',
      'triggers: {csv: {shoud: [x]}}\n',
      ['1:18 suite/unknown-key unknown key `shoud` in `triggers.csv` → Did you mean `should`?'],
    ],
    ['a case without an id', 'cases:\n  - input: x\n', ['2:5 suite/missing-key missing key `id`']],
    [
      'a case without an input',
      'cases:\n  - id: x\n    inputs: y\n',
      ['3:5 suite/unknown-key unknown key `inputs` → Did you mean `input`?'],
    ],
    [
      'an id with a blank',
      'cases:\n  - {id: a b, input: x}\n',
      ['2:10 suite/format `id`: may have letters, digits and - _ . /, got the string "a b"'],
    ],
    [
      'an id that leaves its folder',
      'cases:\n  - {id: a/../b, input: x}\n',
      ['2:10 suite/format `id`: may not have `.` or `..` between slashes'],
    ],
    [
      'an input that is no text',
      'cases:\n  - {id: a, input: [1]}\n',
      ['2:21 suite/type `input[0]`: expected a string, got the number 1 → Put it in quotes: "1".'],
    ],
    [
      'an input without a text',
      'cases:\n  - {id: a, input: []}\n',
      ['2:20 suite/range `input`: needs at least one entry'],
    ],
    [
      'two cases of one id, with the place of the first',
      'cases:\n  - {id: a, input: x}\n  - {id: a, input: y}\n',
      [
        '3:10 suite/duplicate-id duplicate id: `a` is already used in line 2 → Ids are unique within a suite: results, recordings and filters go by them.',
      ],
    ],
    [
      'a case that is no map',
      'cases: [just a text]\n',
      ['1:9 suite/type a case is a map, got the string "just a text"'],
    ],
    ['cases that are no list', 'cases: {a: 1}\n', ['1:8 suite/type `cases`: expected a list, got a map']],
    ['a suite that is no map', '- a\n', ['1:1 suite/type a suite is a map with `cases`, got a list']],
    ['YAML that is broken', 'cases: [\n', [expect.stringMatching(/^2:1 suite\/yaml-syntax /)]],
  ])('%s', async (_, yaml, told) => {
    expect((await read(yaml)).told).toEqual(told)
  })

  test.each(['', 'name: x\n', 'cases:\n', 'cases: []\n', '# only a comment\n', 'cases: []\ntriggers:\n'])(
    'a skeleton is a suite with a warning: %j',
    async (yaml) => {
      const { suite, told } = await read(yaml)
      expect([suite?.cases, told]).toEqual([
        [],
        ['1:1 suite/no-cases the suite has no cases → Write them under `cases` or `triggers`.'],
      ])
    },
  )

  test('more cases than a file should have are a warning that shows the way out', async () => {
    const many = Array.from({ length: 5_001 }, (_, i) => `  - {id: c${i}, input: x}`).join('\n')
    const { suite, told } = await read(`cases:\n${many}\n`)
    expect([suite?.cases.length, told]).toEqual([
      5_001,
      [
        '1:1 suite/too-many-cases 5001 cases in one file take long to read → Write one case with `each: rows.jsonl`: rows are read as they are needed.',
      ],
    ])
  })
})
