import type { ProvidedTool } from '../core/ports.ts'
import type { RecordMode } from '../core/record-mode.ts'
import type { ReporterName } from '../schema/reporter-names.ts'

/** What `skills-eval run` was asked for. */
export type RunOptions = {
  /** Empty: those of the run that is resumed, else `evals`. */
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
  /** The other arm: `without_skills`, `without:NAME`, or a folder with another version of the skills. */
  readonly baseline?: string
  /** Runs the other arm also where an earlier run has it. */
  readonly freshBaseline?: boolean
  /** The least lift, as a share. */
  readonly minLift?: number
  readonly reporters: readonly ReporterChoice[]
  readonly json: boolean
  readonly quiet: boolean
  readonly list: boolean
  readonly dryRun: boolean
  readonly passWithNoCases: boolean
  readonly trustSuites: boolean
  readonly record?: RecordMode
  /** Whether checks are tried on agents that do nothing; `fail`: a case of which every check holds for one is a failure. */
  readonly audit?: 'warn' | 'fail'
  readonly allowStale: boolean
  /** The run to go on with: `latest`, `previous`, an id or how it starts, or its folder. */
  readonly resume?: string
  /** Only the cases that ended so in another run: `failed`, `error`, `stale`, also several with commas between them. */
  readonly rerun?: readonly string[]
  /** That other run; the latest where it is not given. */
  readonly rerunOf?: string
  /** Which part of the plan this run is to do, from 1. */
  readonly shard?: Shard
  /** A run whose durations balance the shards. */
  readonly timings?: string
  /** How often a trial is tried again whose live model failed. */
  readonly retries?: number
  /** Tools that every case has besides its own: of the caller of the library. */
  readonly tools?: readonly ProvidedTool[]
  /** The words after the program's name, as they are kept in run.json. */
  readonly command: readonly string[]
}

export type Shard = { readonly index: number; readonly total: number }

/** A reporter and the file it writes; without one it prints to stdout. */
export type ReporterChoice = { readonly name: ReporterName; readonly path?: string }
