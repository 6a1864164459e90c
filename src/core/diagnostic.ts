export type Severity = 'error' | 'warning' | 'info'

/**
 * Something about what a person wrote: a suite, a skill, a config, a fixture.
 * `line` and `column` count from 1; absent where the whole file is meant. `code` is stable and
 * namespaced (`suite/unknown-key`, `skill/name-hyphens`); `hint` says what to do next.
 */
export type Diagnostic = {
  readonly severity: Severity
  readonly code: string
  readonly message: string
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly hint?: string
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((d) => d.severity === 'error')
