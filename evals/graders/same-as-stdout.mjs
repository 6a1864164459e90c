#!/usr/bin/env node
// The judged JSON must equal, whatever the order of keys, the JSON that a script printed in this trial.
// usage: same-as-stdout.mjs scripts/NAME
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

const [script] = process.argv.slice(2)
const trial = JSON.parse(readFileSync(process.env.SKILLS_EVAL_TRIAL, 'utf8'))

const fail = (message) => {
  console.log(JSON.stringify({ pass: false, message }))
  process.exit(1)
}
const parse = (text, what) => {
  try {
    return JSON.parse(text)
  } catch (error) {
    return fail(`${what} is no JSON: ${error.message}`)
  }
}

const runs = trial.actions.filter(({ action, params }) => action === 'run_script' && params.path === script)
const last = runs.at(-1) ?? fail(`${script} was not run`)
const [, stdout = ''] = /stdout:\n([\s\S]*?)(?:\nstderr:\n|$)/.exec(last.observation) ?? []
const printed = parse(stdout, `the output of ${script}`)
const judged = parse(readFileSync(0, 'utf8'), 'the judged text')
if (!isDeepStrictEqual(judged, printed)) fail(`it is not what ${script} printed`)
console.log(JSON.stringify({ pass: true }))
