import { expect, test } from 'vitest'
import { codeFrame } from '../lib/code-frame.ts'
import { parseSuite } from './parse-suite.ts'
import { tell } from './read.test-support.ts'

const text = `name: csv
skill: [../skills]
defaults:
  constraints: {max_turn: 6}
  trials: 2
cases:
  - id: top months
    input: Which months had the most revenue?
    files: {../sales.csv: ../fixtures/sales.csv}
    mock:
      - select_skils: csv-analyzer
      - run_script: {skill: csv-analyzer, file: scripts/top.py}
    expectd: {skills: [csv-analyzer]}
  - id: refund
    input: [1]
    max_turns: 3
    expected:
      skills: {includes: [a], excludes: [a]}
      actions:
        in_order: [run_scrip, {load_resurce: "*.md"}]
      output:
        - {contain: Mar}
        - {regex: "(Mar"}
        - {length: {min: 5, max: 2}}
        - {contains: Mar, equals: Mar}
  - {id: refund, input: x, pass_threshold: 80}
  - {id: "q-{{n}}", input: "{{question}}", each: [{n: 1, qestion: x}]}
triggers:
  csv-analyzer: {should: sum my csv}
`

test('every mistake of a file is told at once, each with its line and the way out', async () => {
  const { suite, diagnostics } = await parseSuite(text, { file: 'evals/csv.eval.yaml' })
  const shown = diagnostics.map(
    (one) => `${tell(one)}\n${codeFrame(text, one.line ?? 1, one.column ?? 1, { before: 0 })}`,
  )
  expect(suite).toBeUndefined()
  await expect(`${shown.join('\n\n')}\n`).toMatchFileSnapshot('./__golden__/mistakes.golden.txt')
})
