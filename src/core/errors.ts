import type { Diagnostic } from './diagnostic.ts'

/**
 * We can't go on, and a person can do something about it. `code` is stable, `message` says what
 * happened to what, `hint` what to do next. Anything that is not one of these is a bug and keeps its stack.
 */
export class SkillsEvalError extends Error {
  readonly code: string
  readonly hint: string | undefined

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.hint = options.hint
  }
}

/** The command line was wrong: unknown option, bad value, nothing to do. Exit 2. */
export class UsageError extends SkillsEvalError {}

/** A file could not be read as what it should be (missing, a folder, too large, not UTF-8). */
export class FileError extends SkillsEvalError {}

/** A server of tools did not start, or answers in a way that is no use. */
export class ToolServerError extends SkillsEvalError {}

/** Authored files are wrong; all that was found is in `diagnostics`. Exit 2, nothing was run. */
export class InvalidInputError extends SkillsEvalError {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super('invalid_input', 'some files are not valid')
    this.diagnostics = diagnostics
  }
}
