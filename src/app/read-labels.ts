import type { Diagnostic } from '../core/diagnostic.ts'
import { FileError, InvalidInputError, UsageError } from '../core/errors.ts'
import { parseJson } from '../lib/json.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { type Label, labelSchema } from '../schema/calibration.ts'
import { explainIssues } from '../suite/zod-diagnostics.ts'
import type { Host } from './host.ts'

export type PlacedLabel = Label & { readonly line: number }

/** More would cost more than a judge is worth. */
const MAX_LABELS = 10_000
const MAX_LINE_BYTES = 2 * 1024 * 1024
const MAX_TOLD = 50

/** The labels of a .jsonl file; empty lines are skipped. Throws an InvalidInputError with every mistake and its line. */
export const readLabels = (path: string, shown: string, host: Host): readonly PlacedLabel[] => {
  const labels: PlacedLabel[] = []
  const wrong: Diagnostic[] = []
  let line = 0
  try {
    for (const text of host.files.lines(path)) {
      line += 1
      if (text.trim() === '' || wrong.length >= MAX_TOLD) continue
      const found = labelIn(text)
      if ('problems' in found) wrong.push(...found.problems.map((problem) => mistake(problem, shown, line)))
      else labels.push({ ...found.label, line })
      if (labels.length > MAX_LABELS) throw new UsageError('many_labels', `${shown} has more than ${MAX_LABELS} labels`)
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new UsageError(error.code, `the labels can't be read: ${error.message}`, { hint })
  }
  if (wrong.length > 0) throw new InvalidInputError(wrong)
  if (labels.length === 0) throw new UsageError('no_labels', `${shown} has no labels`, { hint })
  return labels
}

const hint = 'A label is a line of JSON: {"material": "…", "criterion": "…", "label": "pass"}.'

type Problem = { readonly code: string; readonly message: string; readonly hint?: string }

const labelIn = (text: string): { readonly label: Label } | { readonly problems: readonly Problem[] } => {
  const parsed = parseJson(text, { maxBytes: MAX_LINE_BYTES })
  if (!parsed.ok) return { problems: [{ code: 'json', message: `not JSON: ${parsed.message}`, hint }] }
  const checked = checkedBy(labelSchema, parsed.value)
  if (checked.ok) return { label: checked.data }
  return { problems: explainIssues(labelSchema, parsed.value, checked.issues) }
}

const mistake = ({ code, message, hint: what }: Problem, file: string, line: number): Diagnostic => ({
  severity: 'error',
  code: `labels/${code}`,
  message,
  file,
  line,
  ...(what === undefined ? {} : { hint: what }),
})
