import { skillCoverage } from '../app/coverage.ts'
import { coverageText, isCovered } from '../report/coverage-report.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

type Flags = CommonOptions & { readonly min?: number; readonly runs: number }

/** Prints what evals exercise of the skills; returns 1 where it is less than `min`. */
export const coverageFromCli = async (paths: readonly string[], flags: Flags): Promise<number> => {
  const host = processHost(flags.C)
  const { config, min, runs } = flags
  const coverage = await skillCoverage(
    { paths, runs, ...(config === undefined ? {} : { config }), ...(min === undefined ? {} : { min }) },
    host,
  )
  if (flags.json) host.stdout(`${JSON.stringify(coverage, null, 2)}\n`)
  else {
    host.stdout(await coverageText(coverage, { color: host.color, width: host.width }))
  }
  return isCovered(coverage) ? 0 : 1
}
