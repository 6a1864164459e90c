// Makes what is measured, in bench/.work.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const put = (root, files) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** An empty project: what runs in it is left in it. */
export const empty = (root) => {
  rmSync(root, { recursive: true, force: true })
  put(root, { '.agent/config.json': '{}' })
  return root
}

const skill = (name, description) => `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it.\n`

export const skills = {
  // A project of its own: its reports stay in it.
  '.agent/config.json': '{}',
  'skills/csv-analyzer/SKILL.md': skill(
    'csv-analyzer',
    'Summarise CSV files of sales. Use when a CSV must be analysed.',
  ),
  'skills/pdf-forms/SKILL.md': skill('pdf-forms', 'Fill PDF forms. Use when a PDF form must be filled.'),
}

const head = 'skills: [../skills]\nmodel: mock\n'

/** Three turns, three checks: contains, regex, JSON with a schema. */
const caseText = (id, n) => `  - id: ${id}
    input: Which month of ${n} had the most revenue?
    expected:
      skills: [csv-analyzer]
      output:
        - contains: "month ${n}"
        - regex: "revenue\\": *[0-9]+"
        - json_schema: {type: object, required: [answer, revenue], properties: {answer: {type: string}, revenue: {type: integer}}}
    mock:
      - select_skills: csv-analyzer
      - list_dir: "."
      - final_answer: '{"answer": "month ${n}", "revenue": ${n}}'
`

export const plainSuite = (count) => {
  const cases = Array.from({ length: count }, (_, i) => caseText(`case-${i}`, i))
  return `name: plain\n${head}cases:\n${cases.join('')}`
}

export const eachSuite = `name: rows\n${head}cases:\n${caseText('case-{{n}}', '{{n}}').replace('    input', '    each: rows.jsonl\n    input')}`

export const rows = (count) => Array.from({ length: count }, (_, i) => `{"n":${i}}\n`).join('')

export const waitingProject = {
  '.agent/config.json': JSON.stringify({ models: { slow: { provider: 'mock', params: { latency_ms: 100 } } } }),
  'evals/wait.eval.yaml': `name: wait\nskills: [../skills]\nmodel: slow\ncases:\n  - id: "w-{{n}}"\n    each: rows.jsonl\n    input: wait\n    mock: [{final_answer: done}]\n    expected: {output: [{equals: done}]}\n`,
  'evals/rows.jsonl': rows(200),
}

export const scriptsProject = (count) => ({
  ...skills,
  'skills/csv-analyzer/scripts/nothing.sh': '#!/bin/sh\nexit 0\n',
  'evals/scripts.eval.yaml': `name: scripts\n${head}cases:\n${Array.from(
    { length: count },
    (_, i) =>
      `  - {id: s-${i}, input: Run it., mock: [{select_skills: csv-analyzer}, {run_script: {skill: csv-analyzer, path: scripts/nothing.sh}}, {final_answer: done}], expected: {actions: {in_order: [run_script]}}}\n`,
  ).join('')}`,
})

export const manySkills = (count) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `.agent/skills/skill-${i}/SKILL.md`,
      `---\nname: skill-${i}\ndescription: Does task ${i} on files of kind ${i % 97}. Use when the user asks for task ${i}.\nlicense: MIT\nmetadata:\n  author: somebody\n  version: "1.${i}"\n---\n\n# Skill ${i}\n\n${'Some text of a body that is not read.\n'.repeat(160)}`,
    ]),
  )

const reference = Array.from(
  { length: 40 },
  (_, i) => `- column ${i}: what it holds, and what it must not hold.\n`,
).join('')

/** Four turns: select the skill, load a reference, list the folder, answer. A recording is about 7 KB. */
export const replayProject = (count, port) => ({
  ...skills,
  '.agent/config.json': JSON.stringify({
    models: {
      served: { provider: 'openai', model: 'bench-1', base_url: `http://127.0.0.1:${port}/v1`, max_retries: 0 },
    },
  }),
  'skills/csv-analyzer/references/columns.md': reference,
  'evals/replay.eval.yaml': `name: replay\nskills: [../skills]\nmodel: served\ncases:\n  - id: "case-{{n}}"\n    each: rows.jsonl\n    input: Which month of {{n}} had the most revenue?\n    expected:\n      skills: [csv-analyzer]\n      output:\n        - contains: "month {{n}}"\n        - regex: "revenue\\": *[0-9]+"\n        - is_json: true\n`,
  'evals/rows.jsonl': rows(count),
})

/** Words that repeat as those of a language do, the same at each run. */
const prose = (seed, count) => {
  let state = seed * 2654435761 + 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return `${['re', 'con', 'un', 'inter', 'sub'][state % 5]}${['port', 'view', 'fig', 'late', 'tract'][(state >> 8) % 5]}${(state >> 16) % 97}`
  }).join(' ')
}

/** Four turns with some thousand characters of their own each; every seventh case fails. */
export const wordyProject = (count) => ({
  ...skills,
  'evals/wordy.eval.yaml': `name: wordy
${head}cases:
  - id: case-{{n}}
    each: rows.jsonl
    input: What does note {{n}} say?
    tags: ["tag-{{tag}}"]
    expected:
      skills: [csv-analyzer]
      output: [{contains: "note {{n}}"}, {contains: "{{forbidden}}", not: true}]
    mock:
      - select_skills: csv-analyzer
      - write_file: {path: note.md, content: "{{text}}"}
      - read_file: note.md
      - final_answer: "note {{n}} {{answer}}"
`,
  'evals/rows.jsonl': Array.from(
    { length: count },
    (_, n) =>
      `${JSON.stringify({ n, tag: n % 9, text: prose(n, 120), answer: prose(n + count, 40), forbidden: n % 7 === 0 ? `note ${n}` : 'nothing' })}\n`,
  ).join(''),
})
