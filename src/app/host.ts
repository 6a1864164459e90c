import type { Files } from '../core/ports.ts'

/** What the outside gives a use case: where it is, what it may read of the environment, where it may print. */
export type Host = {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isCi: boolean
  /** How many things this machine does at a time. */
  readonly cores: number
  readonly version: string
  /** Absolute folder of the installed package: built-in skills and schemas lie in it. */
  readonly packageDir: string
  readonly files: Files
  /** Results, as they are. */
  stdout(text: string): void
  /** Progress, diagnostics, hints. */
  stderr(text: string): void
  readonly color: boolean
  /** Columns of the terminal that stdout goes to now; where it goes to none, those of $COLUMNS, or 80. */
  readonly width: number
  readonly signal: AbortSignal
}
