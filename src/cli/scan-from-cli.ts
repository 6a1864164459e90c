import { scanSkills } from '../app/scan-skills.ts'
import { scanAnnotations, scanText } from '../report/scan-report.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

export type ScanFlags = CommonOptions & {
  readonly format: 'text' | 'github'
  readonly failOn?: 'info' | 'low' | 'medium' | 'high'
  readonly acceptRisk?: readonly string[]
}

/** Scans and prints what was found; 1 where --fail-on is met. */
export const scanFromCli = async (targets: readonly string[], flags: ScanFlags): Promise<number> => {
  const host = processHost(flags.C)
  const { config, failOn, acceptRisk } = flags
  const scan = scanSkills(targets, { config, failOn, acceptRisk }, host)
  if (flags.json) host.stdout(`${JSON.stringify(scan, null, 2)}\n`)
  else if (flags.format === 'github') host.stdout(scanAnnotations(scan))
  else host.stdout(scanText(scan, { color: host.color, quiet: flags.quiet === true }))
  return scan.failed ? 1 : 0
}
