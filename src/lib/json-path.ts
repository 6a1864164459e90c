import type { JSONPathQuery } from 'json-p3'
import { SkillsEvalError } from '../core/errors.ts'
import { boundedCache } from './bounded-cache.ts'
import { withinDeadline } from './deadline.ts'
import { visibleLine } from './visible.ts'

export type JsonPath = {
  /**
   * The values that a JSONPath selects, in order; none: []. Throws a SkillsEvalError: `invalid_json_path` for what
   * `check` finds, `json_path_timeout` when it takes more than 250 ms, as nested searches of everything may.
   */
  select(path: string, value: unknown): unknown[]
  /** What is wrong with the path; undefined: nothing. */
  check(path: string): string | undefined
}

export type CompiledJsonPath =
  | {
      readonly ok: true
      /** As `select` of JsonPath. */
      select(value: unknown): unknown[]
    }
  | { readonly ok: false; readonly message: string }

const MAX_LENGTH = 1_000
const TIMEOUT_MS = 250

/** Loads the JSONPath engine (RFC 9535). It evaluates no code, and compiled paths are kept. */
export const loadJsonPath = async (): Promise<JsonPath> => {
  const { compile } = await import('json-p3')
  const compiled = (path: string): CompiledJsonPath => paths.get(path, () => compilePath(path, compile))
  return {
    select(path, value) {
      const result = compiled(path)
      if (result.ok) return result.select(value)
      throw new SkillsEvalError('invalid_json_path', `${visibleLine(path, 80)} is no JSONPath: ${result.message}`)
    },
    check(path) {
      const result = compiled(path)
      return result.ok ? undefined : result.message
    },
  }
}

/** One path on its own, loading the engine at the first. */
export const compileJsonPath = async (path: string): Promise<CompiledJsonPath> => {
  const { compile } = await import('json-p3')
  return paths.get(path, () => compilePath(path, compile))
}

const paths = boundedCache<string, CompiledJsonPath>(500)

const compilePath = (path: string, compile: (path: string) => JSONPathQuery): CompiledJsonPath => {
  if (path.length > MAX_LENGTH) return { ok: false, message: `longer than ${MAX_LENGTH} characters` }
  try {
    const query = compile(path)
    return { ok: true, select: (value) => selectInTime(query, path, value) }
  } catch (error) {
    // Also the stack that runs out on hundreds of nested brackets.
    return { ok: false, message: visibleLine(error instanceof Error ? error.message : String(error)) }
  }
}

const selectInTime = (query: JSONPathQuery, path: string, value: unknown): unknown[] => {
  // The engine takes any value: what is no JSON has no members.
  const run = () => query.query(value as Parameters<typeof query.query>[0]).values()
  // Without searches and filters a query looks at each value once, and a watchdog would cost more.
  if (!/\.\.|\?/.test(path)) return run()
  const result = withinDeadline(TIMEOUT_MS, run)
  if (result.ok) return result.value
  throw new SkillsEvalError('json_path_timeout', `${visibleLine(path, 80)} takes longer than ${TIMEOUT_MS} ms`, {
    hint: 'Name the members on the way instead of searching for them with "..".',
  })
}
