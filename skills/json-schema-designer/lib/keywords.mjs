// The keywords of JSON Schema 2020-12, what their values must look like, and the way from a schema to its subschemas.
import { Failure, step } from './json-input.mjs'
import { isObject } from './validate.mjs'

const MAX_SCHEMAS = 20_000
const CONDITIONS = ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'dependentSchemas']
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

const isSchema = (value) => isObject(value) || typeof value === 'boolean'
const isNames = (value) => Array.isArray(value) && value.every((name) => typeof name === 'string') && new Set(value).size === value.length
const every = (test) => (value) => isObject(value) && Object.values(value).every(test)

const KINDS = {
  any: ['anything', () => true],
  text: ['a string', (value) => typeof value === 'string'],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  number: ['a number', (value) => typeof value === 'number'],
  factor: ['a number above 0', (value) => typeof value === 'number' && value > 0],
  count: ['a whole number, 0 or more', (value) => Number.isInteger(value) && value >= 0],
  list: ['an array', Array.isArray],
  choices: ['an array with at least one value', (value) => Array.isArray(value) && value.length > 0],
  types: [`one of ${TYPES.join(', ')}, or an array of them`, (value) => (Array.isArray(value) ? value.length > 0 && isNames(value) : true) && [value].flat().every((type) => TYPES.includes(type))],
  names: ['an array of different strings', isNames],
  nameLists: ['an object of arrays of strings', every(isNames)],
  pattern: ['a valid regular expression', isPattern],
  schema: ['a schema (an object, true or false)', isSchema],
  schemas: ['an array with at least one schema', (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema)],
  schemaMap: ['an object of schemas', every(isSchema)],
  patternMap: ['an object of schemas, its keys regular expressions', (value) => every(isSchema)(value) && Object.keys(value).every(isPattern)],
}

const KEYWORDS = new Map(
  Object.entries({
    any: 'const default $vocabulary',
    text: '$schema $id $ref $anchor $comment $dynamicRef $dynamicAnchor title description format contentEncoding contentMediaType',
    flag: 'uniqueItems deprecated readOnly writeOnly',
    number: 'minimum maximum exclusiveMinimum exclusiveMaximum',
    factor: 'multipleOf',
    count: 'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
    list: 'examples',
    choices: 'enum',
    types: 'type',
    names: 'required',
    nameLists: 'dependentRequired',
    pattern: 'pattern',
    schema: 'items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else contentSchema',
    schemas: 'prefixItems allOf anyOf oneOf',
    schemaMap: 'properties $defs dependentSchemas',
    patternMap: 'patternProperties',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])),
)

/** Keywords of older drafts and what took their place. */
export const REPLACED = new Map([
  ['definitions', '$defs'],
  ['id', '$id'],
  ['dependencies', 'dependentRequired or dependentSchemas'],
  ['additionalItems', 'items, beside prefixItems'],
  ['$recursiveRef', '$dynamicRef'],
  ['$recursiveAnchor', '$dynamicAnchor'],
])

function isPattern(value) {
  if (typeof value !== 'string') return false
  try {
    new RegExp(value, 'u')
    return true
  } catch {
    return false
  }
}

/** Whether a keyword belongs to the draft. */
export function isKeyword(name) {
  return KEYWORDS.has(name)
}

export function keywordNames() {
  return [...KEYWORDS.keys()]
}

/** What is wrong with the values of one schema's own keywords. */
export function malformed(schema) {
  if (!isObject(schema)) return []
  return Object.entries(schema).flatMap(([name, value]) => {
    const kind = KINDS[KEYWORDS.get(name)]
    if (!kind || kind[1](value)) return []
    return [{ keyword: name, message: `${name} must be ${kind[0]}` }]
  })
}

/** Every schema below and including root as {schema, pointer, via, inCondition}: via is the keyword that leads to it ("" at
 * the root), inCondition whether it states a condition and not the shape of a document. Throws Failure above 20,000. */
export function walk(root) {
  const found = []
  visit({ schema: root, pointer: '', via: '', inCondition: false }, found)
  return found
}

function visit(here, found) {
  if (found.length >= MAX_SCHEMAS) throw new Failure(`the schema has more than ${MAX_SCHEMAS} subschemas`)
  found.push(here)
  const { schema, pointer, inCondition } = here
  if (!isObject(schema)) return
  for (const [name, value] of Object.entries(schema)) {
    for (const [at, inner] of subschemas(name, value)) {
      const below = { schema: inner, pointer: pointer + step(name) + at, via: name, inCondition: inCondition || CONDITIONS.includes(name) }
      visit(below, found)
    }
  }
}

function subschemas(name, value) {
  const kind = name === 'definitions' ? 'schemaMap' : KEYWORDS.get(name)
  if (kind === 'schema' && isSchema(value)) return [['', value]]
  const many = kind === 'schemas' || kind === 'schemaMap' || kind === 'patternMap' || (name === 'items' && Array.isArray(value))
  if (!many || value === null || typeof value !== 'object') return []
  return Object.entries(value).filter(([, inner]) => isSchema(inner)).map(([key, inner]) => [step(key), inner])
}

/** The name closest to a misspelt one, if any is close. */
export function nearest(name, names) {
  if (names.length > 1000) return undefined
  const limit = Math.max(1, Math.floor(name.length / 3))
  const ranked = names.map((other) => [distance(name.slice(0, 64), other), other]).filter(([far]) => far <= limit)
  return ranked.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1))[0]?.[1]
}

function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]
}
