import { calibrateJudge, calibrationCode } from '../app/calibrate-judge.ts'
import { findProject } from '../app/project.ts'
import { InvalidInputError } from '../core/errors.ts'
import { interruptionCode } from '../core/interruptions.ts'
import type { RecordMode } from '../core/record-mode.ts'
import { calibrationText } from '../report/calibration-report.ts'
import type { CommonOptions } from './common-options.ts'
import { interruption } from './interruption.ts'
import { processHost } from './process-host.ts'
import { showDiagnostics } from './report-error.ts'

export type CalibrateFlags = CommonOptions & {
  readonly model?: string
  readonly record?: RecordMode
  readonly mock?: string
  readonly judges: number
  readonly concurrency?: number
  readonly maxCost?: number
  readonly minKappa?: number
  readonly minAgreement?: number
  readonly maxFalsePass?: number
}

/** Calibrates the judge and prints what was found; returns the exit code. */
export const calibrateFromCli = async (labels: string, flags: CalibrateFlags): Promise<number> => {
  const interrupted = interruption()
  const host = processHost(flags.C, interrupted.signal)
  try {
    const found = await calibrateJudge(
      {
        labels,
        judges: flags.judges,
        ...(flags.C === undefined ? {} : { folder: flags.C }),
        ...(flags.config === undefined ? {} : { config: flags.config }),
        ...(flags.model === undefined ? {} : { model: flags.model }),
        ...(flags.record === undefined ? {} : { record: flags.record }),
        ...(flags.mock === undefined ? {} : { mock: flags.mock }),
        ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
        ...(flags.maxCost === undefined ? {} : { maxCostUsd: flags.maxCost }),
        ...(flags.minAgreement === undefined ? {} : { minAgreement: flags.minAgreement }),
        ...(flags.minKappa === undefined ? {} : { minKappa: flags.minKappa }),
        ...(flags.maxFalsePass === undefined ? {} : { maxFalsePass: flags.maxFalsePass }),
      },
      host,
    )
    host.stdout(flags.json ? `${JSON.stringify(found, null, 2)}\n` : calibrationText(found, { color: host.color }))
    if (interrupted.signal.aborted) return interruptionCode(interrupted.signal.reason)
    return calibrationCode(found)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    await showDiagnostics(error.diagnostics, findProject(host.cwd, host.home, host.files).dir)
    return 2
  } finally {
    interrupted.release()
  }
}
