#!/usr/bin/env node
// Lints a JSON Schema: mistakes, leftovers of older drafts, and constraints that are missing.
import { Failure, readArguments, readJson, run, shown, step, Usage } from '../lib/json-input.mjs'
import { isKeyword, keywordNames, malformed, nearest, REPLACED, walk } from '../lib/keywords.mjs'
import { find, isObject, validate } from '../lib/validate.mjs'

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'
const SEVERITIES = ['error', 'warning', 'info']
const MAX_FINDINGS = 500

const HELP = `usage: lint.mjs SCHEMA [--level error|warning|info] [--ignore RULE]… [--json]

Prints one finding a line: severity, rule, JSON Pointer of the schema, message. references/lint-rules.md explains the rules.

  --level SEVERITY  report this and worse (default warning)
  --ignore RULE     leave a rule out; repeatable
  --json            print {findings: [{severity, rule, pointer, message}], errors, warnings, infos}

exit codes: 0 no findings, 1 findings or the file can't be read, 2 wrong arguments
`

const RULES = ['bad-keyword', 'closed-all-of', 'default-mismatch', 'duplicate-key', 'impossible-range', 'loose-pattern', 'no-description', 'no-id', 'no-items', 'no-schema-version', 'no-title', 'no-type', 'old-keyword', 'open-object', 'ref-not-found', 'remote-ref', 'required-unknown', 'risky-pattern', 'unbounded-array', 'unbounded-string', 'unknown-keyword']

function main(argv) {
  const { values: options, positionals } = readArguments(argv, {
    level: { type: 'string', default: 'warning' },
    ignore: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean' },
  })
  if (positionals.length !== 1) throw new Usage('expected one schema')
  if (!SEVERITIES.includes(options.level)) throw new Usage(`--level is one of ${SEVERITIES.join(', ')}`)
  for (const rule of options.ignore) if (!RULES.includes(rule)) throw new Usage(`no rule ${shown(rule)}; did you mean ${nearest(rule, RULES) ?? RULES.join(', ')}?`)
  const [path] = positionals
  const { value: root, duplicates } = readJson(path)
  if (!isObject(root)) throw new Failure(`${path} is not a schema that can be linted: expected an object`)
  const findings = lint(root, duplicates)
    .filter(({ severity, rule }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(options.level) && !options.ignore.includes(rule))
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || compare(a.pointer, b.pointer) || compare(a.rule, b.rule) || compare(a.message, b.message))
  print(path, findings, options)
  return findings.length > 0 ? 1 : 0
}

function lint(root, duplicates) {
  const findings = []
  const report = (severity, rule, pointer, message) => findings.push({ severity, rule, pointer, message: shown(message, 200) })
  for (const { key, line } of duplicates) report('error', 'duplicate-key', '', `line ${line}: the key "${key}" stands twice in one object; only the last counts`)
  atRoot(root, report)
  const schemas = walk(root)
  const sound = schemas.every(({ schema }) => malformed(schema).length === 0)
  for (const { schema, pointer, via, inCondition } of schemas) {
    if (!isObject(schema)) continue
    const say = (severity, rule, message) => report(severity, rule, pointer, message)
    const has = (name) => Object.hasOwn(schema, name)
    const types = has('type') ? [schema.type].flat() : []
    keywords(schema, say, has)
    references(root, schema, say, has)
    ranges(schema, say)
    if (sound) examples(root, schema, say, has)
    patterns(schema, say, has)
    properties(root, schema, pointer, report, has)
    if (via === 'allOf' && has('properties') && schema.additionalProperties === false) say('warning', 'closed-all-of', 'additionalProperties sees only the properties beside it, so this branch refuses those of the others; use unevaluatedProperties on the outside')
    if (!inCondition) shape(schema, types, via, say, has)
  }
  return findings
}

function atRoot(root, report) {
  if (!Object.hasOwn(root, '$schema')) report('warning', 'no-schema-version', '', `no $schema; add "${DRAFT}"`)
  else if (root.$schema !== DRAFT) report('warning', 'no-schema-version', '', `$schema is ${root.$schema}, not draft 2020-12`)
  if (!Object.hasOwn(root, '$id')) report('info', 'no-id', '', 'no $id; other schemas can only refer to this one by its place')
  if (!Object.hasOwn(root, 'title')) report('info', 'no-title', '', 'no title')
  if (!Object.hasOwn(root, 'description')) report('warning', 'no-description', '', 'no description of the whole document')
}

function keywords(schema, say, has) {
  for (const { keyword, message } of malformed(schema)) {
    if (keyword === 'items' && Array.isArray(schema.items)) say('warning', 'old-keyword', 'items as an array is now prefixItems')
    else say('error', 'bad-keyword', message)
  }
  for (const name of Object.keys(schema)) {
    if (isKeyword(name) || name.startsWith('x-')) continue
    if (REPLACED.has(name)) say('warning', 'old-keyword', `${name} is now ${REPLACED.get(name)}`)
    else {
      const near = nearest(name, keywordNames())
      say('warning', 'unknown-keyword', `${name} is not a keyword and has no effect${near ? `; did you mean ${near}?` : ''}`)
    }
  }
  if (has('then') && !has('if')) say('warning', 'unknown-keyword', 'then has no effect without if')
  if (has('else') && !has('if')) say('warning', 'unknown-keyword', 'else has no effect without if')
}

function references(root, schema, say, has) {
  if (!has('$ref') || typeof schema.$ref !== 'string') return
  if (!schema.$ref.startsWith('#')) say('info', 'remote-ref', `${schema.$ref} was not followed`)
  else if (find(root, schema.$ref) === undefined) say('error', 'ref-not-found', `${schema.$ref} leads nowhere`)
}

function ranges(schema, say) {
  const pairs = [['minimum', 'maximum'], ['minLength', 'maxLength'], ['minItems', 'maxItems'], ['minProperties', 'maxProperties'], ['minContains', 'maxContains']]
  for (const [low, high] of pairs) {
    if (Object.hasOwn(schema, low) && Object.hasOwn(schema, high) && schema[low] > schema[high]) say('error', 'impossible-range', `${low} ${schema[low]} is above ${high} ${schema[high]}, so nothing is valid`)
  }
}

function examples(root, schema, say, has) {
  const given = [...(has('default') ? [['default', schema.default]] : []), ...(has('examples') ? schema.examples.map((value) => ['an example', value]) : [])]
  if (given.length === 0) return
  for (const [name, value] of given) {
    const error = firstError(root, schema, value)
    if (error) say('error', 'default-mismatch', `${name} ${JSON.stringify(value)} is not valid here: ${error}`)
  }
}

function firstError(root, schema, value) {
  try {
    const [error] = validate(root, value, schema)
    return error && `${error.pointer}${error.pointer ? ' ' : ''}${error.message}`
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function patterns(schema, say, has) {
  if (!has('pattern') || typeof schema.pattern !== 'string') return
  if (!/^\^/.test(schema.pattern) || !/\$$/.test(schema.pattern)) say('warning', 'loose-pattern', `${schema.pattern} is not anchored by ^ and $, so it matches anywhere in the string`)
  if (/\([^()]*[+*][^()]*\)[+*{]/.test(schema.pattern)) say('warning', 'risky-pattern', `${schema.pattern} repeats a repetition; a hostile string can make it take minutes`)
}

function properties(root, schema, pointer, report, has) {
  if (!has('properties') || !isObject(schema.properties)) return
  const names = new Set(Object.keys(schema.properties))
  for (const [name, inner] of Object.entries(schema.properties)) {
    if (isObject(inner) && !described(root, inner)) report('warning', 'no-description', pointer + step('properties') + step(name), 'no description')
  }
  if (!Array.isArray(schema.required) || has('patternProperties') || has('$ref') || has('allOf')) return
  for (const name of schema.required) {
    if (typeof name !== 'string' || names.has(name)) continue
    const near = nearest(name, [...names])
    report('warning', 'required-unknown', pointer, `"${name}" is required but not among the properties${near ? `; did you mean "${near}"?` : ''}`)
  }
}

function described(root, schema) {
  if (Object.hasOwn(schema, 'description')) return true
  if (typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#')) return typeof schema.$ref === 'string'
  const target = find(root, schema.$ref)
  return target === undefined || (isObject(target) && Object.hasOwn(target, 'description'))
}

function shape(schema, types, via, say, has) {
  const settled = ['type', 'enum', 'const', '$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if'].some(has)
  if (!settled) say('warning', 'no-type', 'no type, so every value is valid here')
  const closed = ['additionalProperties', 'unevaluatedProperties'].some(has)
  if ((types.includes('object') || has('properties')) && !closed && via !== 'allOf') say('warning', 'open-object', 'no additionalProperties: misspelt properties are accepted; decide by false, true or a schema')
  if (types.includes('array')) {
    if (!has('items') && !has('prefixItems')) say('warning', 'no-items', 'the items of the array can be anything')
    if (!has('maxItems') && !(has('prefixItems') && schema.items === false)) say('warning', 'unbounded-array', 'no maxItems')
  }
  const finite = typeof schema.pattern === 'string' && !/[+*]|\{[0-9]+,\}/.test(schema.pattern) && /^\^.*\$$/.test(schema.pattern)
  if (types.includes('string') && !finite && !['maxLength', 'enum', 'const', 'format'].some(has)) say('warning', 'unbounded-string', 'no maxLength, enum or format')
}

function print(path, findings, options) {
  const count = (severity) => findings.filter((finding) => finding.severity === severity).length
  const [errors, warnings, infos] = SEVERITIES.map(count)
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ findings: findings.slice(0, MAX_FINDINGS), errors, warnings, infos }, undefined, 2)}\n`)
    return
  }
  for (const { severity, rule, pointer, message } of findings.slice(0, MAX_FINDINGS)) {
    process.stdout.write(`${severity.padEnd(7)}  ${rule.padEnd(17)}  ${shown(pointer || '(root)', 120)}  ${message}\n`)
  }
  if (findings.length > MAX_FINDINGS) process.stdout.write(`… and ${findings.length - MAX_FINDINGS} more\n`)
  const parts = [[errors, 'error'], [warnings, 'warning'], [infos, 'info']].filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}${n > 1 && word !== 'info' ? 's' : ''}`)
  process.stdout.write(`${path}: ${parts.length > 0 ? parts.join(', ') : 'no findings'}\n`)
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}

run(main, HELP)
