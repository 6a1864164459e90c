import type { EvalCase } from '../core/plan.ts'
import { mapChecks } from './case-checks.ts'
import { isRecord, type JsonRecord } from './record.ts'

/** What the suite's file says about a case besides its content. */
export type CaseOrigin = {
  readonly line: number
  readonly triggerOnly: boolean
  readonly rowsOf?: string | undefined
}

/**
 * A valid case, merged, in the one shape that the run reads: `input` and `tags` are lists, and what has a default has
 * a value. Parts are shared with `merged`, which is not changed.
 */
export const toEvalCase = (merged: JsonRecord, origin: CaseOrigin): EvalCase => {
  const { each: _, ...own } = merged
  return completeCase(own, origin)
}

/** As `toEvalCase`, of a map that is the caller's own and has no `each`: the map itself is completed. */
export const completeCase = (own: Record<string, unknown>, { line, triggerOnly, rowsOf }: CaseOrigin): EvalCase => {
  if (isRecord(own.expected)) own.expected = mapChecks(own.expected, completeCheck)
  if (!Array.isArray(own.input)) own.input = [own.input]
  own.tags ??= []
  if (isRecord(own.trials)) {
    own.adaptive = { min: own.trials.min ?? 1 }
    own.trials = own.trials.max
  }
  own.trials ??= 1
  own.pass_threshold ??= 1
  own.line = line
  own.triggerOnly = triggerOnly
  if (rowsOf !== undefined) own.rowsOf = rowsOf
  // The schema has seen the value, and is not loaded here: a cast says what the types can't.
  return own as unknown as EvalCase
}

/** The defaults that the schema of checks gives, for values that did not come through it. */
const completeCheck = (check: JsonRecord): JsonRecord => {
  const { length, similar } = check
  if (isRecord(length) && length.unit === undefined) return { ...check, length: { ...length, unit: 'chars' } }
  if (isRecord(similar) && similar.by === undefined) return { ...check, similar: { ...similar, by: 'token_f1' } }
  return check
}
