import { join } from 'node:path'
import * as z from 'zod'
import type { TrialRow } from '../core/results.ts'
import { parseJson } from '../lib/json.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { trialSchema } from '../schema/run.ts'
import type { Host } from './host.ts'

const rowSchema = trialSchema.extend({ suite: z.string(), case: z.string(), model: z.string() })

/**
 * The trials of a stored run, one after the other as its results.jsonl has them: none is held. A line that is no trial,
 * such as the last one of a run that was killed, is left out. None at all where the run has no such file.
 */
export function* storedTrials(folder: string, id: string, { files }: Pick<Host, 'files'>): Generator<TrialRow> {
  const path = join(folder, id, 'results.jsonl')
  if (files.stat(path)?.kind !== 'file') return
  for (const line of files.lines(path)) {
    const parsed = parseJson(line)
    const checked = parsed.ok ? checkedBy(rowSchema, parsed.value) : undefined
    if (checked?.ok) yield checked.data
  }
}
