// A validator for the part of JSON Schema 2020-12 that schemas for documents use. What it can't check, it refuses.
import { createContext, Script } from 'node:vm'
import { FORMATS } from './formats.mjs'
import { Failure, shown, step } from './json-input.mjs'

const MAX_STEPS = 2_000_000
const MAX_ERRORS = 20
const MAX_NESTING = 400
const PATTERN_MS = 1000
const UNSUPPORTED = ['$dynamicRef', '$recursiveRef', 'unevaluatedItems', 'unevaluatedProperties']

/** Checks a value against a schema within root, by default root itself; returns [{pointer, message}], at most 20.
 * The keywords must be well formed (see malformed). Throws Failure for what can't be decided. */
export function validate(root, value, schema = root) {
  const run = { root, steps: 0, nesting: 0 }
  const errors = []
  check(run, schema, value, '', errors)
  return errors.slice(0, MAX_ERRORS)
}

function check(run, schema, value, at, errors) {
  if (++run.steps > MAX_STEPS) throw new Failure('gave up: the schema needs too many steps for this sample')
  if (schema === true) return
  if (schema === false) return void errors.push({ pointer: at, message: 'is not allowed here' })
  if (!isObject(schema)) throw new Failure('the schema holds a subschema that is neither an object nor true or false')
  const unsupported = UNSUPPORTED.find((keyword) => Object.hasOwn(schema, keyword))
  if (unsupported) throw new Failure(`can't check ${unsupported}; use a full validator for this schema`)
  if (++run.nesting > MAX_NESTING) throw new Failure('gave up: references go round in circles, or too deep')
  const report = (message, pointer = at) => errors.push({ pointer, message })
  const given = (keyword) => (Object.hasOwn(schema, keyword) ? schema[keyword] : undefined)
  const sub = (inner, innerValue = value, innerAt = at) => {
    const found = []
    check(run, inner, innerValue, innerAt, found)
    return found
  }
  if (given('$ref') !== undefined) errors.push(...sub(resolve(run.root, schema.$ref)))
  anyValue(given, value, report)
  combined(given, sub, report, errors)
  if (typeof value === 'string') strings(given, value, report)
  else if (typeof value === 'number') numbers(given, value, report)
  else if (Array.isArray(value)) arrays(given, value, at, sub, report, errors)
  else if (isObject(value)) objects(given, value, at, sub, report, errors)
  run.nesting -= 1
}

function anyValue(given, value, report) {
  const types = given('type')
  if (types !== undefined && ![types].flat().some((type) => hasType(value, type))) report(`must be ${[types].flat().join(' or ')}, is ${typeOf(value)}`)
  const allowed = given('enum')
  if (allowed !== undefined && !allowed.some((one) => canonical(one) === canonical(value))) report(`must be one of ${shown(JSON.stringify(allowed))}`)
  if (given('const') !== undefined && canonical(given('const')) !== canonical(value)) report(`must be ${shown(JSON.stringify(given('const')))}`)
}

function combined(given, sub, report, errors) {
  for (const inner of given('allOf') ?? []) errors.push(...sub(inner))
  const any = given('anyOf')
  if (any && !any.some((inner) => sub(inner).length === 0)) report('matches no branch of anyOf')
  const one = given('oneOf')
  if (one) {
    const matching = one.filter((inner) => sub(inner).length === 0).length
    if (matching !== 1) report(`must match exactly one branch of oneOf, matches ${matching}`)
  }
  if (given('not') !== undefined && sub(given('not')).length === 0) report('matches what "not" forbids')
  if (given('if') !== undefined) {
    const branch = given(sub(given('if')).length === 0 ? 'then' : 'else')
    if (branch !== undefined) errors.push(...sub(branch))
  }
}

function strings(given, value, report) {
  const length = [...value].length
  if (length < (given('minLength') ?? 0)) report(`must have at least ${given('minLength')} characters, has ${length}`)
  if (length > (given('maxLength') ?? Infinity)) report(`must have at most ${given('maxLength')} characters, has ${length}`)
  const pattern = given('pattern')
  if (pattern !== undefined && !matches(pattern, value)) report(`must match ${shown(pattern)}`)
  const format = FORMATS.get(given('format'))
  if (format && !format(value)) report(`must be a valid ${given('format')}`)
}

function numbers(given, value, report) {
  if (value < (given('minimum') ?? -Infinity)) report(`must be at least ${given('minimum')}`)
  if (value > (given('maximum') ?? Infinity)) report(`must be at most ${given('maximum')}`)
  if (value <= (given('exclusiveMinimum') ?? -Infinity)) report(`must be above ${given('exclusiveMinimum')}`)
  if (value >= (given('exclusiveMaximum') ?? Infinity)) report(`must be below ${given('exclusiveMaximum')}`)
  const factor = given('multipleOf')
  // 0.3 / 0.1 is not 3 in binary; a billionth of a step is the tolerance.
  if (factor !== undefined && Math.abs(value / factor - Math.round(value / factor)) > 1e-9) report(`must be a multiple of ${factor}`)
}

function arrays(given, value, at, sub, report, errors) {
  if (value.length < (given('minItems') ?? 0)) report(`must have at least ${given('minItems')} items, has ${value.length}`)
  if (value.length > (given('maxItems') ?? Infinity)) report(`must have at most ${given('maxItems')} items, has ${value.length}`)
  if (given('uniqueItems') === true && new Set(value.map(canonical)).size < value.length) report('must not hold the same item twice')
  const prefix = given('prefixItems') ?? []
  for (const [index, item] of value.entries()) {
    const inner = index < prefix.length ? prefix[index] : given('items')
    if (inner !== undefined && errors.length < MAX_ERRORS) errors.push(...sub(inner, item, at + step(index)))
  }
  const contains = given('contains')
  if (contains === undefined) return
  const found = value.filter((item) => sub(contains, item, at).length === 0).length
  if (found < (given('minContains') ?? 1)) report(`must contain at least ${given('minContains') ?? 1} matching items, has ${found}`)
  if (found > (given('maxContains') ?? Infinity)) report(`must contain at most ${given('maxContains')} matching items, has ${found}`)
}

function objects(given, value, at, sub, report, errors) {
  const names = Object.keys(value)
  for (const name of given('required') ?? []) if (!Object.hasOwn(value, name)) report(`lacks ${shown(JSON.stringify(name))}`)
  if (names.length < (given('minProperties') ?? 0)) report(`must have at least ${given('minProperties')} properties`)
  if (names.length > (given('maxProperties') ?? Infinity)) report(`must have at most ${given('maxProperties')} properties`)
  const properties = given('properties') ?? {}
  const patterns = Object.entries(given('patternProperties') ?? {})
  for (const name of names) {
    if (errors.length >= MAX_ERRORS) return
    const inner = at + step(name)
    const known = Object.hasOwn(properties, name)
    const matching = patterns.filter(([pattern]) => matches(pattern, name))
    if (known) errors.push(...sub(properties[name], value[name], inner))
    for (const [, schema] of matching) errors.push(...sub(schema, value[name], inner))
    const others = given('additionalProperties')
    if (!known && matching.length === 0 && others !== undefined) {
      if (others === false) report('is not a known property', inner)
      else errors.push(...sub(others, value[name], inner))
    }
    if (given('propertyNames') !== undefined && sub(given('propertyNames'), name).length > 0) report('has a name that is not allowed', inner)
  }
  for (const [name, needed] of Object.entries(given('dependentRequired') ?? {}))
    if (Object.hasOwn(value, name)) for (const other of needed) if (!Object.hasOwn(value, other)) report(`has ${shown(name)}, so it needs ${shown(other)}`)
  for (const [name, inner] of Object.entries(given('dependentSchemas') ?? {})) if (Object.hasOwn(value, name)) errors.push(...sub(inner))
}

/** The subschema that a local reference names. Throws Failure for others. */
export function resolve(root, reference) {
  if (typeof reference !== 'string' || !reference.startsWith('#')) throw new Failure(`can't follow ${shown(JSON.stringify(reference))}: only references within the schema (#…)`)
  const found = find(root, reference)
  if (found === undefined) throw new Failure(`the reference ${shown(reference)} leads nowhere`)
  return found
}

/** Like resolve, but undefined where there is nothing. */
export function find(root, reference) {
  if (reference !== '#' && !reference.startsWith('#/')) return findAnchor(root, reference.slice(1))
  let here = root
  for (const raw of reference.split('/').slice(1)) {
    let name
    try {
      name = decodeURIComponent(raw).replaceAll('~1', '/').replaceAll('~0', '~')
    } catch {
      return undefined
    }
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, name)) return undefined
    here = here[name]
  }
  return here
}

const anchors = new WeakMap()

function findAnchor(root, name) {
  if (!isObject(root)) return undefined
  if (!anchors.has(root)) anchors.set(root, collectAnchors(root, new Map()))
  return anchors.get(root).get(name)
}

function collectAnchors(schema, found) {
  if (schema === null || typeof schema !== 'object') return found
  if (!Array.isArray(schema) && Object.hasOwn(schema, '$anchor') && !found.has(schema.$anchor)) found.set(schema.$anchor, schema)
  for (const inner of Object.values(schema)) collectAnchors(inner, found)
  return found
}

const sandbox = createContext({ pattern: undefined, text: '' })
const tester = new Script('pattern.test(text)')
const compiled = new Map()

/** Whether a text matches; a pattern that takes longer than a second is refused, since any server would choke on it too. */
export function matches(source, text) {
  try {
    if (!compiled.has(source)) compiled.set(source, new RegExp(source, 'u'))
  } catch {
    throw new Failure(`the pattern ${shown(source)} is not a valid regular expression`)
  }
  sandbox.pattern = compiled.get(source)
  sandbox.text = text
  try {
    return tester.runInContext(sandbox, { timeout: PATTERN_MS })
  } catch {
    throw new Failure(`the pattern ${shown(source)} took longer than ${PATTERN_MS} ms on one string; rewrite it without nested repetition`)
  }
}

function hasType(value, type) {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return typeof value === 'number'
  return typeOf(value) === type
}

/** The JSON Schema type of a value; whole numbers are "integer". */
export function typeOf(value) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}
