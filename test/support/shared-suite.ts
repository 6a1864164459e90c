import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CaseResult, RunResult, Status } from '../../src/core/results.ts'
import { type CliResult, head, pack, project } from './cli.ts'

/** How a case ends: `passed`, or another status with what its reason or one of its checks says. */
export type Verdict = Status | RegExp | readonly [Exclude<Status, 'passed'>, RegExp]

type Judge = (run: SharedRun) => void | Promise<void>

export type SharedRun = CliResult & {
  readonly result: RunResult
  /** The case of this id; fails the test where there is none. */
  readonly of: (id: string) => CaseResult
}

/**
 * One suite whose cases are written beside the tests that judge them, run once for all tests of a `describe`. A verdict
 * that is a regular expression means `failed` for that reason.
 */
export const sharedSuite = (
  options: {
    readonly head?: string
    readonly files?: Readonly<Record<string, string>>
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
  } = {},
) => {
  const cases: string[] = []
  let folder: ReturnType<typeof project> | undefined
  let run: SharedRun | undefined
  beforeAll(() => {
    folder = project({ ...pack, ...options.files })
    folder.write({ 'evals/t.eval.yaml': `${options.head ?? head}cases:\n${cases.join('')}` })
    run = runJson(folder, ['evals', ...(options.args ?? [])], options.env)
  })
  afterAll(() => folder?.[Symbol.dispose]())
  return {
    /** Adds cases (list items of YAML, from column 1) and a test that they end so, or that `judge` agrees. */
    behaviour: (title: string, yaml: string, expected: Readonly<Record<string, Verdict>> | Judge): void => {
      cases.push(`${yaml.replace(/^\n/, '').trimEnd()}\n`)
      test(title, async () => {
        if (run === undefined) throw new Error('the suite did not run')
        if (typeof expected === 'function') await expected(run)
        else expectVerdicts(run, expected)
      })
    },
  }
}

export const expectVerdicts = (run: SharedRun, expected: Readonly<Record<string, Verdict>>): void => {
  for (const [id, verdict] of Object.entries(expected)) {
    const { status, reason } = run.of(id)
    const [wanted, why] = verdict instanceof RegExp ? ['failed', verdict] : isPair(verdict) ? verdict : [verdict, /^/]
    expect({ id, status, reason }).toEqual({ id, status: wanted, reason })
    expect(told(run.of(id)), id).toMatch(why)
  }
}

const isPair = (verdict: Verdict): verdict is readonly [Exclude<Status, 'passed'>, RegExp] => Array.isArray(verdict)

/** Everything that a case says of why it ended as it did. */
const told = ({ reason, trials }: CaseResult): string =>
  [
    reason,
    ...trials.flatMap((trial) => [trial.reason, trial.error?.code, trial.error?.message, ...trial.checks.map(saying)]),
  ].join('\n')

const saying = ({ passed, name, message }: CaseResult['trials'][number]['checks'][number]): string =>
  passed ? '' : `${name}: ${message}`

/** `run … --json` in a project. */
export const runJson = (
  { cli }: Pick<ReturnType<typeof project>, 'cli'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): SharedRun => {
  const done = cli(['run', ...args, '--json'], env)
  if (done.json === undefined) throw new Error(`exit ${done.code}, no JSON on stdout:\n${done.err}${done.out}`)
  const result = done.json as RunResult
  return {
    ...done,
    result,
    of: (id) => {
      const found = result.suites.flatMap((suite) => suite.cases).find((one) => one.id === id)
      if (found === undefined) throw new Error(`there is no case ${id}`)
      return found
    },
  }
}

/** The one trial of a case. */
export const trialOf = (run: SharedRun, id: string) => {
  const [trial, ...others] = run.of(id).trials
  if (trial === undefined || others.length > 0) throw new Error(`${id} has ${run.of(id).trials.length} trials`)
  return trial
}
