import { checksOf } from './case-checks.ts'
import type { Path } from './path.ts'
import { isRecord, type JsonRecord, recordOr } from './record.ts'

/** What a file is for: laid into the workspace, a JSON Schema, a grader. */
export type ReferenceKind = 'source' | 'schema' | 'script'

/** A path in a case, relative to the suite's file, of something that must be on the disk. */
export type Reference = { readonly kind: ReferenceKind; readonly written: string; readonly path: Path }

/** Every file that a case names. */
export const referencesOf = (merged: JsonRecord): Reference[] => {
  const sources = Object.entries(recordOr(merged.files)).flatMap(([destination, source]) =>
    reference('source', source, ['files', destination]),
  )
  const expected = recordOr(merged.expected)
  const named = checksOf(expected).flatMap(({ path, check }) => [
    ...reference('schema', check.json_schema, ['expected', ...path, 'json_schema']),
    ...(isRecord(check.script) ? reference('script', check.script.run, ['expected', ...path, 'script', 'run']) : []),
  ])
  return [...sources, ...named]
}

const reference = (kind: ReferenceKind, written: unknown, path: Path): Reference[] =>
  typeof written === 'string' ? [{ kind, written, path }] : []
