import { examine } from '../app/doctor.ts'
import { checkupText } from '../report/doctor-report.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

/** Prints what works here. Exit 1 where something is missing that the configuration requires. */
export const doctorFromCli = async (flags: CommonOptions): Promise<number> => {
  const host = processHost(flags.C)
  const found = await examine({ config: flags.config }, host)
  if (flags.json) host.stdout(`${JSON.stringify(found, null, 2)}\n`)
  else if (flags.quiet) for (const problem of found.problems) host.stderr(`error: ${problem}\n`)
  else host.stdout(checkupText(found, { color: host.color }))
  return found.ok ? 0 : 1
}
