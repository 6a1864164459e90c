/** The library: run suites and read their results from a program. */

export type { Host } from './app/host.ts'
export { runEvals } from './app/run-evals.ts'
export type { RunOptions } from './app/run-options.ts'
export type { Diagnostic, Severity } from './core/diagnostic.ts'
export { InvalidInputError, SkillsEvalError, UsageError } from './core/errors.ts'
export type { RunListener } from './core/ports.ts'
export type { CaseResult, CheckResult, RunResult, Status, Summary, TrialResult } from './core/results.ts'
