import { describe, expect, test } from 'vitest'
import { head, pack, project } from './support/cli.ts'
import { expectVerdicts, sharedSuite, trialOf, type Verdict } from './support/shared-suite.ts'

const answered = (id: string, answer: string, checks: string, more = '') =>
  `  - {id: ${id}, input: x, mock: [{final_answer: ${JSON.stringify(answer)}}], expected: {output: [${checks}]}${more}}\n`

describe('checks', () => {
  const { behaviour } = sharedSuite({
    files: {
      'evals/schema.json': '{"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "number"}}}',
      'evals/graders/contains.sh': '#!/usr/bin/env bash\ngrep -q "$1"\n',
      'evals/graders/env.sh':
        '#!/usr/bin/env bash\ngrep -q \'"action": "list_dir"\' "$SKILLS_EVAL_TRIAL" && test -f in.txt && test "$PWD" = "$WORKSPACE"\n',
      'evals/graders/json.sh': '#!/usr/bin/env bash\ncat "$SKILLS_EVAL_TRIAL" >/dev/null\ncat\n',
      'evals/graders/slow.sh': '#!/usr/bin/env bash\nsleep 30\n',
      'evals/graders/check.py': '#!/usr/bin/env python3\nimport sys\nsys.exit(0 if "ok" in sys.stdin.read() else 4)\n',
    },
  })

  /** Answers with a check that holds for each, and answers with one that does not, with what is said then. */
  const operator = (
    title: string,
    holds: readonly (readonly [string, string])[],
    fails: readonly (readonly [string, string, RegExp])[],
  ): void => {
    const name = title.replace(/[^a-z]+/gi, '-').slice(0, 40)
    const cases = [
      ...holds.map(([answer, check], i) => ({ id: `${name}/holds/${i}`, answer, check, verdict: 'passed' as Verdict })),
      ...fails.map(([answer, check, why], i) => ({ id: `${name}/fails/${i}`, answer, check, verdict: why as Verdict })),
    ]
    behaviour(
      title,
      cases.map(({ id, answer, check }) => answered(id, answer, `{${check}}`)).join(''),
      Object.fromEntries(cases.map(({ id, verdict }) => [id, verdict])),
    )
  }

  operator(
    'equals: is this string, with ignore_case and trim',
    [
      ['Paris', 'equals: Paris'],
      ['PARIS', 'equals: paris, ignore_case: true'],
      ['  Paris\n', 'equals: Paris, trim: true'],
      ['a\nb\n', 'equals: "a\\nb\\n"'],
      ['', 'equals: ""'],
    ],
    [
      ['Paris!', 'equals: Paris', /equals/],
      ['paris', 'equals: Paris', /paris/],
      [' Paris', 'equals: Paris', /equals/],
    ],
  )

  operator(
    'contains, contains_all, contains_any: has this string, all of these, any of these',
    [
      ['in March', 'contains: March'],
      ['in MARCH', 'contains: march, ignore_case: true'],
      ['Feb, Mar', 'contains_all: [Mar, Feb]'],
      ['Feb', 'contains_any: [Mar, Feb]'],
    ],
    [
      ['in march', 'contains: March', /March/],
      ['Feb', 'contains_all: [Mar, Feb]', /Mar/],
      ['Jan', 'contains_any: [Mar, Feb]', /Mar/],
    ],
  )

  operator(
    'starts_with, ends_with',
    [
      ['Dear all', 'starts_with: Dear'],
      ['all the best', 'ends_with: best'],
    ],
    [
      ['O Dear', 'starts_with: Dear', /starts_with|start/],
      ['best wishes', 'ends_with: best', /ends_with|end/],
    ],
  )

  operator(
    'regex: matches this regular expression, bare or /…/flags, and no pattern can hang a run',
    [
      ['took 12 ms', 'regex: "\\\\d+ ms"'],
      ['A\nB', 'regex: "/^b$/im"'],
      [`${'a'.repeat(50_000)}b`, 'regex: "(a+)+b$"'],
    ],
    [
      ['took long', 'regex: "\\\\d+ ms"', /no match.*took long/],
      ['A', 'regex: "^a$"', /no match/],
      [`${'a'.repeat(50_000)}!`, 'regex: "^(a+)+$"', /no match/],
    ],
  )

  operator(
    'length: of chars, words or lines, at least min and at most max',
    [
      ['12345', 'length: {min: 5, max: 5}'],
      ['one two', 'length: {max: 2, unit: words}'],
      ['a\nb\nc', 'length: {min: 3, max: 3, unit: lines}'],
      ['ééé', 'length: {max: 3}'],
      ['😀😀', 'length: {max: 2}'],
    ],
    [
      ['1234', 'length: {min: 5}', /4/],
      ['one two three', 'length: {max: 2, unit: words}', /3/],
      ['a\nb', 'length: {min: 3, unit: lines}', /2/],
    ],
  )

  operator(
    'is_json: parses as JSON, also a fenced block in prose',
    [
      ['{"a": 1}', 'is_json: true'],
      ['Here it is:\n\n```json\n{"a": 1}\n```\nDone.', 'is_json: true'],
      ['no JSON', 'is_json: false'],
    ],
    [
      ['{"a": }', 'is_json: true', /JSON/],
      ['not JSON', 'is_json: true', /JSON/],
      ['[1]', 'is_json: false', /JSON/],
    ],
  )

  operator(
    'json_schema: inline or a path; all errors are listed with their pointers',
    [
      ['{"a": 1, "b": 2}', 'json_schema: schema.json'],
      ['[1, "x"]', 'json_schema: {type: array, prefixItems: [{type: number}, {type: string}], items: false}'],
      ['```json\n{"a": 1, "b": 2}\n```', 'json_schema: schema.json'],
    ],
    [
      ['{"a": "x"}', 'json_schema: schema.json', /(?=[\s\S]*\/a)(?=[\s\S]*"?b"?)/],
      ['[1, "x", 2]', 'json_schema: {type: array, prefixItems: [{}, {}], items: false}', /more than 2 items/],
      ['{"a":', 'json_schema: schema.json', /JSON/],
    ],
  )

  operator(
    'json_equals: deep-equals, with ignore, tolerance and unordered',
    [
      ['{"b": [1, 2], "a": null}', 'json_equals: {a: null, b: [1, 2]}'],
      ['{"a": 1, "at": 5}', 'json_equals: {a: 1, at: 0}, ignore: [/at]'],
      ['{"a": 0.30000000001}', 'json_equals: {a: 0.3}, tolerance: 1e-6'],
      ['{"a": [2, 1]}', 'json_equals: {a: [1, 2]}, unordered: [/a]'],
      ['[2, 1]', 'json_equals: [1, 2], unordered: [""]'],
    ],
    [
      ['{"a": 1}', 'json_equals: {a: 2}', /a/],
      ['{"a": 1, "b": 2}', 'json_equals: {a: 1}', /b/],
      ['{"a": [2, 1]}', 'json_equals: {a: [1, 2]}', /a/],
      ['{"a": 0.4}', 'json_equals: {a: 0.3}, tolerance: 1e-6', /0\.4/],
      ['{"a": 2, "at": 5}', 'json_equals: {a: 1, at: 0}, ignore: [/at]', /a/],
    ],
  )

  operator(
    'json_path: the selected values satisfy the operator',
    [
      ['{"rows": [{"n": 1}, {"n": 2}]}', 'json_path: {path: "$.rows[1].n", equals: 2}'],
      ['{"rows": [{"n": "ab"}, {"n": "ac"}]}', 'json_path: {path: "$.rows[*].n", starts_with: a}'],
      ['{"rows": [{"n": 1}]}', 'json_path: {path: "$.rows[?@.n > 0]", json_schema: {required: [n]}}'],
    ],
    [
      ['{"rows": [{"n": 1}]}', 'json_path: {path: "$.rows[0].n", equals: 2}', /2/],
      ['{"rows": [{"n": "ab"}, {"n": "bc"}]}', 'json_path: {path: "$.rows[*].n", starts_with: a}', /bc|\[1\]/],
      ['{"rows": []}', 'json_path: {path: "$.rows[*].n", equals: 1}', /nothing|no value|selects/],
      ['no JSON', 'json_path: {path: "$.a", equals: 1}', /JSON/],
    ],
  )

  operator(
    'similar: by levenshtein, rouge_l or token_f1, at least so much',
    [
      ['kitten', 'similar: {to: sitten, at_least: 0.8, by: levenshtein}'],
      ['the cat sat on the mat', 'similar: {to: the cat lay on the mat, at_least: 0.8, by: rouge_l}'],
      ['mat the on sat cat the', 'similar: {to: the cat sat on the mat, at_least: 1, by: token_f1}'],
      ['same', 'similar: {to: same, at_least: 1}'],
    ],
    [
      ['kitten', 'similar: {to: sitting, at_least: 0.8, by: levenshtein}', /0\.\d+/],
      ['mat the on sat cat the', 'similar: {to: the cat sat on the mat, at_least: 0.8, by: rouge_l}', /0\.\d+/],
      ['dogs', 'similar: {to: the cat, at_least: 0.1, by: token_f1}', /0/],
    ],
  )

  operator(
    'headings: has these Markdown headings in this order',
    [
      ['# Report\n\ntext\n\n## Summary\n\n### Deep\n\n## Risks\n', 'headings: [Report, Summary, Risks]'],
      ['Report\n======\n\nRisks\n-----\n', 'headings: [Report, Risks]'],
      ['# REPORT', 'headings: [report], ignore_case: true'],
    ],
    [
      ['# Risks\n\n# Report\n', 'headings: [Report, Risks]', /Risks/],
      ['```\n# Report\n```\n', 'headings: [Report]', /Report/],
      ['Report', 'headings: [Report]', /Report/],
    ],
  )

  operator(
    'script: exits 0 with the answer on its input, or prints its verdict',
    [
      ['all ok', 'script: {run: graders/contains.sh, args: [ok]}'],
      ['all ok', 'script: {run: graders/check.py}'],
      ['{"score": 0.5, "pass": true, "message": "fair"}', 'script: {run: graders/json.sh}'],
    ],
    [
      ['nothing', 'script: {run: graders/contains.sh, args: [ok]}', /contains\.sh/],
      ['{"score": 0.25, "pass": false, "message": "too short"}', 'script: {run: graders/json.sh}', /too short/],
    ],
  )

  behaviour(
    'script: runs in the workspace with the trajectory as a file, and its score and checks are kept',
    `
  - id: script-env
    input: x
    files: {in.txt: {text: A}}
    mock: [{list_dir: .}, {final_answer: ok}]
    expected: {output: [{script: {run: graders/env.sh}}]}
${answered('script-parts', '{"score": 0.5, "pass": true, "checks": [{"name": "tone", "pass": false, "message": "rude"}]}', '{script: {run: graders/json.sh}}')}
${answered('script-timeout', 'x', '{script: {run: graders/slow.sh, timeout_seconds: 0.2}}')}
${answered('script-broken-verdict', '{"score": 7}', '{script: {run: graders/json.sh}}')}`,
    (run) => {
      expectVerdicts(run, {
        'script-env': 'passed',
        'script-parts': 'passed',
        'script-timeout': ['error', /grader_error/],
        'script-broken-verdict': ['error', /grader_error/],
      })
      const parts = trialOf(run, 'script-parts')
      expect(JSON.stringify(parts.checks)).not.toContain('/tmp/')
      expect(parts.score).toBe(1)
      expect(parts.checks).toMatchObject([
        { kind: 'script', passed: true, score: 0.5, weight: 1 },
        { name: expect.stringContaining('tone'), passed: false, weight: 0, message: 'rude' },
      ])
    },
  )

  behaviour(
    'not: turns any check around',
    answered('not', 'Paris', '{contains: Rome, not: true}, {regex: "^R", not: true}, {json_schema: true, not: true}') +
      answered('not-not', 'Paris', '{contains: Paris, not: true}'),
    { not: 'passed', 'not-not': /contains/ },
  )

  behaviour(
    'name and weight: the score is the weighted share of checks that hold, beside the verdict',
    answered('weights', 'Paris', '{contains: Paris, weight: 3, name: names the city}, {contains: France}') +
      answered('no-weights', 'Paris', '{contains: Paris}, {contains: France}') +
      answered('all', 'Paris', '{contains: Paris, weight: 0.1}') +
      answered('no-checks', 'Paris', '').replace('output: []', 'output: [{length: {min: 0}}]'),
    (run) => {
      const of = (id: string) => ({ status: run.of(id).status, score: trialOf(run, id).score })
      expect(of('weights')).toEqual({ status: 'failed', score: 0.75 })
      expect(of('no-weights')).toEqual({ status: 'failed', score: 0.5 })
      expect(of('all')).toEqual({ status: 'passed', score: 1 })
      expect(of('no-checks')).toEqual({ status: 'passed', score: 1 })
      expect(trialOf(run, 'weights').checks[0]).toMatchObject({ name: 'names the city', kind: 'contains', weight: 3 })
    },
  )

  behaviour(
    'json_equals: a failure shows a structural diff',
    answered('diff', '{"a": {"b": [1, 2, 3]}, "same": 1}', '{json_equals: {a: {b: [1, 9, 3]}, same: 1}}'),
    (run) => {
      const message = trialOf(run, 'diff').checks[0]?.message ?? ''
      expect(message).toMatch(/^\s*-.*9/m)
      expect(message).toMatch(/^\s*\+.*2/m)
    },
  )

  test('a check has exactly one operator, and each is checked where it stands', () => {
    using p = project({
      ...pack,
      'evals/t.eval.yaml': `${head}cases:\n  - id: a\n    input: x\n    expected:\n      output:
        - {contains: a, equals: b}
        - {name: nothing}
        - {contain: a}
        - {regex: "("}
        - {json_path: {path: "$[", equals: 1}}
        - {json_schema: {type: strin}}
        - {contains: a, tolerance: 1}
        - {similar: {to: a, at_least: 2}}
        - {length: {min: 3, max: 1}}
        - {json_equals: 1, ignore: [a]}
        - {headings: []}
        - {weight: 0, contains: a}
`,
    })
    const { code, err } = p.cli(['run'])
    expect(code).toBe(2)
    const said = [
      /has 2 operators \(equals, contains\)/,
      /needs an operator/,
      /Did you mean `contains`/,
      /not a regular expression/,
      /JSONPath/,
      /strin/,
      /tolerance goes with json_equals/,
      /at most 1/,
      /nothing can hold/,
      /JSON Pointer/,
      /headings/,
      /weight/,
    ]
    for (const [i, why] of said.entries()) {
      const block = err.split('\n\n').filter((text) => text.includes(`t.eval.yaml:${9 + i}:`))
      expect(block.join('\n'), `line ${9 + i}`).toMatch(why)
    }
  })

  test('schemas and graders must be there, inside the project', () => {
    using p = project({
      ...pack,
      'package.json': '{}',
      'evals/graders/check.py': '#!/usr/bin/env python3\n',
      'evals/broken.json': '{"type": ',
      'evals/t.eval.yaml': `${head}cases:\n  - id: a\n    input: x\n    expected:\n      output:
        - {json_schema: shema.json}
        - {json_schema: broken.json}
        - {script: {run: graders/chek.py}}
        - {script: {run: /bin/true}}
`,
    })
    const { code, err } = p.cli(['run'])
    expect(code).toBe(2)
    expect(err).toMatch(/t\.eval\.yaml:9:/)
    expect(err).toMatch(/t\.eval\.yaml:10:|broken\.json:1/)
    expect(err).toMatch(/chek\.py[\s\S]*t\.eval\.yaml:11:[\s\S]*check\.py/)
    expect(err).toMatch(/outside[\s\S]*t\.eval\.yaml:12:/)
  })
})

describe('expected.files', () => {
  const { behaviour } = sharedSuite({ files: { 'evals/schema.json': '{"required": ["a"]}' } })
  const c = (id: string, files: string) => `
  - id: ${id}
    input: x
    files: {kept.txt: {text: "kept\\n"}, changed.txt: {text: A}, data/in.json: {json: {a: 1}}}
    mock: [[{write_file: {path: changed.txt, content: B}}, {write_file: {path: out/a.md, content: "# One"}}, {write_file: {path: out/b.md, content: "# Two"}}], {final_answer: ok}]
    expected: {files: [${files}]}`

  behaviour(
    'exists: true or false',
    c('exists', '{path: out/a.md, exists: true}, {path: kept.txt}, {path: nothing.txt, exists: false}') +
      c('exists-not', '{path: nothing.txt, exists: true}') +
      c('exists-default', '{path: nothing.txt}') +
      c('exists-false-not', '{path: kept.txt, exists: false}'),
    {
      exists: 'passed',
      'exists-not': /nothing\.txt/,
      'exists-default': /nothing\.txt/,
      'exists-false-not': /kept\.txt/,
    },
  )

  behaviour(
    'unchanged: true',
    c('unchanged', '{path: kept.txt, unchanged: true}, {path: data/in.json, unchanged: true}') +
      c('unchanged-not', '{path: changed.txt, unchanged: true}') +
      c('unchanged-new', '{path: out/a.md, unchanged: true}') +
      c('unchanged-gone', '{path: nothing.txt, unchanged: true}'),
    {
      unchanged: 'passed',
      'unchanged-not': /changed\.txt/,
      'unchanged-new': /out\/a\.md/,
      'unchanged-gone': /nothing\.txt/,
    },
  )

  behaviour(
    'checks, or an operator directly, look at the content',
    c(
      'content',
      '{path: out/a.md, checks: [{contains: One}, {headings: [One]}]}, {path: data/in.json, json_schema: schema.json}',
    ) +
      c('content-direct', '{path: data/in.json, json_equals: {a: 1}}') +
      c('content-not', '{path: out/a.md, checks: [{contains: One}, {contains: Two}]}') +
      c('content-schema-not', '{path: data/in.json, json_schema: {required: [b]}}') +
      c('content-missing', '{path: nothing.txt, checks: [{length: {min: 0}}]}'),
    {
      content: 'passed',
      'content-direct': 'passed',
      'content-not': /Two/,
      'content-schema-not': /b/,
      'content-missing': /nothing\.txt/,
    },
  )

  behaviour(
    'path may be a glob: each file that matches is judged, and there must be one',
    c('glob', '{path: "out/*.md", contains: "# "}, {path: "**/*.txt", exists: true}, {path: "*.md", exists: false}') +
      c('glob-one-not', '{path: "out/*.md", contains: One}') +
      c('glob-none', '{path: "out/*.txt", length: {min: 0}}') +
      c('glob-exists-false', '{path: "out/**", exists: false}'),
    {
      glob: 'passed',
      'glob-one-not': /b\.md/,
      'glob-none': /out\/\*\.txt/,
      'glob-exists-false': /a\.md/,
    },
  )
})

describe('the verdict', () => {
  const { behaviour } = sharedSuite()

  behaviour(
    'a trial passes when every check, constraint and action rule holds',
    ['output', 'actions', 'skills', 'files', 'constraints', 'plan', 'nothing']
      .map((wrong) => {
        const expect = (right: string, other: string, part: string) => (part === wrong ? other : right)
        return `
  - id: wrong-${wrong}
    input: x
    mock: [{select_skills: csv-analyzer}, {update_plan: {steps: [{id: a, title: A, status: completed}]}}, {write_file: {path: a.txt, content: A}}, {final_answer: ok}]
    constraints: {forbidden_tools: [${expect('delete_file', 'write_file', 'constraints')}]}
    expected:
      output: [{equals: ${expect('ok', 'no', 'output')}}]
      actions: {never: [${expect('delete_file', 'select_skills', 'actions')}]}
      skills: [${expect('csv-analyzer', 'pdf-forms', 'skills')}]
      files: [{path: ${expect('a.txt', 'b.txt', 'files').replace('a.txt', wrong === 'constraints' ? 'b.txt, exists: false' : 'a.txt')}}]
      plan: {min_steps: ${expect('1', '2', 'plan')}}`
      })
      .join(''),
    (run) => {
      const failing = (id: string) => trialOf(run, id).checks.flatMap(({ kind, passed }) => (passed ? [] : [kind]))
      expect(run.of('wrong-nothing')).toMatchObject({ status: 'passed', trials: [{ score: 1 }] })
      for (const wrong of ['output', 'actions', 'skills', 'files', 'constraints', 'plan']) {
        expect(run.of(`wrong-${wrong}`).status, wrong).toBe('failed')
        expect(failing(`wrong-${wrong}`), wrong).toHaveLength(1)
      }
    },
  )

  behaviour(
    'a case that expects nothing passes when the agent has answered',
    `
  - {id: answered, input: x, mock: [{final_answer: ok}]}
  - {id: text, input: x, mock: [just text]}`,
    { answered: 'passed', text: 'passed' },
  )
})
