#!/usr/bin/env node
// Infers a JSON Schema (draft 2020-12) from sample documents.
import { readFileSync } from 'node:fs'
import { FORMATS } from '../lib/formats.mjs'
import { Failure, readArguments, readSamples, run, shown, step, Usage } from '../lib/json-input.mjs'

const HELP = `usage: infer.mjs SAMPLE… [options]

Prints a JSON Schema (draft 2020-12) that all samples satisfy, and notes on standard error.
A sample file is .json (one document), or .jsonl or .ndjson (one document a line).

  --each               the file holds an array: take each item as a sample
  --title TEXT         title of the schema
  --description TEXT   description of the schema
  --id URI             $id of the schema
  --open               allow properties that no sample has (default: additionalProperties false)
  --enums              strings with few, repeated values become an enum (4 or more seen, at most 8 different)
  --bounds             add maxLength, maxItems and minimum with room above what was seen
  --no-formats         don't recognise dates, e-mail addresses, UUIDs and the like

exit codes: 0 done, 1 a sample can't be read, 2 wrong arguments
`

const MAX_PROPERTIES = 1000
const MAX_VALUES = 64
const KEY_PATTERNS = [
  ['^[0-9]+$', /^[0-9]+$/],
  ['^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$', /^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$/],
  ['^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
]

function main(argv) {
  const { values: options, positionals } = readArguments(argv, {
    each: { type: 'boolean' },
    title: { type: 'string' },
    description: { type: 'string' },
    id: { type: 'string' },
    open: { type: 'boolean' },
    enums: { type: 'boolean' },
    bounds: { type: 'boolean' },
    'no-formats': { type: 'boolean' },
  })
  if (positionals.length === 0) throw new Usage('no sample given')
  if (options.id !== undefined && !URL.canParse(options.id)) throw new Usage(`--id is not an absolute URI: ${shown(options.id)}`)
  const shape = newShape()
  const samples = positionals.flatMap((path) => readSamples(path, options.each))
  for (const { value } of samples) add(shape, value, '')
  const notes = [`${samples.length} ${samples.length === 1 ? 'sample' : 'samples'}`]
  if (samples.length === 1) notes.push('one sample: every property of it is taken as required; give more, or review "required"')
  const schema = describe(shape, '', options, notes)
  process.stdout.write(`${JSON.stringify({ ...head(options), ...schema }, undefined, 2)}\n`)
  for (const note of notes) process.stderr.write(`note: ${note}\n`)
}

/** The skeleton's annotations, filled in from the options; those without a value are left out. */
function head(options) {
  const skeleton = JSON.parse(readFileSync(new URL('../assets/schema-skeleton.json', import.meta.url), 'utf8'))
  const given = { $id: options.id, title: options.title, description: options.description }
  const entries = Object.entries(skeleton).filter(([key]) => key === '$schema' || given[key] !== undefined)
  return Object.fromEntries(entries.map(([key, value]) => [key, given[key] ?? value]))
}

function newShape() {
  return { total: 0, null: 0, boolean: 0, integer: 0, number: 0, string: 0, array: 0, object: 0, lowest: Infinity, texts: undefined, items: undefined, properties: undefined }
}

function add(shape, value, at) {
  shape.total += 1
  if (value === null) shape.null += 1
  else if (typeof value === 'boolean') shape.boolean += 1
  else if (typeof value === 'number') addNumber(shape, value)
  else if (typeof value === 'string') addText(shape, value)
  else if (Array.isArray(value)) {
    shape.array += 1
    shape.items ??= { shape: newShape(), longest: 0 }
    shape.items.longest = Math.max(shape.items.longest, value.length)
    for (const item of value) add(shape.items.shape, item, `${at}/*`)
  } else addObject(shape, value, at)
}

function addNumber(shape, value) {
  shape[Number.isInteger(value) ? 'integer' : 'number'] += 1
  shape.lowest = Math.min(shape.lowest, value)
}

function addText(shape, value) {
  shape.string += 1
  shape.texts ??= { longest: 0, shortest: Infinity, formats: [...FORMATS.keys()], values: new Set() }
  const texts = shape.texts
  const length = [...value].length
  texts.longest = Math.max(texts.longest, length)
  texts.shortest = Math.min(texts.shortest, length)
  texts.formats = texts.formats.filter((name) => length < 2048 && FORMATS.get(name)(value))
  if (texts.values.size <= MAX_VALUES) texts.values.add(value)
}

function addObject(shape, value, at) {
  shape.object += 1
  shape.properties ??= new Map()
  for (const [name, inner] of Object.entries(value)) {
    if (!shape.properties.has(name)) shape.properties.set(name, newShape())
    add(shape.properties.get(name), inner, at + step(name))
  }
  if (shape.properties.size > MAX_PROPERTIES && !keyPattern([...shape.properties.keys()]))
    throw new Failure(`${at || 'the document'} has more than ${MAX_PROPERTIES} different properties; is it a map from names to values?`)
}

function describe(shape, at, options, notes) {
  const branches = []
  if (shape.object > 0) branches.push(describeObject(shape, at, options, notes))
  if (shape.array > 0) branches.push(describeArray(shape, at, options, notes))
  if (shape.string > 0) branches.push(describeText(shape.texts, shape.string, options))
  if (shape.integer + shape.number > 0) branches.push(describeNumber(shape, options))
  if (shape.boolean > 0) branches.push({ type: 'boolean' })
  if (shape.null > 0 && branches.length === 0) notes.push(`${at || 'the document'} is null in every sample; its type is not known`)
  if (shape.null > 0 && branches.length === 1) return nullable(branches[0])
  if (shape.null > 0) branches.push({ type: 'null' })
  if (branches.length < 2) return branches[0] ?? {}
  notes.push(`${at || 'the document'} has several types: ${branches.map((branch) => branch.type).join(', ')}`)
  return { anyOf: branches }
}

function nullable(schema) {
  const { type, enum: values, ...rest } = schema
  return { type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}), ...rest }
}

function describeObject(shape, at, options, notes) {
  const names = [...shape.properties.keys()]
  const pattern = keyPattern(names)
  if (pattern) {
    const merged = newShape()
    for (const inner of shape.properties.values()) merge(merged, inner)
    notes.push(`${at || 'the document'} looks like a map: its ${names.length} keys match ${pattern}`)
    return {
      type: 'object',
      propertyNames: { pattern },
      ...(options.bounds ? { maxProperties: room(names.length) } : {}),
      additionalProperties: describe(merged, `${at}/*`, options, notes),
    }
  }
  const properties = Object.fromEntries(names.map((name) => [name, describe(shape.properties.get(name), at + step(name), options, notes)]))
  const required = names.filter((name) => shape.properties.get(name).total === shape.object)
  for (const name of names) {
    const { total } = shape.properties.get(name)
    if (total < shape.object) notes.push(`${at}${step(name)} is optional: in ${total} of ${shape.object}`)
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(options.open ? {} : { additionalProperties: false }),
  }
}

function keyPattern(names) {
  if (names.length < 3) return undefined
  return KEY_PATTERNS.find(([, pattern]) => names.every((name) => pattern.test(name)))?.[0]
}

function describeArray(shape, at, options, notes) {
  const { shape: items, longest } = shape.items
  if (items.total === 0) notes.push(`${at || 'the document'} is an empty array in every sample; its items are not known`)
  return {
    type: 'array',
    ...(items.total > 0 ? { items: describe(items, `${at}/*`, options, notes) } : {}),
    ...(options.bounds ? { maxItems: room(longest) } : {}),
  }
}

function describeText(texts, count, options) {
  const distinct = texts.values.size
  if (options.enums && count >= 4 && distinct <= 8 && distinct * 2 <= count) return { type: 'string', enum: [...texts.values].sort() }
  const format = options['no-formats'] ? undefined : texts.formats[0]
  if (format) return { type: 'string', format }
  if (!options.bounds) return { type: 'string' }
  return { type: 'string', ...(texts.shortest > 0 ? { minLength: 1 } : {}), maxLength: room(texts.longest) }
}

function describeNumber(shape, options) {
  return {
    type: shape.number > 0 ? 'number' : 'integer',
    ...(options.bounds && shape.lowest >= 0 ? { minimum: 0 } : {}),
  }
}

/** The next power of two that leaves at least as much again. */
function room(seen) {
  return Math.max(16, 2 ** Math.ceil(Math.log2(Math.max(1, seen * 2))))
}

function merge(into, from) {
  for (const key of ['total', 'null', 'boolean', 'integer', 'number', 'string', 'array', 'object']) into[key] += from[key]
  into.lowest = Math.min(into.lowest, from.lowest)
  if (from.texts) {
    into.texts ??= { longest: 0, shortest: Infinity, formats: [...FORMATS.keys()], values: new Set() }
    into.texts.longest = Math.max(into.texts.longest, from.texts.longest)
    into.texts.shortest = Math.min(into.texts.shortest, from.texts.shortest)
    into.texts.formats = into.texts.formats.filter((name) => from.texts.formats.includes(name))
    for (const value of from.texts.values) if (into.texts.values.size <= MAX_VALUES) into.texts.values.add(value)
  }
  if (from.items) {
    into.items ??= { shape: newShape(), longest: 0 }
    into.items.longest = Math.max(into.items.longest, from.items.longest)
    merge(into.items.shape, from.items.shape)
  }
  for (const [name, inner] of from.properties ?? []) {
    into.properties ??= new Map()
    if (!into.properties.has(name)) into.properties.set(name, newShape())
    merge(into.properties.get(name), inner)
  }
  if (from.object > 0) into.properties ??= new Map()
}

run(main, HELP)
