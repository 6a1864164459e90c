import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { TrialRow } from '../core/results.ts'
import { parseJson } from '../lib/json.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { caseFactsSchema } from '../schema/case-facts.ts'
import { trialSchema } from '../schema/run.ts'
import type { Host } from './host.ts'
import { rowsFile } from './run-folders.ts'
import { readRun } from './stored-runs.ts'

export const rowSchema = trialSchema.extend({
  suite: z.string(),
  case: z.string(),
  model: z.string(),
  xfail: z.literal(true).optional(),
  rows_of: z.string().optional(),
  planned: caseFactsSchema.optional().catch(undefined),
})

/**
 * The trials of a run by the path of its run.json: one after the other from the results.jsonl beside it, so that none is
 * held, or out of run.json where there is none. A line that is no trial, such as the last one of a run that was killed,
 * is left out. Throws a UsageError where a run.json that is needed is none.
 */
export function* storedTrials(runFile: string, { files }: Pick<Host, 'files'>): Generator<TrialRow> {
  const path = join(dirname(runFile), rowsFile)
  if (files.stat(path)?.kind === 'file') {
    for (const line of files.lines(path)) {
      const parsed = parseJson(line)
      const checked = parsed.ok ? checkedBy(rowSchema, parsed.value) : undefined
      if (checked?.ok) yield checked.data
    }
    return
  }
  for (const { name, cases } of readRun(runFile, { files }).suites) {
    for (const { id, model, trials, xfail, rows_of } of cases) {
      const about = { suite: name, case: id, model, xfail: xfail || undefined, rows_of }
      for (const trial of trials) yield { ...about, ...trial }
    }
  }
}
