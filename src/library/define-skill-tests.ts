import type { CaseResult, RunResult } from '../core/results.ts'
import { libraryHost } from './library-host.ts'
import { pathList, runSuites, type SuitesOptions } from './run-suites.ts'

export type SkillTestOptions = Omit<SuitesOptions, 'on' | 'passWithNoCases'> & {
  /** How long all cases together may take; default: 10 minutes. */
  readonly timeoutMs?: number
}

/**
 * One vitest test for each case of the suites, on each of their models; to be awaited at the top of a test file. The
 * cases run together, before the first test; where vitest is asked for some tests only, just theirs. A test fails with
 * the explanation that `skills-eval run` gives, and where its recording is stale with the command that records anew. Where
 * suites have thresholds, or `minLift` or `audit: 'fail'` is given, the test `thresholds` fails with what is missed.
 */
export const defineSkillTests = async (options: SkillTestOptions = {}): Promise<void> => {
  const { beforeAll, describe, test } = await loadVitest()
  await requireOptions(options)
  const { timeoutMs = 600_000, ...given } = options
  const { suites, hasGates } = await plannedTests(given)
  const state: State = {}

  // Which argument is the file differs from version to version, and vitest reads the names of those that are named.
  beforeAll(async function () {
    // biome-ignore lint/complexity/noArguments: see above.
    const ids = wantedIds(suites, hasGates, [...arguments])
    if (ids.length === 0) return
    const stop = new AbortController()
    // Before vitest gives up: what was begun is to be ended.
    const timer = setTimeout(() => stop.abort(new Error(`not done in ${timeoutMs / 1000} s`)), timeoutMs)
    const signal = given.signal ? AbortSignal.any([given.signal, stop.signal]) : stop.signal
    const notices: string[] = []
    try {
      const { run } = await runSuites({
        ...given,
        signal,
        filter: ids.map((id) => `=${id}`),
        onNotice: (text) => notices.push(text),
      })
      state.run = run
      // run.json says that it was broken off; who did, and why, is told here.
      if (signal.aborted) state.stopped = signal.reason instanceof Error ? signal.reason.message : String(signal.reason)
    } catch (error) {
      state.problem = await words(error)
    } finally {
      clearTimeout(timer)
    }
    state.problem ??= notices.join('').trim()
  }, timeoutMs + 60_000)

  for (const suite of suites) {
    describe(suite.name, () => {
      for (const { id, model, title, skipped } of suite.tests) {
        test.skipIf(skipped)(title, async (context) => {
          const found = state.run?.suites.find(({ path }) => path === suite.path)
          const result = found?.cases.find((one) => one.id === id && one.model === model)
          if (found === undefined || result === undefined) throw told(unrun(state))
          if (result.status === 'skipped') {
            // Nobody asked for these to be skipped, but who asked to stop after so many failures.
            if (given.bail !== undefined && state.stopped === undefined) return context.skip(result.reason)
            throw told([result.reason ?? 'not run', state.stopped ?? state.run?.interrupted].filter(Boolean).join('\n'))
          }
          return tell({ ...found, models: suite.models.map((name) => ({ model: name })) }, result)
        })
      }
    })
  }
  if (hasGates) test(gatesTitle, () => tellGates(state))
}

/** What the tests have to tell of. */
type State = {
  run?: RunResult | null
  problem?: string
  /** Why the run was broken off. */
  stopped?: string
}

const gatesTitle = 'thresholds'

const unrun = ({ problem, stopped, run }: State): string =>
  problem || stopped || run?.interrupted || 'the case was not run'

const loadVitest = async (): Promise<typeof import('vitest')> => {
  try {
    return await import('vitest')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw told('skills-eval/vitest defines tests of vitest, which is not installed here: npm install --save-dev vitest')
  }
}

const requireOptions = async (options: SkillTestOptions): Promise<void> => {
  const [{ checkOptions }, { skillTestOptionsSchema }] = await Promise.all([
    import('../app/check-options.ts'),
    import('./options.ts'),
  ])
  try {
    checkOptions<SkillTestOptions>('defineSkillTests', skillTestOptionsSchema, options)
  } catch (error) {
    throw told(await words(error))
  }
}

type PlannedTests = {
  readonly name: string
  readonly path: string
  readonly models: readonly string[]
  readonly tests: { readonly id: string; readonly model: string; readonly title: string; readonly skipped: boolean }[]
}

type Planned = { readonly suites: readonly PlannedTests[]; readonly hasGates: boolean }

const plannedTests = async (options: SuitesOptions): Promise<Planned> => {
  const { prepareRun } = await import('../app/prepare-run.ts')
  const given = pathList(options)
  const paths = given.length > 0 ? given : ['evals']
  try {
    const { plan } = await prepareRun(
      { ...options, paths },
      libraryHost(options, () => undefined),
    )
    const suites = new Map<unknown, PlannedTests>()
    for (const { suite, evalCase, model, trials } of plan.cases()) {
      const known = suites.get(suite) ?? { name: suite.name, path: suite.path, models: suite.models, tests: [] }
      const title = suite.models.length > 1 ? `${evalCase.id} [${model}]` : evalCase.id
      known.tests.push({ id: evalCase.id, model, title, skipped: trials === 0 })
      suites.set(suite, known)
    }
    const isGated = plan.suites.some(({ thresholds = {} }) => Object.keys(thresholds).length > 0)
    const hasGates = isGated || options.minLift !== undefined || options.audit === 'fail'
    return { suites: [...suites.values()], hasGates }
  } catch (error) {
    throw told(await words(error))
  }
}

/**
 * The ids of the cases whose tests are to run, as far as this version of vitest tells; those that it does not tell are.
 * Gates are on all cases.
 */
const wantedIds = (suites: readonly PlannedTests[], hasGates: boolean, hook: readonly unknown[]): readonly string[] => {
  const file = hook.find((one): one is Task => typeof one === 'object' && one !== null && 'tasks' in one)
  const left = new Set(file === undefined ? [] : leaves(file))
  const isWhole = hasGates && !left.has(JSON.stringify([null, gatesTitle]))
  return [
    ...new Set(
      suites.flatMap(({ name, tests }) =>
        tests
          .filter(({ title, skipped }) => !skipped && (isWhole || !left.has(JSON.stringify([name, title]))))
          .map(({ id }) => id),
      ),
    ),
  ]
}

type Task = {
  readonly name: string
  readonly mode?: string
  readonly tasks?: readonly Task[]
  readonly suite?: { readonly name: string }
}

/** The tests that are left out, as `[suite, title]`. */
const leaves = (task: Task): readonly string[] =>
  task.tasks
    ? task.tasks.flatMap(leaves)
    : task.mode === 'run' || task.mode === 'queued'
      ? []
      : [JSON.stringify([task.suite?.name ?? null, task.name])]

type Suite = Parameters<typeof import('../report/explain-case.ts')['explainCase']>[0]
type ToldSuite = Pick<Suite, 'name' | 'path'> & { readonly models: readonly { readonly model: string }[] }

const tell = async (suite: ToldSuite, result: CaseResult): Promise<void> => {
  if (result.status === 'passed') return
  const { explainCase } = await import('../report/explain-case.ts')
  const detail = { maxLines: 20, maxLength: 2000, maxChecks: 20, maxActions: 10 }
  const lines = [...explainCase(suite as Suite, result, detail)]
  throw told([result.status, ...lines.map(({ text }) => text)].join('\n'))
}

const tellGates = async (state: State): Promise<void> => {
  const { run } = state
  if (!run) throw told(unrun(state))
  if (run.interrupted !== undefined) throw told(state.stopped ?? run.interrupted)
  const [{ actualText, limitText, missedThresholds }, { baselineLines }, { auditLine, isAuditMissed }] =
    await Promise.all([
      import('../report/thresholds.ts'),
      import('../report/baseline-tables.ts'),
      import('../report/audit-tables.ts'),
    ])
  const missed = missedThresholds(run).map(({ suite, threshold }) => {
    const name = suite === null ? threshold.name : `${suite}: ${threshold.name}`
    return `${name} ${limitText(threshold)}: ${actualText(threshold)}`
  })
  const gate = run.baseline?.gate
  if (run.baseline && gate && gate.result !== 'met') missed.push(...baselineLines(run.baseline).map(({ text }) => text))
  if (isAuditMissed(run)) missed.push(auditLine(run))
  if (missed.length > 0) throw told(['missed', ...missed].join('\n'))
}

/** A message without a stack: what is wrong lies in no line of ours. */
const told = (message: string): Error => {
  const error = new Error(message)
  error.name = 'SkillsEval'
  error.stack = `${error.name}: ${message}`
  return error
}

const words = async (error: unknown): Promise<string> => {
  const { InvalidInputError, SkillsEvalError } = await import('../core/errors.ts')
  if (error instanceof InvalidInputError) {
    const lines = error.diagnostics.map(({ file, line, column, message, hint }) => {
      const place = [file, line, column].filter((part) => part !== undefined).join(':')
      return `${place} ${message}${hint === undefined ? '' : ` (${hint})`}`
    })
    return lines.join('\n')
  }
  if (error instanceof SkillsEvalError) return [error.message, error.hint].filter(Boolean).join('\n')
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
