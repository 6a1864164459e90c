import { beforeAll, describe, type TestContext, test } from 'vitest'
import type { CaseResult, RunResult } from '../core/results.ts'
import { libraryHost } from './library-host.ts'
import { runSuites, type SuitesOptions } from './run-suites.ts'

export type SkillTestOptions = Omit<SuitesOptions, 'on' | 'passWithNoCases'> & {
  /** How long all cases together may take; default: 10 minutes. */
  readonly timeoutMs?: number
}

/**
 * One vitest test for each case of the suites, on each of their models; to be awaited at the top of a test file. The
 * cases run together, before the first test; where vitest is asked for some tests only, just theirs. A test fails with
 * the explanation that `skills-eval run` gives, and where its recording is stale with the command that records anew.
 */
export const defineSkillTests = async (options: SkillTestOptions = {}): Promise<void> => {
  const { timeoutMs = 600_000, ...given } = options
  const suites = await plannedTests(given)
  const state: { run?: RunResult | null; problem?: string } = {}

  // Which argument is the file differs from version to version, and vitest reads the names of those that are named.
  beforeAll(async function () {
    // biome-ignore lint/complexity/noArguments: see above.
    const ids = wantedIds(suites, [...arguments])
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
          if (found && result)
            return tell({ ...found, models: suite.models.map((name) => ({ model: name })) }, result, context)
          throw told(state.problem || state.run?.interrupted || 'the case was not run')
        })
      }
    })
  }
}

type PlannedTests = {
  readonly name: string
  readonly path: string
  readonly models: readonly string[]
  readonly tests: { readonly id: string; readonly model: string; readonly title: string; readonly skipped: boolean }[]
}

const plannedTests = async (options: SuitesOptions): Promise<readonly PlannedTests[]> => {
  const { prepareRun } = await import('../app/prepare-run.ts')
  const paths = options.paths?.length ? options.paths : ['evals']
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
    return [...suites.values()]
  } catch (error) {
    throw told(await words(error))
  }
}

/** The ids of the cases whose tests are to run, as far as this version of vitest tells; those that it does not tell are. */
const wantedIds = (suites: readonly PlannedTests[], hook: readonly unknown[]): readonly string[] => {
  const file = hook.find((one): one is Task => typeof one === 'object' && one !== null && 'tasks' in one)
  const left = new Set(file === undefined ? [] : leaves(file))
  return [
    ...new Set(
      suites.flatMap(({ name, tests }) =>
        tests.filter(({ title, skipped }) => !skipped && !left.has(JSON.stringify([name, title]))).map(({ id }) => id),
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
      : [JSON.stringify([task.suite?.name, task.name])]

type Suite = Parameters<typeof import('../report/explain-case.ts')['explainCase']>[0]
type ToldSuite = Pick<Suite, 'name' | 'path'> & { readonly models: readonly { readonly model: string }[] }

const tell = async (suite: ToldSuite, result: CaseResult, context: TestContext): Promise<void> => {
  if (result.status === 'passed') return
  if (result.status === 'skipped') return context.skip(result.reason)
  const { explainCase } = await import('../report/explain-case.ts')
  const detail = { maxLines: 20, maxLength: 2000, maxChecks: 20, maxActions: 10 }
  const lines = [...explainCase(suite as Suite, result, detail)]
  throw told([result.status, ...lines.map(({ text }) => text)].join('\n'))
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
