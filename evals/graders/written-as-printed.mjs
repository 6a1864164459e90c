#!/usr/bin/env node
// The judged file is, to the letter, what a script printed in this trial. usage: written-as-printed.mjs scripts/NAME
import { readFileSync } from 'node:fs'

const [script] = process.argv.slice(2)
const trial = JSON.parse(readFileSync(process.env.SKILLS_EVAL_TRIAL, 'utf8'))
const run = trial.actions.findLast(({ action, params }) => action === 'run_script' && params.path === script)
const [, printed] = /stdout:\n([\s\S]*?)(?:\nstderr:\n|$)/.exec(run?.observation ?? '') ?? []
const written = readFileSync(0, 'utf8')

if (printed === undefined) {
  console.log(JSON.stringify({ pass: false, message: `${script} printed nothing` }))
} else {
  const expected = printed.trimEnd().split('\n')
  const at = written.trimEnd().split('\n').findIndex((line, i) => line !== expected[i])
  const pass = written.trimEnd() === printed.trimEnd()
  const message = pass ? 'as printed' : `line ${at + 1} differs; printed was: ${expected[at] ?? '(the end)'}`
  console.log(JSON.stringify({ pass, score: pass ? 1 : 0, message }))
}
