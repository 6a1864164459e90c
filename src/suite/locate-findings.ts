import type { Diagnostic } from '../core/diagnostic.ts'
import { parseYaml } from '../lib/yaml.ts'
import type { SuiteSource } from './checking.ts'
import { diagnosticList } from './diagnostic-list.ts'
import type { SuiteFinding } from './finding.ts'
import { MAX_SUITE_BYTES, MAX_SUITE_DEPTH } from './limits.ts'
import { placeInCase } from './place-finding.ts'
import { listOr, recordOr } from './record.ts'

/** Finds the lines and columns of what was found in a suite that has been parsed before, by parsing it again. */
export const locateFindings = (found: readonly SuiteFinding[], { text, file }: SuiteSource): Diagnostic[] => {
  const list = diagnosticList(file)
  const yaml = parseYaml(text, { file, maxBytes: MAX_SUITE_BYTES, maxDepth: MAX_SUITE_DEPTH, codePrefix: 'suite' })
  if (!yaml.ok) return yaml.diagnostics
  const root = recordOr(yaml.value)
  const cases = listOr(root.cases)
  const defaults = recordOr(root.defaults)
  for (const { at, finding } of found) {
    // Cases come in the order of the file; those of `triggers` after them, made of the defaults alone.
    const own = at === undefined ? undefined : recordOr(cases[at])
    const placed = own === undefined ? finding : placeInCase(finding, own, ['cases', at ?? 0], defaults)
    list.add(placed, placed.at === 'key' ? yaml.positions.key(placed.path) : yaml.positions.at(placed.path))
  }
  return list.toDiagnostics()
}
