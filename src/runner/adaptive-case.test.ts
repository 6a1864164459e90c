import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore } from '../adapters/memory/memory-store.ts'
import type { PlannedCase } from '../core/plan.ts'
import { decidedAfter } from '../metrics/sequential-test.ts'
import { adaptiveCase } from './adaptive-case.ts'
import { runPlan } from './run-plan.ts'
import { aCase, aSuite, deferred, inMemory, plan } from './runner.test-support.ts'

const statusesOf = (max: number) =>
  fc.array(fc.constantFrom('passed', 'failed', 'error'), { minLength: max, maxLength: max })

test('starts the trials that decide and no others, however many run at a time and in whatever order they end', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }).chain((max) =>
        fc.record({
          statuses: statusesOf(max),
          threshold: fc.constantFrom(0, 0.3, 0.5, 0.8, 1),
          min: fc.integer({ min: 1, max }),
          places: fc.integer({ min: 1, max: 8 }),
          order: fc.array(fc.nat(), { minLength: max, maxLength: max }),
        }),
      ),
      ({ statuses, threshold, min, places, order }) => {
        const rule = { threshold, max: statuses.length, min }
        const decided = decidedAfter(statuses, rule)
        const one = adaptiveCase(rule)
        const running: number[] = []
        const started: number[] = []
        let isOver = false
        for (const pick of order) {
          while (running.length < places) {
            const n = one.next()
            if (n === undefined) break
            running.push(n)
            started.push(n)
          }
          if (running.length === 0) break
          const [n = 0] = running.splice(pick % running.length, 1)
          isOver = one.ended(n, statuses[n - 1] ?? 'error')
        }
        expect(isOver).toBe(true)
        expect(running).toEqual([])
        expect(started).toEqual(Array.from({ length: decided ?? -1 }, (_, i) => i + 1))
      },
    ),
    { numRuns: 1000 },
  )
})

test('lets several trials run at a time where all of them will be needed', () => {
  const one = adaptiveCase({ threshold: 0.5, max: 30, min: 1 })
  // Seven passes, or seven failures, are the soonest that decides.
  expect(Array.from({ length: 9 }, () => one.next())).toEqual([1, 2, 3, 4, 5, 6, 7, undefined, undefined])
  one.ended(7, 'failed')
  expect(one.next()).toBeUndefined()
  one.ended(1, 'passed')
  expect(one.next()).toBe(8)
})

test('is quick where it is decided one by one, late', () => {
  const max = 10_000
  const one = adaptiveCase({ threshold: 1, max, min: 1 })
  const begun = performance.now()
  for (let n = 1; n <= max && performance.now() - begun < 5000; n += 1) {
    expect(one.next()).toBe(n)
    one.ended(n, 'passed')
  }
  expect(performance.now() - begun).toBeLessThan(5000)
  expect(one.next()).toBeUndefined()
})

const deps = (wrong: ReadonlySet<number>) => {
  const done: string[] = []
  return {
    done,
    openModel: ({ evalCase, model }: PlannedCase, n: number) => ({
      profile: model,
      protocol: 'native' as const,
      generate: async () => {
        // Later ones end sooner.
        for (let i = 0; i < 20 - n; i += 1) await Promise.resolve()
        done.push(`${evalCase.id} ${n}`)
        return {
          text: wrong.has(n) ? 'no' : 'ok',
          calls: [],
          stop: 'end' as const,
          usage: { input_tokens: 1, output_tokens: 1, cached_input_tokens: 0, reasoning_tokens: 0 },
          costUsd: 1,
          latencyMs: 1,
          model: 'm',
        }
      },
      close: async () => undefined,
    }),
  }
}

const adaptive = (threshold: number, max = 30) => ({
  trials: max,
  adaptive: { min: 1 },
  pass_threshold: threshold,
  expected: { output: [{ equals: 'ok', weight: 1 }] },
})

/** The plan of one adaptive case between two others. */
const plans = (threshold: number, max?: number) => {
  const whole = plan({ id: 'before' }, adaptive(threshold, max), { id: 'after' })
  function* cases(): Generator<PlannedCase> {
    for (const planned of whole.cases()) {
      const { adaptive: early } = planned.evalCase
      yield early ? { ...planned, adaptive: early } : planned
    }
  }
  return { ...whole, cases }
}

test.each([1, 2, 3, 8, 64])('has the same result with %d at a time, and costs the same', async (concurrency) => {
  const { openModel, done } = deps(new Set([3]))
  const { totals, stopped } = await runPlan(plans(0.5), inMemory({ openModel, concurrency, store: memoryStore() }))
  // One failure among them: nine are needed.
  const decided = decidedAfter(['passed', 'passed', 'failed', ...Array.from({ length: 20 }, () => 'passed')], {
    threshold: 0.5,
    max: 30,
    min: 1,
  })
  expect(stopped).toBeUndefined()
  expect(totals.summary()).toMatchObject({
    cases: 3,
    passed: 3,
    trials: 2 + (decided ?? 0),
    trials_saved: 30 - (decided ?? 0),
    cost_usd: 2 + (decided ?? 0),
  })
  expect(done.filter((name) => name.startsWith('case-2'))).toHaveLength(decided ?? 0)
})

test('waits for what is under way where nothing may start, also when the run is stopped meanwhile', async () => {
  const gate = deferred()
  const controller = new AbortController()
  const { openModel } = deps(new Set())
  const slow: typeof openModel = (planned, n) => {
    const model = openModel(planned, n)
    return {
      ...model,
      generate: async () => {
        await gate.promise
        controller.signal.throwIfAborted()
        return model.generate()
      },
    }
  }
  const run = runPlan(plans(1, 3), inMemory({ openModel: slow, concurrency: 6, signal: controller.signal }))
  await Promise.resolve()
  controller.abort('SIGINT')
  gate.resolve()
  const { totals, stopped } = await run
  expect(stopped).toBe('aborted')
  expect(totals.summary()).toMatchObject({ cases: 3, skipped: 3, trials_saved: 0 })
})

test('a case that is bailed out of before it is decided was not run to its end', async () => {
  const suite = aSuite()
  const bad = aCase({ id: 'bad', expected: { output: [{ equals: 'never', weight: 1 }] } })
  const one = aCase({ id: 'one', ...adaptive(0.5) })
  function* cases(): Generator<PlannedCase> {
    yield { suite, evalCase: bad, model: 'mock', trials: 1, at: 0 }
    yield { suite, evalCase: one, model: 'mock', trials: 30, adaptive: { min: 1 }, at: 1 }
  }
  const { openModel } = deps(new Set())
  const results: unknown[] = []
  const { stopped } = await runPlan(
    { suites: [suite], counts: { cases: 2, trials: 31, skipped: 0 }, cases },
    inMemory({
      openModel,
      bail: 1,
      listener: { caseFinished: (_, { id, status, reason }) => results.push([id, status, reason]) },
    }),
  )
  expect(stopped).toBe('bail')
  expect(results.at(-1)).toEqual(['one', 'skipped', 'not run: the run stopped after 0 of 30 trials'])
})
