import { suiteFilePatterns } from '../adapters/files/find-suites.ts'
import { UsageError } from '../core/errors.ts'
import { nearestNames } from '../suite/nearest-names.ts'
import type { LoadedSuite } from './load-suites.ts'
import type { RunOptions } from './run-options.ts'

/**
 * Why there is nothing to run: no suite where it was looked for, or no case that the filters leave. `filtered`: how many
 * `--rerun` was left with, none of which ended so.
 */
export const noCases = (options: RunOptions, suites: readonly LoadedSuite[], filtered = 0): UsageError => {
  if (suites.length === 0) {
    return new UsageError('no_suites', `no suite found in ${options.paths.join(', ')}`, {
      hint: `Looked for ${suiteFilePatterns.join(' and ')}. \`skills-eval init\` makes a first one; --pass-with-no-cases allows none.`,
    })
  }
  const filters = [
    ...(options.filter ?? []).map((text) => `--filter ${text}`),
    ...(options.tags ?? []).map((tag) => `--tag ${tag}`),
    ...(options.skills ?? []).map((skill) => `--skill ${skill}`),
    ...(options.rerun ?? []).map((statuses) => `--rerun ${statuses}`),
  ]
  if (filters.length === 0) {
    return new UsageError('no_cases', `the ${suites.length} suites found have no case`, {
      hint: 'Write one under cases or triggers.',
    })
  }
  if (options.rerun !== undefined && filtered > 0) {
    const which = options.filter ? `the cases that ${filters[0]} leaves` : 'the cases that are there'
    return new UsageError('no_cases', `no case is left by ${filters.join(' ')}`, {
      hint: `None of ${which} ended as ${options.rerun.join(' or ')} in that run.`,
    })
  }
  const names = (options.filter ?? []).flatMap((text) => nearestNames(suites, text))
  return new UsageError('no_cases', `no case is left by ${filters.join(' ')}`, {
    hint:
      names.length > 0
        ? `The nearest: ${names.slice(0, 5).join(', ')}.`
        : 'skills-eval run --list shows all cases with their tags; --pass-with-no-cases allows none.',
  })
}
