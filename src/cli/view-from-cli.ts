import { viewRun } from '../app/view-run.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

export type ViewFlags = CommonOptions & { readonly port?: number; readonly open?: boolean }

/** Serves the report until SIGINT, SIGTERM or SIGHUP, which is how this ends in order: returns 0. */
export const viewFromCli = async (run: string, flags: ViewFlags): Promise<number> => {
  const controller = new AbortController()
  const end = () => controller.abort()
  process.once('SIGINT', end).once('SIGTERM', end).once('SIGHUP', end)
  try {
    const { config, port = 0, open = false } = flags
    const options = { run, port, open, ...(config === undefined ? {} : { config }) }
    await viewRun(options, processHost(flags.C, controller.signal))
    return 0
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end).off('SIGHUP', end)
  }
}
