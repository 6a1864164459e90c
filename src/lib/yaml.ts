import { Composer, type CST, type Document, Lexer, LineCounter, Parser } from 'yaml'
import type { Diagnostic } from '../core/diagnostic.ts'
import { type YamlPositions, yamlPositions } from './yaml-positions.ts'
import { diagnoseYaml, MOST_YAML_DIAGNOSTICS, type YamlProblem } from './yaml-problems.ts'
import { yamlToPlain } from './yaml-to-plain.ts'

export type YamlOptions = {
  /** The name that diagnostics carry. */
  readonly file: string
  readonly maxBytes: number
  /** How deep maps and lists may nest; 64 unless told. */
  readonly maxDepth?: number
  /** How many `key: value` entries there may be in all; unlimited (but for the bytes) unless told. */
  readonly maxKeys?: number
  /** `core` (the default) reads numbers, booleans and null; `strings` keeps each scalar as it is written. */
  readonly scalars?: 'core' | 'strings'
  /** The namespace of the diagnostics' codes: `suite` makes `suite/yaml-syntax`. */
  readonly codePrefix: string
}

export type YamlResult =
  | { readonly ok: true; readonly value: unknown; readonly positions: YamlPositions }
  | { readonly ok: false; readonly diagnostics: Diagnostic[] }

/**
 * Reads one YAML 1.2 document as plain data: objects, arrays, strings, numbers, booleans, null. An empty
 * text is null. Keys are the strings that were written. Anchors, aliases, tags beyond the core ones, merge keys,
 * duplicate keys and further documents are refused, `__proto__` is a key like any other. All that is wrong comes
 * back as diagnostics (at most 20) with line and column; it never throws, whatever the text.
 */
export const parseYaml = (text: string, options: YamlOptions): YamlResult => {
  const { maxDepth = 64 } = options
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const lines = new LineCounter()
  const fail = (problems: readonly YamlProblem[]): YamlResult => ({
    ok: false,
    diagnostics: diagnoseYaml(problems, lines, options),
  })

  if (isLargerThan(source, options.maxBytes)) {
    lines.addNewLine(0)
    return fail([{ fault: 'too-large', offset: 0, detail: `the file is larger than ${options.maxBytes} bytes` }])
  }
  const scanned = scan(source, lines, maxDepth)
  if (!scanned.ok) return fail(scanned.problems)

  const document = compose(scanned.tokens, source.length, options.scalars ?? 'core')
  const further = scanned.tokens.filter((token) => token.type === 'document')[1]
  const plain = yamlToPlain(document.contents, options.maxKeys ?? Number.POSITIVE_INFINITY)
  const problems = [...document.errors, ...document.warnings]
    .map(({ code, pos, message }): YamlProblem => ({ fault: code, offset: pos[0], detail: message }))
    .concat(plain.problems)
  if (further !== undefined) {
    problems.push({ fault: 'further-document', offset: further.offset, detail: 'a second document starts here' })
  }
  if (problems.length > 0) return fail(problems)
  return { ok: true, value: plain.value, positions: yamlPositions(document.contents, lines) }
}

const isLargerThan = (text: string, maxBytes: number): boolean =>
  text.length > maxBytes || (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)

type Scan =
  | { readonly ok: true; readonly tokens: CST.Token[] }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] }

/**
 * Composing recurses, and a handful of documents that exhaust the stack abort the whole process: V8 dies when it
 * compiles a regular expression then, and no `try` catches that. Lexer and parser only keep a stack of their own, so
 * depth is measured there, token by token, before anything is composed.
 */
const scan = (source: string, lines: LineCounter, maxDepth: number): Scan => {
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  const faults: YamlProblem[] = []
  const take = (token: CST.Token): void => {
    tokens.push(token)
    if (token.type === 'error') {
      faults.push({ fault: 'UNEXPECTED_TOKEN', offset: token.offset, detail: token.message })
    }
  }

  lines.addNewLine(0)
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) take(token)
    // The stack also holds the document and perhaps a scalar: count only when it can matter.
    if (parser.stack.length > maxDepth && depthOf(parser.stack) > maxDepth) {
      const detail = `nested deeper than ${maxDepth} levels`
      return { ok: false, problems: [{ fault: 'too-deep', offset: parser.offset, detail }] }
    }
    if (faults.length >= MOST_YAML_DIAGNOSTICS) return { ok: false, problems: faults }
  }
  for (const token of parser.end()) take(token)
  return { ok: true, tokens }
}

const depthOf = (stack: readonly CST.Token[]): number => stack.filter((token) => 'items' in token).length

const compose = (tokens: readonly CST.Token[], length: number, scalars: 'core' | 'strings'): Document => {
  const composer = new Composer({
    schema: scalars === 'core' ? 'core' : 'failsafe',
    merge: false,
    resolveKnownTags: false,
    // The package compares each key with all before it, quadratic in the size of a map: done when converting.
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
  })
  let first: Document | undefined
  // Each fault is made as an Error: without a limit, a megabyte of them spends seconds on stack traces that nobody sees.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    for (const document of composer.compose(tokens, true, length)) first ??= document
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  if (first === undefined) throw new Error('a YAML stream without a document, although one was asked for')
  return first
}
