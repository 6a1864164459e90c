#!/usr/bin/env node
// Every number in the answer must occur in something that the agent saw: a script's output, a file, a tool's answer.
// The score is the share that does. usage: grounded.mjs [NUMBER…], numbers that need no source
import { readFileSync } from 'node:fs'

const trial = JSON.parse(readFileSync(process.env.SKILLS_EVAL_TRIAL, 'utf8'))
const answer = readFileSync(0, 'utf8')

// A hyphen within a date or a range is no sign, and a comma between groups of three digits no decimal point.
const numbersIn = (text) =>
  [...text.matchAll(/(?<![\w.,:/-])[-+\u2212]?\d+(?:,\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?/g)].map(([written]) =>
    Number(written.replaceAll(',', '').replace('\u2212', '-')),
  )

const seen = new Set([
  ...process.argv.slice(2).map(Number),
  ...trial.actions
    .filter(({ action, status }) => action !== 'final_answer' && status !== 'denied')
    .flatMap(({ observation }) => numbersIn(observation)),
])
const claimed = [...new Set(numbersIn(answer))]
const checks = claimed.map((number) => ({ name: String(number), pass: seen.has(number) }))
const missing = checks.filter(({ pass }) => !pass).map(({ name }) => name)

console.log(
  JSON.stringify({
    score: claimed.length === 0 ? 1 : 1 - missing.length / claimed.length,
    pass: missing.length === 0,
    message: missing.length === 0 ? `${claimed.length} numbers, all seen` : `nothing showed ${missing.join(', ')}`,
    checks,
  }),
)
