import type { EvalCase } from '../core/plan.ts'
import { mapChecks } from './case-checks.ts'
import { isRecord, type JsonRecord } from './record.ts'

/** What the suite's file says about a case besides its content. */
export type CaseOrigin = { readonly line: number; readonly triggerOnly: boolean }

/**
 * A valid case, merged and filled, in the one shape that the run reads: `input` and `tags` are lists, and what has a
 * default has a value. Parts are shared with `filled`, which is not changed.
 */
export const toEvalCase = (filled: JsonRecord, origin: CaseOrigin): EvalCase => {
  const { each: _, input, expected, ...rest } = filled
  const evalCase = {
    ...rest,
    ...(isRecord(expected) && { expected: mapChecks(expected, completeCheck) }),
    input: Array.isArray(input) ? input : [input],
    tags: filled.tags ?? [],
    trials: filled.trials ?? 1,
    pass_threshold: filled.pass_threshold ?? 1,
    ...origin,
  }
  // The schema has seen the value, and is not loaded here: a cast says what the types can't.
  return evalCase as unknown as EvalCase
}

/** The defaults that the schema of checks gives, for values that did not come through it. */
const completeCheck = (check: JsonRecord): JsonRecord => {
  const { length, similar } = check
  if (isRecord(length) && length.unit === undefined) return { ...check, length: { ...length, unit: 'chars' } }
  if (isRecord(similar) && similar.by === undefined) return { ...check, similar: { ...similar, by: 'token_f1' } }
  return check
}
