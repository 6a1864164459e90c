#!/usr/bin/env node
// Checks sample documents against a JSON Schema.
import { Failure, readArguments, readJson, readSamples, run, shown, Usage } from '../lib/json-input.mjs'
import { malformed, walk } from '../lib/keywords.mjs'
import { isObject, validate } from '../lib/validate.mjs'

const HELP = `usage: check.mjs SCHEMA SAMPLE… [--each] [--invalid]

Checks samples (.json, .jsonl, .ndjson) against a JSON Schema of draft 2020-12; formats are checked.

  --each      a sample file holds an array: take each item as a sample
  --invalid   the samples must be refused: for counter-examples

Not supported, and refused rather than skipped: unevaluatedProperties, unevaluatedItems, $dynamicRef, references
to other files. Formats other than date, time, date-time, email, ipv4, uri and uuid are not asserted.
exit codes: 0 as expected, 1 a sample is not as expected or something can't be read, 2 wrong arguments
`

function main(argv) {
  const { values: options, positionals } = readArguments(argv, { each: { type: 'boolean' }, invalid: { type: 'boolean' } })
  const [path, ...paths] = positionals
  if (path === undefined || paths.length === 0) throw new Usage('expected a schema and at least one sample')
  const { value: schema } = readJson(path)
  if (!isObject(schema) && typeof schema !== 'boolean') throw new Failure(`${path} is not a schema: a schema is an object, or true or false`)
  for (const { schema: inner, pointer } of walk(schema)) {
    const [fault] = malformed(inner)
    if (fault) throw new Failure(`${path} is malformed at ${shown(pointer || 'the root')}: ${fault.message}; lint.mjs lists every fault`)
  }
  const samples = paths.flatMap((sample) => readSamples(sample, options.each))
  let surprises = 0
  for (const { name, value } of samples) {
    const errors = validate(schema, value)
    const valid = errors.length === 0
    if (valid === Boolean(options.invalid)) surprises += 1
    process.stdout.write(`${name}: ${valid ? 'valid' : 'invalid'}${valid === Boolean(options.invalid) ? ' (not as expected)' : ''}\n`)
    for (const { pointer, message } of errors) process.stdout.write(`  ${shown(pointer || '(document)', 120)}: ${message}\n`)
  }
  process.stdout.write(`${samples.length - surprises} of ${samples.length} as expected\n`)
  return surprises > 0 ? 1 : 0
}

run(main, HELP)
