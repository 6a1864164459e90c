import { resolve } from 'node:path'
import { type CompareReporter, compareStoredRuns } from '../app/compare.ts'
import { UsageError } from '../core/errors.ts'
import type { CommonOptions } from './common-options.ts'
import { processHost } from './process-host.ts'

export type CompareFlags = CommonOptions & {
  readonly delta?: number
  readonly maxRegression?: number
  readonly maxCost?: number
  readonly new: 'fail' | 'warn'
  readonly gone: 'fail' | 'warn'
  readonly seed: number
  readonly force?: boolean
  readonly reporter?: string[]
}

/** Compares two stored runs and prints what was found; returns the exit code. */
export const compareFromCli = async (base: string, head: string, flags: CompareFlags): Promise<number> => {
  const host = processHost(flags.C)
  const reporters = (flags.reporter ?? []).map((written) => parseReporter(written, host.cwd))
  const toFiles = reporters.filter(({ path }) => path !== undefined)
  const printed = reporters.filter(({ path }) => path === undefined)
  if (printed.length > 1) {
    throw new UsageError('mixed_output', "two reports can't both print to stdout", {
      hint: `Give one of them a file: --reporter ${printed[1]?.name}=PATH.`,
    })
  }
  const shown: CompareReporter = flags.json ? { name: 'json' } : (printed[0] ?? { name: 'terminal' })
  return compareStoredRuns(
    {
      base,
      head,
      ...(flags.config === undefined ? {} : { config: flags.config }),
      ...(flags.delta === undefined ? {} : { delta: flags.delta }),
      gates: {
        ...(flags.maxRegression === undefined ? {} : { maxRegression: flags.maxRegression }),
        ...(flags.maxCost === undefined ? {} : { maxCost: flags.maxCost }),
        new: flags.new,
        gone: flags.gone,
      },
      seed: flags.seed,
      force: flags.force === true,
      reporters: [...toFiles, shown],
    },
    host,
  )
}

const names = ['terminal', 'json', 'markdown', 'html'] as const

const parseReporter = (written: string, folder: string): CompareReporter => {
  const [word = '', ...rest] = written.split('=')
  const name = names.find((one) => one === word)
  if (!name) {
    throw new UsageError('unknown_reporter', `a comparison has no reporter "${word}"`, {
      hint: `There is: ${names.join(', ')}.`,
    })
  }
  if (rest.length === 0) return { name }
  const path = rest.join('=')
  if (path === '') throw new UsageError('no_report_path', `--reporter ${written} names no file`)
  return { name, path: resolve(folder, path) }
}
