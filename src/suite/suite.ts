import type { EvalCase } from '../core/plan.ts'
import type { NormalizeRules, StaleSetting, Thresholds } from '../schema/suite.ts'
import type { Path } from './path.ts'

/** One set of values for `{{column}}`. */
export type Row = Readonly<Record<string, unknown>>

/** A case as written with `defaults` merged beneath it, before a row is filled in; its `each` left out. */
export type CaseTemplate = Readonly<Record<string, unknown>>

/** A suite file, read. Plain JSON data: it survives being written to a cache and read back. Paths are as written. */
export type Suite = {
  readonly name: string
  readonly description?: string
  readonly skills?: readonly string[]
  readonly models?: readonly string[]
  readonly judge?: string
  readonly distractors?: number
  readonly thresholds?: Thresholds
  readonly normalize?: NormalizeRules
  readonly stale?: StaleSetting
  /** One for each entry of `cases`, in order, then the trigger cases. */
  readonly cases: readonly SuiteCase[]
}

export type SuiteCase = { readonly kind: 'case'; readonly case: EvalCase } | EachCase

/** A case that is made once per row. */
export type EachCase = {
  readonly kind: 'each'
  /** As written, placeholders and all. */
  readonly id: string
  readonly template: CaseTemplate
  /** Places of the template that take a text: a number or a boolean of a row is written out there. */
  readonly texts: readonly Path[]
  /** The rows themselves, or the path of their file. */
  readonly rows: readonly Row[] | string
  /** Line of the case in its suite file, from 1. */
  readonly line: number
}
