import type { CheckResult } from '../../core/results.ts'
import type { Check } from '../../schema/check.ts'
import { checkResult } from '../check-result.ts'
import { GraderError } from '../grader-error.ts'
import type { GradingPorts, ScriptRun } from '../ports.ts'
import type { Subject } from '../subject.ts'
import { readVerdict, type ScriptVerdict } from './script-verdict.ts'
import type { Verdict } from './verdict.ts'

/**
 * A program's verdict. Where it prints one, `pass` decides, or without it a score of 1 and exit code 0; where it
 * prints none, exit code 0. One that can't start, takes too long or is killed can't judge.
 */
export const script = async (check: Check, { text }: Subject, ports: GradingPorts): Promise<Verdict> => {
  if (check.script === undefined) return { holds: false }
  const run = await ports.runScript({ check: check.script, text })
  const exitCode = exitCodeOf(run, check.script.run)
  const verdict = readVerdict(run.stdout)
  if (verdict === undefined) {
    if (exitCode === 0) return { holds: true }
    return { holds: false, message: `exit code ${exitCode}${tail(run.stderr)}`, expected: 0, actual: exitCode }
  }
  const score = verdict.score ?? shareOf(verdict)
  const holds = verdict.pass ?? ((score ?? 1) >= 1 && exitCode === 0)
  return {
    holds,
    score: score ?? (holds ? 1 : 0),
    message: verdict.message ?? (holds ? undefined : describe(verdict, score, exitCode)),
    expected: 'a verdict that passes',
    actual: { ...(verdict.pass === undefined ? {} : { pass: verdict.pass }), score, exit_code: exitCode },
    parts: partsOf(verdict),
  }
}

const exitCodeOf = (run: ScriptRun, program: string): number => {
  if (run.startError !== undefined) throw new GraderError(`${program} could not be started: ${run.startError}`)
  if (run.timedOut) throw new GraderError(`${program} took too long and was stopped${tail(run.stderr)}`)
  if (run.exitCode === null) throw new GraderError(`${program} was killed${tail(run.stderr)}`)
  return run.exitCode
}

const passes = (part: NonNullable<ScriptVerdict['checks']>[number]): boolean =>
  part.pass ?? part.passed ?? (part.score ?? 0) >= 1

/** Without a score of its own a verdict's score is the share of its checks that hold. */
const shareOf = ({ checks = [] }: ScriptVerdict): number | undefined =>
  checks.length === 0 ? undefined : checks.filter(passes).length / checks.length

const describe = (verdict: ScriptVerdict, score: number | undefined, exitCode: number): string => {
  const failed = (verdict.checks ?? []).filter((part) => !passes(part)).map((part) => part.name)
  const which = failed.length === 0 ? '' : `; failed: ${failed.slice(0, 20).join(', ')}`
  const said = verdict.pass === false ? 'it says that this does not pass' : `score ${score ?? 'unknown'}`
  return `${said}, exit code ${exitCode}${which}`
}

const partsOf = ({ checks = [] }: ScriptVerdict): CheckResult[] =>
  checks.map((part) =>
    checkResult({
      name: `script/${part.name}`,
      kind: 'script',
      passed: passes(part),
      score: part.score,
      weight: 0,
      message: part.message,
    }),
  )

const tail = (stderr: string): string => {
  const text = stderr.trimEnd()
  if (text === '') return ''
  return `; its last words:\n${text.length > 1000 ? `…${text.slice(-1000)}` : text}`
}
