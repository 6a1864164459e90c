import type { Severity } from '../core/diagnostic.ts'
import type { Path } from './path.ts'

/** Something wrong at a path of some data, before it is known where in a file that is. */
export type Finding = {
  readonly path: Path
  /** Whether the key at the path is meant, or its value. */
  readonly at: 'key' | 'value'
  /** Without its namespace: `unknown-key`. */
  readonly code: string
  readonly message: string
  readonly hint?: string
  /** `error` unless told. */
  readonly severity?: Severity
  /** Set where this only counts so many further mistakes, which nobody looked at closely. */
  readonly rest?: number
}

/** Whether one of the findings is more than a warning. */
export const hasError = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity = 'error' }) => severity === 'error')

/** The finding as one of the value that lies at `prefix`. */
export const below = (prefix: Path, finding: Finding): Finding => ({ ...finding, path: [...prefix, ...finding.path] })

/** A finding whose path starts at the entry `at` of the suite's cases; without `at`, at the suite. */
export type SuiteFinding = { readonly at?: number; readonly finding: Finding }
