// Reading JSON files that others wrote: limits, line numbers for faults, duplicate keys. Only Node's own modules.
import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'

const MAX_BYTES = 16 * 1024 * 1024
const MAX_DEPTH = 100
const MAX_SAMPLES = 10_000

/** The input can't be used; exit code 1. */
export class Failure extends Error {}

/** The arguments are wrong; exit code 2. */
export class Usage extends Error {}

/** Runs a script: prints what main returns, sets the exit code 0 (done), 1 (failure or findings) or 2 (usage). */
export function run(main, help) {
  process.stdout.on('error', () => process.exit(1))
  try {
    if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
      process.stdout.write(help)
      return
    }
    process.exitCode = main(process.argv.slice(2)) ?? 0
  } catch (error) {
    if (!(error instanceof Failure || error instanceof Usage)) throw error
    process.stderr.write(`error: ${error.message}${error instanceof Usage ? '\nTry --help.' : ''}\n`)
    process.exitCode = error instanceof Usage ? 2 : 1
  }
}

/** Options and positionals; an unknown option or a missing value is a Usage error. */
export function readArguments(argv, options) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true })
  } catch (error) {
    throw new Usage(error.message.split('. ')[0])
  }
}

/** The text of a regular file without its byte order mark. */
export function readText(path) {
  try {
    // Before opening: a named pipe would wait for a writer.
    const found = statSync(path)
    if (!found.isFile()) throw new Failure(`${path} is not a regular file`)
    if (found.size > MAX_BYTES) throw new Failure(`${path} is larger than ${MAX_BYTES / 1024 / 1024} MiB`)
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(error.code === 'ENOENT' ? `no such file: ${path}` : `can't read ${path}: ${error.code ?? 'unknown error'}`)
  }
}

/** {value, duplicates}: the JSON value, and the places of keys that stand twice in one object (the last one counts). */
export function readJson(path) {
  return parseJson(readText(path), path)
}

/** Samples of a file: one document, one per line for .jsonl and .ndjson, or the items of a top-level array with each. */
export function readSamples(path, each) {
  const text = readText(path)
  if (/\.(jsonl|ndjson)$/i.test(path)) {
    const samples = []
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() !== '') samples.push({ name: `${path}:${index + 1}`, value: parseJson(line, path, index).value })
    }
    return bounded(samples, path)
  }
  const { value } = parseJson(text, path)
  if (!each) return [{ name: path, value }]
  if (!Array.isArray(value)) throw new Failure(`${path} holds no array at the top, so --each can't take it apart`)
  return bounded(value.map((item, index) => ({ name: `${path}#/${index}`, value: item })), path)
}

function bounded(samples, path) {
  if (samples.length === 0) throw new Failure(`${path} holds no samples`)
  if (samples.length > MAX_SAMPLES) throw new Failure(`${path} holds more than ${MAX_SAMPLES} samples`)
  return samples
}

function parseJson(text, path, lineOffset = 0) {
  if (text.trim() === '') throw new Failure(`${path} is empty`)
  const { fault, duplicates } = scan(text)
  if (fault) {
    const { line, column } = position(text, fault.offset)
    throw new Failure(`${path}:${line + lineOffset}:${column}: ${fault.message}`)
  }
  const places = duplicates.map(({ key, offset }) => ({ key, line: position(text, offset).line + lineOffset }))
  return { value: JSON.parse(text), duplicates: places }
}

function position(text, offset) {
  const before = text.slice(0, offset)
  const lastBreak = before.lastIndexOf('\n')
  return { line: before.split('\n').length, column: [...before.slice(lastBreak + 1)].length + 1 }
}

const SPACE = /[ \t\n\r]*/y
const SCALAR = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y

const BAD_STRING = 'a string that is not closed, or holds a line break, another control character or a bad escape'

/** The first fault of a JSON text with its offset, found without recursion, and the duplicate keys. */
function scan(text) {
  const stack = []
  const duplicates = []
  let at = 0
  // What may come next: a value, a key, the first of either (or the end), a colon, a comma (or the end).
  let expect = 'value'
  const fail = (message) => ({ fault: { offset: at, message }, duplicates })
  for (;;) {
    SPACE.lastIndex = at
    at += SPACE.exec(text)[0].length
    const top = stack.at(-1)
    const char = text[at]
    if (expect === 'comma' && !top) return at === text.length ? { duplicates } : fail('text after the end of the document')
    if (char === undefined) return fail('the document ends too early')
    if (top && (expect === 'first' || expect === 'comma') && char === (top.keys ? '}' : ']')) {
      stack.pop()
      at += 1
      expect = 'comma'
    } else if (expect === 'comma') {
      if (char !== ',') return fail(`expected "," or "${top.keys ? '}' : ']'}"`)
      at += 1
      expect = top.keys ? 'key' : 'value'
    } else if (expect === 'colon') {
      if (char !== ':') return fail('expected ":" after the key')
      at += 1
      expect = 'value'
    } else if (top?.keys && (expect === 'key' || expect === 'first')) {
      SCALAR.lastIndex = at
      const key = char === '"' ? SCALAR.exec(text)?.[0] : undefined
      if (key === undefined) return fail(char === '"' ? BAD_STRING : 'expected a key in double quotes')
      const name = JSON.parse(key)
      if (top.keys.has(name)) duplicates.push({ key: name, offset: at })
      top.keys.add(name)
      at += key.length
      expect = 'colon'
    } else if (char === '{' || char === '[') {
      if (stack.length >= MAX_DEPTH) return fail(`nested more than ${MAX_DEPTH} levels deep`)
      stack.push({ keys: char === '{' ? new Set() : undefined })
      at += 1
      expect = 'first'
    } else {
      SCALAR.lastIndex = at
      const scalar = SCALAR.exec(text)?.[0]
      if (scalar === undefined) return fail(char === '"' ? BAD_STRING : 'expected a value')
      at += scalar.length
      expect = 'comma'
    }
  }
}

/** A step of a JSON Pointer (RFC 6901). */
export function step(name) {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Text fit for one line of output: control characters escaped, long ones cut. */
export function shown(text, width = 80) {
  const flat = String(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return flat.length > width ? `${flat.slice(0, width - 1)}…` : flat
}
