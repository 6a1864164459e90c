import type { RecordMode } from '../core/record-mode.ts'

/** What `skills-eval run` was asked for. */
export type RunOptions = {
  readonly paths: readonly string[]
  readonly config?: string
  readonly models?: readonly string[]
  readonly filter?: readonly string[]
  readonly tags?: readonly string[]
  readonly skills?: readonly string[]
  readonly trials?: number
  readonly concurrency?: number
  readonly bail?: number
  /** USD that live models may cost together. */
  readonly maxCostUsd?: number
  readonly seed?: number
  readonly reporters: readonly ReporterChoice[]
  readonly json: boolean
  readonly quiet: boolean
  readonly list: boolean
  readonly dryRun: boolean
  readonly passWithNoCases: boolean
  readonly trustSuites: boolean
  readonly record?: RecordMode
  readonly allowStale: boolean
  /** The words after the program's name, as they are kept in run.json. */
  readonly command: readonly string[]
}

export const reporterNames = ['terminal', 'json', 'jsonl', 'junit', 'html', 'markdown', 'github'] as const
export type ReporterName = (typeof reporterNames)[number]

/** A reporter and the file it writes; without one it prints to stdout. */
export type ReporterChoice = { readonly name: ReporterName; readonly path?: string }
