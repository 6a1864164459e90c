import { describe, expect, test } from 'vitest'
import { head, pack, project } from './support/cli.ts'
import { runJson, sharedSuite, trialOf } from './support/shared-suite.ts'

const observations = (run: Parameters<typeof trialOf>[0], id: string): string[] =>
  trialOf(run, id).actions.map(({ observation }) => observation)

describe('a case', () => {
  const { behaviour } = sharedSuite({
    files: {
      'evals/rows.csv': 'word,n\nalpha,1\n"be,ta",2\n',
      'evals/rows.json': '[{"word": "json", "n": 2, "list": [1, 2], "map": {"a": null}}]',
      'evals/rows.jsonl': '{"word": "one", "n": 1}\n\n{"word": "two", "n": 2}\n',
      'evals/rows.yaml': '- {word: "yaml", n: 3}\n',
      'evals/data/folder/a.txt': 'A\n',
      'evals/data/folder/deep/b.txt': 'B\n',
    },
  })

  behaviour(
    'id: letters, digits and -_./ are allowed',
    `
  - {id: A-z_0.9/x, input: x, mock: [{final_answer: ok}]}`,
    { 'A-z_0.9/x': 'passed' },
  )

  behaviour(
    'description and tags are in the result',
    `
  - {id: described, description: What it is for, tags: [smoke, slow], input: x, mock: [{final_answer: ok}]}`,
    (run) => {
      expect(run.of('described')).toMatchObject({ description: 'What it is for', tags: ['smoke', 'slow'] })
    },
  )

  behaviour(
    "input: a string is the user's request; a list is a conversation, each entry sent after the answer before it",
    `
  - id: request
    input: please look at this CSV
    mock: {rules: [{when: {input: this csv}, do: [{final_answer: seen}]}]}
    expected: {output: [{equals: seen}]}
  - id: conversation
    input: [first, second]
    mock:
      rules:
        - {when: {input: first, turn: 1}, do: [{list_dir: .}]}
        - {when: {input: first, turn: 2}, do: [{final_answer: one}]}
        - {when: {input: second, turn: 3}, do: [{final_answer: two}]}
    expected: {output: [{equals: two}], actions: {exactly: [list_dir, {final_answer: one}, {final_answer: two}]}}
  - id: conversation-cut
    input: [first, second]
    mock: [{final_answer: one}]`,
    { request: 'passed', conversation: 'passed', 'conversation-cut': ['error', /mock_exhausted/] },
  )

  behaviour(
    'each: the case is made once per row, from a list, .csv, .json, .jsonl or .yaml',
    `
  - {id: "list-{{word}}", each: [{word: a}, {word: b}], input: "say {{word}}", mock: [{final_answer: "{{word}}"}], expected: {output: [{equals: "{{word}}"}]}}
  - {id: "csv-{{n}}", each: rows.csv, input: x, mock: [{final_answer: "{{word}}"}], expected: {output: [{contains_any: [alpha, "be,ta"]}]}}
  - {id: "json-{{word}}", each: rows.json, input: x, mock: [{final_answer: "{{word}}"}], expected: {output: [{equals: json}]}}
  - {id: "jsonl-{{word}}", each: rows.jsonl, input: x, mock: [{final_answer: "{{word}}"}], expected: {output: [{equals: "{{word}}"}]}}
  - {id: "yaml-{{word}}", each: rows.yaml, input: x, mock: [{final_answer: "{{word}}"}], expected: {output: [{equals: yaml}]}}`,
    {
      'list-a': 'passed',
      'list-b': 'passed',
      'csv-1': 'passed',
      'csv-2': 'passed',
      'json-json': 'passed',
      'jsonl-one': 'passed',
      'jsonl-two': 'passed',
      'yaml-yaml': 'passed',
    },
  )

  behaviour(
    "each: {{column}} in any string is replaced, and a string that is only one placeholder takes the row's typed value",
    `
  - id: "typed-{{n}}"
    each: rows.json
    description: "{{word}} {{n}}"
    tags: ["{{word}}"]
    input: ["got {{word}}"]
    trials: "{{n}}"
    files: {"{{word}}.txt": {text: "{{word}}{{n}}"}, list.json: {json: "{{list}}"}}
    mock: [{read_file: "{{word}}.txt"}, {final_answer: {json: {n: "{{n}}", list: "{{list}}", map: "{{map}}", text: "n={{n}} list={{list}}"}}}]
    expected:
      actions: {in_order: [{action: read_file, output: {contains: json2}}]}
      output: [{json_equals: {n: 2, list: [1, 2], map: {a: null}, text: "n=2 list=[1,2]"}}]
      files: [{path: list.json, json_equals: [1, 2]}]`,
    (run) => {
      expect(run.of('typed-2')).toMatchObject({ status: 'passed', description: 'json 2', tags: ['json'] })
      expect(run.of('typed-2').trials).toHaveLength(2)
    },
  )

  behaviour(
    'files: a file, a folder, a text or JSON is laid into the workspace before the case runs',
    `
  - id: files
    input: x
    files: {sales.csv: ../fixtures/sales.csv, in: data/folder, deep/down/note.txt: {text: "hello\\n"}, data.json: {json: {a: [1, null]}}}
    mock: [{read_file: sales.csv}, {read_file: in/deep/b.txt}, {read_file: deep/down/note.txt}, {read_file: data.json}, {final_answer: ok}]
    expected: {files: [{path: data.json, json_equals: {a: [1, null]}}, {path: "in/**", exists: true}]}`,
    (run) => {
      expect(run.of('files').status).toBe('passed')
      const [csv, b, note, json] = observations(run, 'files')
      expect(csv).toContain('Feb,9')
      expect(b).toContain('B')
      expect(note).toContain('hello')
      expect(JSON.parse(json ?? '')).toEqual({ a: [1, null] })
    },
  )

  behaviour(
    "files: the workspace is the case's own and fresh for every trial",
    `
  - id: fresh
    input: x
    trials: 3
    files: {a.txt: {text: A}}
    mock: [{list_dir: .}, {write_file: {path: b.txt, content: B}}, {write_file: {path: a.txt, content: changed}}, {final_answer: ok}]
    expected: {files: [{path: b.txt, equals: B}, {path: a.txt, equals: changed}]}`,
    (run) => {
      expect(run.of('fresh').trials.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed'])
      const first = run.of('fresh').trials.map(({ actions }) => actions[0]?.observation)
      expect(new Set(first).size).toBe(1)
      expect(first[0]).not.toContain('b.txt')
    },
  )

  behaviour(
    'mock: a list is the turns in order, a nested list one turn with several actions; to run out of turns is an error',
    `
  - id: turns
    input: x
    mock: [[{list_dir: .}, {select_skills: csv-analyzer}], {final_answer: ok}]
  - {id: no-turns, input: x, mock: []}
  - {id: no-mock, input: x}`,
    (run) => {
      expect(trialOf(run, 'turns').actions.map(({ turn, action }) => [turn, action])).toEqual([
        [1, 'list_dir'],
        [1, 'select_skills'],
        [2, 'final_answer'],
      ])
      for (const id of ['no-turns', 'no-mock'])
        expect(run.of(id)).toMatchObject({ status: 'error', trials: [{ error: { code: 'mock_exhausted' } }] })
    },
  )

  behaviour(
    'mock: rules pick by what they see; all keys of a when must match, the first rule that does is taken',
    `
  - id: rules
    input: Some CSV
    mock:
      rules:
        - {when: {input: csv, turn: 2}, do: [{select_skills: csv-analyzer}]}
        - {when: {skill_loaded: csv-analyzer}, do: [{list_dir: .}], times: 1}
        - {when: {skill_loaded: csv-analyzer, observation: "/a\\\\.t.t/"}, do: [{final_answer: done}]}
        - {when: {skill_available: nothing-like-this}, do: [{final_answer: wrong}]}
        - {when: {skill_available: csv-analyzer}, do: [{list_dir: .}]}
      otherwise: [{final_answer: otherwise}]
    files: {a.txt: {text: A}}
    expected: {output: [{equals: done}], actions: {exactly: [list_dir, select_skills, list_dir]}}
  - id: rules-otherwise
    input: nothing
    mock: {rules: [{when: {input: csv}, do: [{final_answer: no}]}], otherwise: [{final_answer: otherwise}]}
    expected: {output: [{equals: otherwise}]}
  - id: rules-without
    input: nothing
    mock: {rules: [{when: {input: csv}, do: [{final_answer: no}]}]}`,
    { rules: 'passed', 'rules-otherwise': 'passed', 'rules-without': ['error', /mock_exhausted/] },
  )

  behaviour(
    'permissions: only tighten what is configured',
    `
  - id: denies
    input: x
    permissions: {deny: [write_file]}
    mock: [{write_file: {path: a.txt, content: a}}, {final_answer: ok}]
    expected: {actions: {exactly: [{action: write_file, status: denied}]}, files: [{path: a.txt, exists: false}]}
  - id: cannot-open
    input: x
    files: {a.txt: {text: a}}
    permissions: {allow: [delete_file]}
    mock: [{delete_file: a.txt}, {final_answer: ok}]
    expected: {files: [{path: a.txt, exists: true}], actions: {exactly: [{action: delete_file, status: denied}]}}`,
    { denies: 'passed', 'cannot-open': 'passed' },
  )

  behaviour(
    'trials and pass_threshold: how often it runs, and the share of trials that must pass',
    `
  - {id: trials, input: x, trials: 3, mock: [{final_answer: ok}]}
  - {id: default-threshold, input: x, trials: 2, mock: [{final_answer: ok}], expected: {output: [{equals: no}]}}
  - {id: threshold-0, input: x, trials: 2, pass_threshold: 0, mock: [{final_answer: ok}], expected: {output: [{equals: no}]}}`,
    (run) => {
      expect(run.of('trials').trials.map(({ n }) => n)).toEqual([1, 2, 3])
      expect(run.of('default-threshold').status).toBe('failed')
      expect(run.of('threshold-0')).toMatchObject({ status: 'passed', pass_rate: 0 })
    },
  )

  behaviour(
    'skip, xfail and golden: as in any test runner, and an xfail case that passes is a failure',
    `
  - {id: skip, input: x, skip: true, mock: []}
  - {id: skip-why, input: x, skip: later, mock: []}
  - {id: skip-not, input: x, skip: false, mock: [{final_answer: ok}]}
  - {id: xfail-fails, input: x, xfail: known, mock: [{final_answer: a}], expected: {output: [{equals: b}]}}
  - {id: xfail-passes, input: x, xfail: known, mock: [{final_answer: b}], expected: {output: [{equals: b}]}}
  - {id: xfail-not, input: x, xfail: false, mock: [{final_answer: b}], expected: {output: [{equals: b}]}}
  - {id: xfail-error, input: x, xfail: known, mock: []}
  - {id: golden, input: x, golden: true, mock: [{final_answer: b}]}`,
    (run) => {
      expect(run.of('skip')).toMatchObject({ status: 'skipped', trials: [] })
      expect(run.of('skip-why')).toMatchObject({ status: 'skipped', reason: 'later' })
      expect(run.of('skip-not').status).toBe('passed')
      expect(run.of('xfail-fails')).toMatchObject({ status: 'passed', reason: expect.stringContaining('known') })
      expect(run.of('xfail-passes')).toMatchObject({ status: 'failed', reason: expect.stringContaining('xfail') })
      expect(run.of('xfail-not').status).toBe('passed')
      expect(run.of('xfail-error').status).toBe('error')
      expect(run.of('golden').golden).toBe(true)
    },
  )
})

describe('constraints', () => {
  const { behaviour } = sharedSuite({
    files: {
      '.agent/config.json': '{"models": {"mock": {"provider": "mock", "price": {"input": 1000, "output": 1000}}}}',
      'skills/csv-analyzer/scripts/ok.sh': '#!/usr/bin/env bash\necho ok\n',
      'skills/csv-analyzer/scripts/slow.sh': '#!/usr/bin/env bash\nsleep 30 & sleep 30\n',
    },
  })
  const script = '{run_script: {skill: csv-analyzer, path: scripts/ok.sh}}'

  behaviour(
    'the max_* are hard: the agent is stopped there, and the case fails with the reason',
    `
  - {id: max_turns, input: x, constraints: {max_turns: 2}, mock: [{list_dir: .}, {list_dir: .}, {final_answer: ok}]}
  - {id: max_tool_calls, input: x, constraints: {max_tool_calls: 1}, mock: [[{list_dir: .}, {list_dir: .}], {final_answer: ok}]}
  - {id: max_script_runs, input: x, constraints: {max_script_runs: 1}, mock: [{select_skills: csv-analyzer}, ${script}, ${script}, {final_answer: ok}]}
  - {id: max_input_tokens, input: x, constraints: {max_input_tokens: 10}, mock: [{final_answer: ok}]}
  - {id: max_output_tokens, input: x, constraints: {max_output_tokens: 3}, mock: [{final_answer: one two three four five six seven eight}]}
  - {id: max_tokens, input: x, constraints: {max_tokens: 10}, mock: [{final_answer: ok}]}
  - {id: max_cost_usd, input: x, constraints: {max_cost_usd: 0.01}, mock: [{final_answer: ok}]}
  - {id: max_seconds, input: x, constraints: {max_seconds: 0.5}, mock: [{select_skills: csv-analyzer}, {run_script: {skill: csv-analyzer, path: scripts/slow.sh}}, {final_answer: ok}]}`,
    (run) => {
      const limits =
        'max_turns max_tool_calls max_script_runs max_input_tokens max_output_tokens max_tokens max_cost_usd'
      for (const id of [...limits.split(' '), 'max_seconds']) {
        const trial = trialOf(run, id)
        expect({ id, status: trial.status, output: trial.output }).toEqual({ id, status: 'failed', output: null })
        expect(trial.reason).toContain(`${id}: `)
        expect(trial.reason).toContain('limit')
      }
      expect(trialOf(run, 'max_turns').actions).toHaveLength(2)
      expect(trialOf(run, 'max_tool_calls').actions).toHaveLength(1)
      expect(trialOf(run, 'max_script_runs').actions).toHaveLength(2)
      expect(trialOf(run, 'max_seconds').duration_ms).toBeLessThan(20_000)
    },
  )

  behaviour(
    'a case that just reaches its limits passes',
    `
  - id: within
    input: x
    constraints: {max_turns: 3, max_tool_calls: 1, max_script_runs: 1, max_input_tokens: 100000, max_output_tokens: 1000, max_tokens: 101000, max_cost_usd: 1000, max_seconds: 60}
    mock: [{select_skills: csv-analyzer}, ${script}, {final_answer: ok}]`,
    { within: 'passed' },
  )

  behaviour(
    'forbidden_tools and forbidden_skills fail the case that tries one',
    `
  - {id: tool, input: x, constraints: {forbidden_tools: [list_dir]}, mock: [{list_dir: .}, {final_answer: ok}]}
  - {id: double, input: x, tools: {search: {returns: hit}}, constraints: {forbidden_tools: [search]}, mock: [{call_tool: {tool: search}}, {final_answer: ok}]}
  - {id: tool-unused, input: x, constraints: {forbidden_tools: [write_file]}, mock: [{list_dir: .}, {final_answer: ok}]}
  - {id: skill, input: x, constraints: {forbidden_skills: [pdf-forms]}, mock: [{select_skills: pdf-forms}, {final_answer: ok}]}
  - {id: skill-unused, input: x, constraints: {forbidden_skills: [pdf-forms]}, mock: [{select_skills: csv-analyzer}, {final_answer: ok}]}`,
    {
      tool: /forbidden_tools: .*list_dir/,
      double: /forbidden_tools: .*search/,
      'tool-unused': 'passed',
      skill: /forbidden_skills: .*pdf-forms/,
      'skill-unused': 'passed',
    },
  )
})

describe('test doubles', () => {
  const { behaviour } = sharedSuite()
  const call = (tool: string, input = '{}') => `{call_tool: {tool: ${tool}, input: ${input}}}`

  behaviour(
    'returns the same each time; returns_each one per call, then an error, and each trial counts its own calls',
    `
  - id: returns
    input: x
    trials: 2
    tools: {same: {returns: {hits: [alpha]}}, text: {returns: plain}, each: {returns_each: [first, {n: 2}]}, broken: {error: out of order}}
    mock: [${call('same')}, ${call('same')}, ${call('text')}, ${call('each')}, ${call('each')}, ${call('each')}, ${call('broken')}, {final_answer: ok}]`,
    (run) => {
      for (const trial of run.of('returns').trials) {
        const seen = trial.actions.slice(0, -1).map(({ status, observation }) => `${status} ${observation}`)
        expect(seen).toEqual([
          'ok {"hits":["alpha"]}',
          'ok {"hits":["alpha"]}',
          'ok plain',
          'ok first',
          'ok {"n":2}',
          expect.stringMatching(/^error .*2 answers.*call 3/),
          'error out of order',
        ])
      }
    },
  )

  behaviour(
    'when picks by the input, otherwise is for the rest',
    `
  - id: when
    input: x
    tools:
      price:
        when:
          - {input: {item: apple}, returns: 1}
          - {input: {item: {regex: ^pe}}, returns: {eur: 2}}
          - {input: {item: fig}, error: sold out}
        otherwise: {error: unknown item}
      strict: {when: [{input: {item: apple}, returns: 1}]}
    mock: [${call('price', '{item: apple, n: 3}')}, ${call('price', '{item: pear}')}, ${call('price', '{item: fig}')}, ${call('price', '{item: nut}')}, ${call('strict', '{item: nut}')}, {final_answer: ok}]`,
    (run) => {
      const [apple, pear, ...rest] = trialOf(run, 'when').actions.map((one) => [one.status, one.observation])
      expect([apple, pear, rest[0], rest[1]]).toEqual([
        ['ok', '1'],
        ['ok', '{"eur":2}'],
        ['error', 'sold out'],
        ['error', 'unknown item'],
      ])
      expect(rest[2]?.[0]).toBe('error')
    },
  )

  behaviour(
    'input_schema is checked on every call',
    `
  - id: schema
    input: x
    tools: {search: {description: Finds things, input_schema: {type: object, required: [q], properties: {q: {type: string}}}, returns: hit}}
    mock: [${call('search', '{q: 1}')}, ${call('search')}, ${call('search', '{q: a}')}, {final_answer: ok}]`,
    (run) => {
      const [wrong, missing, right] = trialOf(run, 'schema').actions
      expect(wrong).toMatchObject({ status: 'error', observation: expect.stringMatching(/\/q .*string/) })
      expect(missing).toMatchObject({ status: 'error', observation: expect.stringContaining('q') })
      expect(right).toMatchObject({ status: 'ok', observation: 'hit' })
    },
  )

  behaviour(
    'the model sees it as an ordinary tool: it is called by its own name, and counted as call_tool',
    `
  - id: by-name
    input: x
    tools: {web_search: {returns: hit}}
    mock: [{raw: {name: web_search, input: {q: a}}}, {raw: {name: web_serch}}, {final_answer: ok}]
    expected: {actions: {count: [{of: {call_tool: web_search}, equals: 1}]}}`,
    (run) => {
      expect(run.of('by-name').status).toBe('passed')
      expect(trialOf(run, 'by-name').actions[0]).toMatchObject({
        action: 'call_tool',
        params: { tool: 'web_search', input: { q: 'a' } },
        observation: 'hit',
      })
      expect(observations(run, 'by-name')[1]).toContain('web_search')
    },
  )

  behaviour(
    'a tool that is no double of the case is not there',
    `
  - {id: unknown, input: x, tools: {search: {returns: 1}}, mock: [${call('serch')}, {final_answer: ok}]}`,
    (run) => {
      expect(trialOf(run, 'unknown').actions[0]).toMatchObject({
        status: 'error',
        observation: expect.stringContaining('search'),
      })
    },
  )
})

describe('what a suite can not do', () => {
  /** Every mistake of the cases, each `[case, what is said]`, told at once in one run that runs nothing. */
  const refused = (mistakes: readonly (readonly [string, RegExp])[]) => {
    using p = project({
      ...pack,
      'package.json': '{}',
      'evals/t.eval.yaml': `${head}cases:\n${mistakes.map(([yaml]) => `  - ${yaml}\n`).join('')}`,
    })
    const { code, out, err } = p.cli(['run', 'evals'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    for (const [i, [yaml, said]] of mistakes.entries()) {
      const blocks = err.split('\n\n').filter((block) => block.includes(`evals/t.eval.yaml:${5 + i}:`))
      expect(blocks.join('\n\n'), yaml).toMatch(said)
    }
  }

  test('ids, values and placeholders that are wrong are errors in their lines', () => {
    refused([
      ['{id: same, input: x}', /^$/],
      ['{id: same, input: x}', /duplicate id.*line 5/],
      ['{id: with space, input: x}', /id/],
      ['{id: a, input: "{{word}}", each: [{wort: b}]}', /unknown placeholder.*\n[\s\S]*Did you mean `\{\{wort\}\}`/],
      ['{id: b}', /input/],
      ['{id: c, input: x, trials: 0}', /trials.*at least 1/],
      ['{id: d, input: x, pass_threshold: 1.5}', /pass_threshold.*at most 1/],
      ['{id: e, input: x, files: {../out.txt: {text: x}}}', /\.\./],
      ['{id: f, input: x, files: {/etc/x: {text: x}}}', /absolute|relative/],
      ['{id: g, input: x, tools: {t: {returns: 1, error: x}}}', /exactly one of/],
      ['{id: h, input: x, tools: {t: {returns: 1, otherwise: {returns: 1}}}}', /otherwise goes with when/],
      ['{id: i, input: x, constraints: {max_turn: 1}}', /Did you mean `max_turns`/],
      ['{id: j, input: x, permissions: {alow: [read_file]}}', /Did you mean `allow`/],
      ['{id: k, input: x, mock: [{read_fil: a}]}', /Did you mean `read_file`/],
    ])
  })

  test('sources must be there and stay inside the project', () => {
    refused([
      ['{id: a, input: x, files: {x.txt: /etc/passwd}}', /outside/],
      ['{id: b, input: x, files: {x.txt: ../../x.txt}}', /outside/],
      ['{id: c, input: x, files: {x.csv: ../fixtures/sale.csv}}', /does not exist[\s\S]*sales\.csv/],
      ['{id: d, input: x, each: rows.csv}', /rows\.csv/],
      ['{id: f, input: x, each: ../../rows.csv}', /outside/],
    ])
  })

  test('a mistake in a file of rows is an error in that file', () => {
    const suite = (name: string, rows: string) =>
      `name: ${name}\nmodel: mock\ncases:\n  - {id: "{{n}}", input: x, each: ${rows}}\n`
    using p = project({
      'a.yaml': suite('a', 'rows.json'),
      'b.yaml': suite('b', 'rows.jsonl'),
      'c.yaml': suite('c', 'rows.csv'),
      'rows.json': '[{"n": 1},\n {"n": }]',
      'rows.jsonl': '{"n": 1}\n{"n": 1}\nnope\n',
      'rows.csv': 'n,m\n1,2\n3,"4\n',
    })
    const { code, err } = p.cli(['run', 'a.yaml', 'b.yaml', 'c.yaml'])
    expect(code).toBe(2)
    expect(err).toContain('rows.json:2:8')
    expect(err).toMatch(/rows\.jsonl:3/)
    expect(err).toMatch(/duplicate id[\s\S]*rows\.jsonl:2/)
    expect(err).toMatch(/rows\.csv:/)
  })

  test('a placeholder that a row of a file does not have is an error in its line', () => {
    using p = project({
      'rows.csv': 'wort\na\n',
      't.yaml': 'name: t\nskills: []\nmodel: mock\ncases:\n  - {id: a, input: "{{word}}", each: rows.csv}\n',
    })
    const { code, err } = p.cli(['run', 't.yaml'])
    expect(code).toBe(2)
    expect(err).toMatch(/unknown placeholder `\{\{word\}\}`/)
    expect(err).toContain('t.yaml:5:')
  })

  test('permissions open nothing, unless the run was started with --trust-suites', () => {
    using p = project({
      '.agent/config.json': '{"permissions": {"deny": ["write_file"]}}',
      't.yaml': `name: t
skills: []
model: mock
cases:
  - id: deletes
    input: x
    files: {a.txt: {text: a}}
    permissions: {allow: [delete_file, write_file]}
    mock: [{delete_file: a.txt}, {write_file: {path: b.txt, content: b}}, {final_answer: ok}]
    expected: {files: [{path: a.txt, exists: false}]}
`,
    })
    expect(p.cli(['run', 't.yaml', '-q']).code).toBe(1)
    const trusted = runJson(p, ['t.yaml', '--trust-suites'])
    expect(trusted.code).toBe(0)
    const done = trialOf(trusted, 'deletes').actions.map(({ action, status }) => [action, status])
    expect(done.slice(0, 1)).toEqual([['delete_file', 'ok']])
    // What the configuration denies stays denied.
    expect(done[1]?.[1]).not.toBe('ok')
  })
})
