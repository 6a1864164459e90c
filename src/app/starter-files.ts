/** A file of a new project: its path, its text, and whether it can be run. */
export type StarterFile = { readonly path: string; readonly text: string; readonly executable?: true }

/** A whole small project: one skill that works, a suite that passes, a workflow that runs it. */
export const starterProject = (): StarterFile[] => [
  { path: 'skills/text-stats/SKILL.md', text: statsSkill },
  { path: 'skills/text-stats/scripts/stats.mjs', text: statsScript, executable: true },
  { path: 'skills/text-stats/references/reading-time.md', text: statsReference },
  { path: 'evals/text-stats.eval.yaml', text: statsSuite },
  { path: 'evals/fixtures/draft.md', text: draft },
  { path: '.agent/config.json', text: config },
  { path: '.gitignore', text: 'reports/\n' },
  { path: '.github/workflows/skills-eval.yml', text: workflow },
]

/** A skill to be filled in, valid as it is. */
export const starterSkill = (name: string): StarterFile[] => [
  {
    path: `${name}/SKILL.md`,
    text: `---
name: ${name}
description: Say in one sentence what this skill does. Use when the user asks for … (name the words they would use).
---

# ${title(name)}

1. Say what to look at first.
2. Say what to do, step by step. Put long material into references/ and name the file here.
3. Say how to check the result, and when not to use this skill.
`,
  },
]

/** A suite for a skill: when it must be picked, when it must stay silent, and one full case. */
export const starterSuite = (
  name: string,
  skillRoot: string,
): string => `# yaml-language-server: $schema=../node_modules/skills-eval/schemas/suite.schema.json
name: ${name}
skills: [${skillRoot}]
model: mock
# The mock stands in for a model: it picks the skill when the request has this word. Change the word with the queries.
defaults:
  mock:
    rules:
      - when: { input: ${firstWord(name)}, turn: 1 }
        do: [{ select_skills: ${name} }]
    otherwise: [{ final_answer: done }]
triggers:
  ${name}:
    should: ["Please do the ${firstWord(name)} task for me"]
    should_not: ["What is the capital of France?"]
cases:
  - id: follows-the-skill
    input: Please do the ${firstWord(name)} task for me
    expected:
      skills: [${name}]
      actions: { in_order: [{ select_skills: ${name} }] }
      output: [{ contains: done }]
    constraints: { max_turns: 4 }
`

const title = (name: string): string => name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase())

const firstWord = (name: string): string => name.split('-')[0] ?? name

const statsSkill = `---
name: text-stats
description: Counts words, lines and sentences of a text file and estimates its reading time. Use when the user asks how long a text is, how many words it has, or how long it takes to read.
---

# Text statistics

1. Run \`scripts/stats.mjs FILE\` on the file that the user named. It prints one JSON object: \`words\`, \`lines\`, \`sentences\`, \`minutes\`.
2. Answer with the numbers the user asked for, and no others.
3. If the user doubts the reading time, load \`references/reading-time.md\`.

Do not use this skill to judge or to rewrite a text.
`

const statsScript = `#!/usr/bin/env node
// usage: stats.mjs FILE — counts words, lines and sentences; reading time at 230 words a minute.
import { readFileSync } from 'node:fs'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('usage: stats.mjs FILE')
  process.exit(2)
}
let text
try {
  text = readFileSync(file, 'utf8')
} catch {
  console.error(\`\${file}: can't be read\`)
  process.exit(1)
}
const words = text.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length
const lines = text === '' ? 0 : text.replace(/\\n$/, '').split('\\n').length
const sentences = text.split(/[.!?]+(?:\\s|$)/).filter((part) => part.trim() !== '').length
console.log(JSON.stringify({ words, lines, sentences, minutes: Math.max(1, Math.round(words / 230)) }))
`

const statsReference = `# Reading time

## Speed

230 words a minute is a usual figure for adults who read prose in silence.

## Limits

Code, tables and formulas are read more slowly; say so when the text has many.
`

const statsSuite = `# yaml-language-server: $schema=../node_modules/skills-eval/schemas/suite.schema.json
name: text-stats
skills: [../skills]
model: mock

triggers:
  text-stats:
    should: ["How many words does draft.md have?", "How long does it take to read this text?"]
    should_not: ["Rewrite draft.md so that it is shorter", "Count the files in this folder"]

defaults:
  mock:
    rules:
      - when: { input: "/how many words|how long/i", turn: 1 }
        do: [{ select_skills: text-stats }]
      - when: { turn: 2 }
        do: [{ run_script: { skill: text-stats, path: scripts/stats.mjs, args: [draft.md] } }]
      - when: { observation: '"words":18' }
        do: [{ final_answer: draft.md has 18 words. }]
    otherwise: [{ final_answer: That is not what my skills are for. }]

cases:
  - id: counts-words
    input: How many words does draft.md have?
    files: { draft.md: fixtures/draft.md }
    expected:
      skills: [text-stats]
      actions:
        in_order: [{ select_skills: text-stats }, { run_script: scripts/stats.mjs }]
        never: [write_file]
      output: [{ contains: "18 words" }]
      files: [{ path: draft.md, unchanged: true }]
    constraints: { max_turns: 4 }

  - id: leaves-rewriting-alone
    input: Rewrite draft.md so that it is shorter
    expected: { skills: [] }
`

const draft = `# Skills

A skill is a folder. It teaches an agent a task.

Test it before you ship it.
`

const config = `{
  "skills": { "roots": ["skills"] }
}
`

const workflow = `name: skills-eval
on: [push, pull_request]
permissions: { contents: read }
jobs:
  evals:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npx --yes skills-eval@SKILLS_EVAL_VERSION run evals/ --reporter github --reporter junit=junit.xml
`
