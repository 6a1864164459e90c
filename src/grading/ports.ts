import type { ModelAdapter } from '../core/ports.ts'
import type { Check } from '../schema/check.ts'

export type ScriptCheck = NonNullable<Check['script']>

export type ScriptRun = {
  /** null where it was killed or could not be started. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
  /** Set where the program could not be started at all. */
  readonly startError?: string
}

/**
 * Runs graders that are programs: in the trial's workspace, the judged text on standard input, the trajectory as a
 * file. Rejects only when the run is aborted.
 */
export interface GraderScripts {
  runScript(request: { readonly check: ScriptCheck; readonly text: string }): Promise<ScriptRun>
}

/** Authored JSON Schemas that a check names by a path relative to its suite. */
export interface GraderSchemas {
  /** The parsed schema; the same object each time, so that it is compiled once. Throws a FileError. */
  readSchema(path: string): unknown
}

/** Who judges rubrics, and what the agent was asked. */
export type Judge = { readonly model: ModelAdapter; readonly request: string; readonly signal: AbortSignal }

export type GradingPorts = GraderScripts &
  GraderSchemas & {
    /** Undefined: there is none. */
    readonly judge?: Judge
  }
