import { join } from 'node:path'
import type { Diagnostic } from '../core/diagnostic.ts'
import { UsageError } from '../core/errors.ts'
import type { Config } from '../schema/config.ts'
import type { SuiteFinding } from '../suite/finding.ts'
import { MAX_SUITE_BYTES } from '../suite/limits.ts'
import type { Host } from './host.ts'
import type { LoadedSuite } from './load-suites.ts'
import { findProfile } from './profiles.ts'

/** The model profiles that suites name and nobody configured, each where it is written. */
export const unknownModels = async (
  suites: readonly LoadedSuite[],
  config: Config,
  { files }: Host,
): Promise<readonly Diagnostic[]> => {
  const diagnostics: Diagnostic[] = []
  for (const { suite, path, dir } of suites) {
    const found = findingsOf(suite.models ?? [], config)
    if (found.length === 0) continue
    const { locateFindings } = await import('../suite/locate-findings.ts')
    const text = files.readText(join(dir, path.slice(path.lastIndexOf('/') + 1)), MAX_SUITE_BYTES)
    diagnostics.push(...locateFindings(found, { text, file: path, dir }))
  }
  return diagnostics
}

const findingsOf = (models: readonly string[], config: Config): SuiteFinding[] =>
  models.flatMap((name, i) => {
    try {
      findProfile(name, config)
      return []
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      const { message, hint } = error
      const path = models.length === 1 ? ['model'] : ['model', i]
      return [
        { finding: { path, at: 'value', code: 'unknown-model', message, ...(hint === undefined ? {} : { hint }) } },
      ]
    }
  })
