/** The library: run suites and agents from a program, and read their results. */

export type { Diagnostic, Severity } from './core/diagnostic.ts'
export { FileError, InvalidInputError, SkillsEvalError, ToolServerError, UsageError } from './core/errors.ts'
export type { ApprovalAnswer, ApprovalQuestion, ProvidedTool, RunListener, ToolResult } from './core/ports.ts'
export type { CaseResult, CheckResult, RunResult, Status, Summary, TrialResult, TrialRow } from './core/results.ts'
export type { ActionRecord, TrajectoryEvent } from './core/trajectory.ts'
export type { Approve } from './library/caller-approver.ts'
export { defineTool, type ToolDefinition } from './library/define-tool.ts'
export type { Surroundings } from './library/library-host.ts'
export { type AgentOptions, type AgentResult, runAgent } from './library/run-agent.ts'
export { runSuites, type SuitesOptions, type SuitesResult } from './library/run-suites.ts'
