import { memoryClock } from '../adapters/memory/memory-clock.ts'
import { memoryStore } from '../adapters/memory/memory-store.ts'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import { mockOptions, skillsOf } from '../agent/agent.test-support.ts'
import { mockModel } from '../agent/mock-model.ts'
import type { ActionType } from '../core/actions.ts'
import type { EvalCase, PlannedCase, PlannedSuite, RunPlan } from '../core/plan.ts'
import type { Tool } from '../core/ports.ts'
import { evalDefaults, policyAuthorizer } from '../permissions/policy-authorizer.ts'
import { readFileTool } from '../tools/read-file.ts'
import { writeFileTool } from '../tools/write-file.ts'
import type { RunDeps, SuiteSkills, TrialWorld } from './run-deps.ts'

export const aSuite = (change: Partial<PlannedSuite> = {}): PlannedSuite => ({
  name: 'suite',
  path: 'evals/suite.eval.yaml',
  dir: '/project/evals',
  models: ['mock'],
  ...change,
})

export const aCase = (change: Partial<EvalCase> = {}): EvalCase => ({
  id: 'case',
  input: ['Do it.'],
  mock: ['Done.'],
  tags: [],
  trials: 1,
  pass_threshold: 1,
  line: 3,
  triggerOnly: false,
  ...change,
})

const isSkipped = (evalCase: EvalCase) => evalCase.skip !== undefined && evalCase.skip !== false

/** A plan of one suite: each of its models, and on each these cases, made anew each time they are asked for. */
export const planOf = (cases: () => Iterable<EvalCase>, suite = aSuite()): RunPlan => {
  function* planned(): Generator<PlannedCase> {
    let at = 0
    for (const model of suite.models) {
      for (const evalCase of cases()) {
        const trials = isSkipped(evalCase) ? 0 : evalCase.trials
        yield { suite, evalCase, model, trials, at }
        at += trials
      }
    }
  }
  const counts = { cases: 0, trials: 0, skipped: 0 }
  for (const one of planned()) {
    counts.cases += 1
    counts.trials += one.trials
    if (isSkipped(one.evalCase)) counts.skipped += 1
  }
  return { suites: [suite], counts, cases: planned }
}

export const plan = (...cases: readonly Partial<EvalCase>[]): RunPlan =>
  planOf(() => cases.map((one, i) => aCase({ id: `case-${i + 1}`, ...one })))

export const noSkills = (): SuiteSkills => ({ source: skillsOf({}), renderedIndex: '', universe: [] })

export const inMemoryWorld = (change: Partial<TrialWorld> = {}): TrialWorld => ({
  workspace: memoryWorkspace({ 'data.csv': 'a,b\n' }),
  places: {},
  tools: new Map<ActionType, Tool>([readFileTool(), writeFileTool()].map((tool) => [tool.type, tool])),
  grading: () => ({
    runScript: async () => ({ exitCode: 0, stdout: '', stderr: '', timedOut: false }),
    readSchema: () => ({}),
  }),
  dispose: async () => undefined,
  ...change,
})

/** What a run needs, all of it in memory: the mock that each case wrote, no skills, nothing watched. */
export const inMemory = (change: Partial<RunDeps> = {}): RunDeps => {
  const clock = change.clock ?? memoryClock()
  const skills = noSkills()
  const authorizer = policyAuthorizer({ defaults: evalDefaults, configured: undefined, runtime: undefined })
  return {
    openModel: ({ evalCase, model }) => mockModel(evalCase.mock, mockOptions(clock, { profile: model })),
    mayRetry: () => false,
    redact: (value) => value,
    openWorld: () => inMemoryWorld(),
    skillsOf: () => skills,
    authorizerOf: () => authorizer,
    limits: {},
    maxRepairs: 2,
    maxBodiesPerTurn: 2,
    clock,
    store: memoryStore(),
    listener: {},
    concurrency: 1,
    bail: undefined,
    seed: 1,
    signal: new AbortController().signal,
    ...change,
  }
}

/** Something that the test lets happen when it wants to. */
export const deferred = () => {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
