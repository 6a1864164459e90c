import { referencesOf } from './case-references.ts'
import type { Disk } from './disk-findings.ts'
import type { Finding } from './finding.ts'
import type { JsonRecord } from './record.ts'
import type { EachCase } from './suite.ts'
import { hasPlaceholder } from './template.ts'

/** What is wrong with the files that a case names; paths start at the case. */
export const referenceFindings = async (merged: JsonRecord, disk: Disk): Promise<Finding[]> => {
  const found: Finding[] = []
  for (const { kind, written, path } of referencesOf(merged)) {
    const problem = await disk.problem(kind, written)
    if (problem !== undefined) found.push({ path, at: 'value', ...problem })
  }
  return found
}

/** Whether rows decide which files a case names. */
export const namesFilesByRow = ({ template }: EachCase): boolean =>
  hasPlaceholder([template.files ?? null, template.expected ?? null])
