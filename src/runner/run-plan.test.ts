import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { memoryClock } from '../adapters/memory/memory-clock.ts'
import { memoryStore } from '../adapters/memory/memory-store.ts'
import { answer } from '../agent/agent.test-support.ts'
import type { EvalCase } from '../core/plan.ts'
import type { ModelAdapter, RunListener, Store } from '../core/ports.ts'
import type { CaseResult, TrialRow } from '../core/results.ts'
import type { RunDeps } from './run-deps.ts'
import { runPlan } from './run-plan.ts'
import { aCase, aSuite, deferred, inMemory, inMemoryWorld, plan, planOf } from './runner.test-support.ts'

/** A listener that keeps the results of cases, as they come. */
const watched = () => {
  const results: CaseResult[] = []
  const listener: RunListener = { caseFinished: (_, result) => void results.push(result) }
  const lines = () =>
    results.map(({ id, status, reason }) => `${id} ${status}${reason === undefined ? '' : `: ${reason}`}`)
  return { listener, results, lines }
}

const fails = { expected: { output: [{ equals: 'something else' }] } } satisfies Partial<EvalCase>

const model = (
  generate: ModelAdapter['generate'],
  close: ModelAdapter['close'] = async () => undefined,
): ModelAdapter => ({
  profile: 'mock',
  protocol: 'native',
  generate,
  close,
})

describe('a run', () => {
  test('puts each trial at its place in the store, whatever the order in which they end', async () => {
    const store = memoryStore()
    const ends = [5, 1, 4, 2, 3, 0]
    const gates = ends.map(() => deferred())
    let opened = 0
    const running = runPlan(plan({ trials: 2 }, { skip: 'later' }, {}, { trials: 3 }), {
      ...inMemory({ store, concurrency: 6 }),
      openModel: ({ evalCase }, n) => {
        const gate = gates[opened]!
        opened += 1
        return model(async () => {
          await gate.promise
          return answer({ text: `${evalCase.id} trial ${n}` })
        })
      },
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    for (const at of ends) {
      gates[at]!.resolve()
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await running
    expect(Array.from({ length: 7 }, (_, at) => store.read(at)?.output)).toEqual([
      'case-1 trial 1',
      'case-1 trial 2',
      'case-3 trial 1',
      'case-4 trial 1',
      'case-4 trial 2',
      'case-4 trial 3',
      undefined,
    ])
    expect([store.read(3)?.case, store.read(4)?.n]).toEqual(['case-4', 2])
  })

  test.each([1, 2, 3, 7, 50])('does %i things at a time, no more and no less', async (concurrency) => {
    const count = 20
    let running = 0
    let most = 0
    const starts: string[] = []
    await runPlan(plan(...Array.from({ length: count }, () => ({}))), {
      ...inMemory({ concurrency }),
      openModel: ({ evalCase }) => {
        starts.push(evalCase.id)
        return model(async () => {
          running += 1
          most = Math.max(most, running)
          await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 5))
          running -= 1
          return answer({ text: 'Done.' })
        })
      },
    })
    expect(most).toBe(Math.min(concurrency, count))
    expect(starts).toEqual(Array.from({ length: count }, (_, i) => `case-${i + 1}`))
  })

  test('tells what happens, in order', async () => {
    const told: string[] = []
    const listener: RunListener = {
      started: ({ cases, trials }) => void told.push(`started ${cases} ${trials}`),
      trialStarted: (at) => void told.push(`trial ${at.suite}/${at.case} ${at.model} ${at.n}`),
      trialFinished: (row) => void told.push(`${row.case} ${row.n} ${row.status}`),
      caseFinished: (suite, result) => void told.push(`${suite.name}/${result.id} ${result.status}`),
      finished: (summary) => void told.push(`finished ${summary.passed} ${summary.failed} ${summary.skipped}`),
    }
    await runPlan(plan({ trials: 2 }, { skip: true }, fails), inMemory({ listener }))
    expect(told).toEqual([
      'started 3 3',
      'trial suite/case-1 mock 1',
      'case-1 1 passed',
      'trial suite/case-1 mock 2',
      'case-1 2 passed',
      'suite/case-1 passed',
      'suite/case-2 skipped',
      'trial suite/case-3 mock 1',
      'case-3 1 failed',
      'suite/case-3 failed',
      'finished 1 1 1',
    ])
  })

  test('of nothing is over at once', async () => {
    const { totals, stopped } = await runPlan(plan(), inMemory({ concurrency: 4 }))
    expect([totals.summary().cases, stopped]).toEqual([0, undefined])
  })

  test('lets others have their turn while trial follows upon trial', async () => {
    const clock = memoryClock()
    let breaths = 0
    const counting = {
      ...clock,
      breathe: async () => {
        breaths += 1
      },
    }
    const slow = () =>
      model(async (_, { signal }) => {
        await clock.sleep(10, signal)
        return answer({ text: 'Done.' })
      })
    await runPlan(plan(...Array.from({ length: 30 }, () => ({}))), {
      ...inMemory({ clock: counting }),
      openModel: slow,
    })
    expect(breaths).toBe(9)
  })
})

describe('a trial that goes wrong in one of its ports', () => {
  const boom = () => {
    throw new TypeError('boom')
  }
  const later = async () => boom()

  test.each<[string, (deps: RunDeps) => Partial<RunDeps>]>([
    ['opening the world', () => ({ openWorld: boom })],
    ['opening the model', () => ({ openModel: boom })],
    ['the skills', () => ({ skillsOf: boom })],
    ['the policy', () => ({ authorizerOf: boom })],
    ['the model', () => ({ openModel: () => model(later) })],
    ['the model, at once', () => ({ openModel: () => model(boom) })],
    ['ending the model', () => ({ openModel: () => model(async () => answer({ text: 'Done.' }), later) })],
    ['ending the model, at once', () => ({ openModel: () => model(async () => answer({ text: 'Done.' }), boom) })],
    ['the world after it', () => ({ openWorld: () => inMemoryWorld({ dispose: later }) })],
    ['the grader', () => ({ openWorld: () => inMemoryWorld({ grading: boom }) })],
  ])('is an error, and the others run: %s', async (_, broken) => {
    const { listener, lines } = watched()
    const store = memoryStore()
    const deps = inMemory({ listener, store })
    const bad = { ...deps, ...broken(deps) }
    const isBad = ({ evalCase }: { readonly evalCase: EvalCase }) => evalCase.id === 'case-2'
    let skillsAsked = 0
    let policiesAsked = 0
    const { totals } = await runPlan(plan({}, {}, {}), {
      ...deps,
      openWorld: (planned, n) => (isBad(planned) ? bad : deps).openWorld(planned, n),
      openModel: (planned, n, attempt) => (isBad(planned) ? bad : deps).openModel(planned, n, attempt),
      skillsOf: (suite) => {
        skillsAsked += 1
        return (skillsAsked === 2 ? bad : deps).skillsOf(suite)
      },
      authorizerOf: (evalCase) => {
        policiesAsked += 1
        return (policiesAsked === 2 ? bad : deps).authorizerOf(evalCase)
      },
    })
    expect(lines()).toEqual(['case-1 passed', 'case-2 error: internal: boom', 'case-3 passed'])
    expect(store.read(1)).toMatchObject({
      status: 'error',
      reason: 'internal: boom',
      error: { code: 'internal', message: expect.stringMatching(/^TypeError: boom\n\s+at /) },
      score: null,
      output: null,
    })
    expect([totals.errorCodes(), totals.summary().errors]).toEqual([{ internal: 1 }, 1])
  })

  test('gives back what it opened, whatever else goes wrong', async () => {
    const given: string[] = []
    const closing = async (ok: boolean) => {
      given.push(`model ${ok}`)
      throw new Error('not closed')
    }
    const world = () =>
      inMemoryWorld({
        dispose: async () => {
          given.push('world')
          throw new Error('not removed')
        },
      })
    const store = memoryStore()
    await runPlan(plan({}), { ...inMemory({ store }), openWorld: world, openModel: () => model(later, closing) })
    expect([given, store.read(0)?.reason]).toEqual([['model false', 'world'], 'internal: boom'])
  })

  test('tells the model whether its trial ended in order', async () => {
    const ends: boolean[] = []
    const closing = async (ok: boolean) => void ends.push(ok)
    const texts = ['Done.', 'not what is expected', '']
    let at = -1
    await runPlan(plan({}, fails, { constraints: { max_turns: 1 } }, { mock: [] }), {
      ...inMemory(),
      openModel: () => {
        at += 1
        const text = texts[at]
        return model(async () => {
          if (text === undefined) return answer({ stop: 'error', error: { code: 'model_error', message: 'failed' } })
          if (text !== '') return answer({ text })
          return answer({ calls: [{ id: '1', name: 'read_file', input: { path: 'data.csv' } }] })
        }, closing)
      },
    })
    expect(ends).toEqual([true, true, true, false])
  })

  test('does not know what it has cost where it broke while the model worked', async () => {
    const store = memoryStore()
    const deps = inMemory({ store })
    await runPlan(plan({}, {}, {}), {
      ...deps,
      openWorld: (planned, n) => {
        if (planned.evalCase.id === 'case-1') return boom()
        return planned.evalCase.id === 'case-3' ? inMemoryWorld({ grading: boom }) : deps.openWorld(planned, n)
      },
      openModel: (planned) =>
        planned.evalCase.id === 'case-2' ? model(later) : model(async () => answer({ text: 'Done.' })),
    })
    expect([0, 1, 2].map((at) => [store.read(at)?.cost_usd, store.read(at)?.usage.input_tokens])).toEqual([
      [0, 0],
      [null, null],
      [0.01, 10],
    ])
  })
})

describe('a run that bails', () => {
  test('stops after so many cases that failed or could not be judged, and says what was not run', async () => {
    const { listener, lines } = watched()
    const { stopped, totals } = await runPlan(plan({}, fails, { mock: [] }, {}, { skip: 'later' }, { trials: 2 }), {
      ...inMemory({ listener, bail: 2 }),
    })
    expect(lines()).toEqual([
      'case-1 passed',
      expect.stringMatching(/^case-2 failed: /),
      expect.stringMatching(/^case-3 error: mock_exhausted: /),
      'case-4 skipped: not run: the run stopped after 0 of 1 trials',
      'case-5 skipped: later',
      'case-6 skipped: not run: the run stopped after 0 of 2 trials',
    ])
    expect([stopped, totals.summary().cases, totals.summary().skipped]).toEqual(['bail', 6, 3])
  })

  test('has not stopped where nothing was left to do', async () => {
    expect((await runPlan(plan({}, fails), inMemory({ bail: 1 }))).stopped).toBeUndefined()
  })

  test('finishes what is under way', async () => {
    const { listener, lines } = watched()
    const gate = deferred()
    const { stopped } = await runPlan(plan(fails, {}, {}), {
      ...inMemory({ listener, bail: 1, concurrency: 2 }),
      openModel: ({ evalCase }) =>
        model(async () => {
          if (evalCase.id === 'case-1') setTimeout(gate.resolve, 20)
          else await gate.promise
          return answer({ text: 'Done.' })
        }),
    })
    expect(lines()).toEqual([
      expect.stringMatching(/^case-1 failed/),
      'case-3 skipped: not run: the run stopped after 0 of 1 trials',
      'case-2 passed',
    ])
    expect(stopped).toBe('bail')
  })
})

describe('a run that is aborted', () => {
  test('keeps what had finished, ends what is under way, and leaves the rest as skipped', async () => {
    const { listener, lines } = watched()
    const store = memoryStore()
    const controller = new AbortController()
    const disposed: string[] = []
    const { stopped, totals } = await runPlan(plan({}, { trials: 2 }, {}, {}), {
      ...inMemory({ listener, store, signal: controller.signal }),
      openWorld: ({ evalCase }) => inMemoryWorld({ dispose: async () => void disposed.push(evalCase.id) }),
      openModel: ({ evalCase }, n) =>
        model(async (_, { signal }) => {
          if (evalCase.id !== 'case-2' || n !== 2) return answer({ text: 'Done.' })
          setTimeout(() => controller.abort(new Error('interrupted')), 5)
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        }),
    })
    expect(lines()).toEqual([
      'case-1 passed',
      'case-3 skipped: not run: the run stopped after 0 of 1 trials',
      'case-4 skipped: not run: the run stopped after 0 of 1 trials',
      'case-2 skipped: not run: the run stopped after 1 of 2 trials',
    ])
    expect([stopped, disposed]).toEqual(['aborted', ['case-1', 'case-2', 'case-2']])
    expect([0, 1, 2, 3].map((at) => store.read(at)?.status)).toEqual(['passed', 'passed', undefined, undefined])
    expect(totals.summary()).toMatchObject({ cases: 4, passed: 1, skipped: 3, trials: 2 })
  })

  test('before it begins does nothing, and says so of each case', async () => {
    const { listener, results } = watched()
    const opened: string[] = []
    const { stopped } = await runPlan(plan({}, {}, {}), {
      ...inMemory({ listener, concurrency: 2, signal: AbortSignal.abort(new Error('interrupted')) }),
      openWorld: ({ evalCase }) => {
        opened.push(evalCase.id)
        return inMemoryWorld()
      },
    })
    expect([stopped, opened, results.map((result) => result.status)]).toEqual([
      'aborted',
      [],
      ['skipped', 'skipped', 'skipped'],
    ])
  })

  test('gives no warning of a leak, however much is under way', async () => {
    const warnings: string[] = []
    const note = (warning: Error) => void warnings.push(warning.name)
    process.on('warning', note)
    const controller = new AbortController()
    const waiting = () =>
      model(
        (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      )
    const running = runPlan(plan(...Array.from({ length: 40 }, () => ({}))), {
      ...inMemory({ concurrency: 40, signal: controller.signal }),
      openModel: waiting,
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    controller.abort(new Error('interrupted'))
    expect((await running).stopped).toBe('aborted')
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('warning', note)
    expect(warnings).toEqual([])
  })
})

describe('a run that can’t go on', () => {
  test('because its results can’t be kept rejects, once what is under way has ended', async () => {
    const store = memoryStore()
    const full: Store = {
      ...store,
      append: (at, row) => {
        if (at === 0) throw new Error('the disk is full')
        store.append(at, row)
      },
    }
    const ended: string[] = []
    const running = runPlan(plan(...Array.from({ length: 10 }, () => ({}))), {
      ...inMemory({ store: full, concurrency: 3 }),
      openModel: ({ evalCase }) =>
        model(async () => {
          await new Promise((resolve) => setTimeout(resolve, evalCase.id === 'case-1' ? 1 : 30))
          ended.push(evalCase.id)
          return answer({ text: 'Done.' })
        }),
    })
    await expect(running).rejects.toThrow('the disk is full')
    expect(ended).toEqual(['case-1', 'case-2', 'case-3'])
  })

  test('because its plan can’t be read on rejects, once what is under way has ended', async () => {
    const ended: string[] = []
    const good = plan({}, {}, {})
    const torn = {
      ...good,
      cases: function* () {
        yield* good.cases()
        throw new Error('the rows have changed')
      },
    }
    const running = runPlan(torn, {
      ...inMemory({ concurrency: 4 }),
      openModel: ({ evalCase }) =>
        model(async () => {
          await new Promise((resolve) => setTimeout(resolve, 10))
          ended.push(evalCase.id)
          return answer({ text: 'Done.' })
        }),
    })
    await expect(running).rejects.toThrow('the rows have changed')
    expect(ended.sort()).toEqual(['case-1', 'case-2', 'case-3'])
  })
})

describe('a listener that throws', () => {
  const throwing = (error: () => Error): RunListener => {
    const boom = () => {
      throw error()
    }
    return { started: boom, trialStarted: boom, trialFinished: boom, caseFinished: boom, finished: boom }
  }

  test('does not affect the run, and the first of it is told', async () => {
    let n = 0
    const listener = throwing(() => {
      n += 1
      return new Error(`no. ${n}`)
    })
    const store = memoryStore()
    const run = await runPlan(plan({}, fails, { skip: true }), inMemory({ listener, store }))
    const quiet = await runPlan(plan({}, fails, { skip: true }), inMemory())
    expect(run.totals.summary()).toEqual(quiet.totals.summary())
    expect([run.listenerFault, n, store.read(1)?.status]).toEqual([new Error('no. 1'), 9, 'failed'])
    expect(quiet.listenerFault).toBeUndefined()
  })

  test('does not affect the run where it does so later', async () => {
    const listener: RunListener = {
      trialFinished: async () => {
        throw new Error('later')
      },
    }
    const { totals, listenerFault } = await runPlan(plan({}, {}), inMemory({ listener }))
    expect([totals.summary().passed, listenerFault]).toEqual([2, new Error('later')])
  })
})

describe('the memory of a run', () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void

  test('does not grow with its cases: nothing of 20,000 is held', async () => {
    const count = 20_000
    const sample: WeakRef<object>[] = []
    const kept: Pick<Store, 'append'> & { read: Store['read']; close: Store['close'] } = {
      append: (at: number, row: TrialRow) => {
        if (at % 10 === 0) sample.push(new WeakRef(row))
      },
      read: () => undefined,
      close: () => undefined,
    }
    const cases = function* () {
      for (let i = 0; i < count; i += 1) {
        const evalCase = aCase({ id: `case-${i}`, description: `${i} `.repeat(50) })
        if (i % 10 === 0) sample.push(new WeakRef(evalCase))
        yield evalCase
      }
    }
    const alive: number[] = []
    let finished = 0
    const listener: RunListener = {
      caseFinished: () => {
        finished += 1
        if (finished % 5000 !== 0) return
        gc()
        alive.push(sample.filter((ref) => ref.deref() !== undefined).length)
      },
    }
    const streaming = planOf(cases, aSuite())
    sample.length = 0
    const deps = inMemory({ store: kept, listener, concurrency: 4, clock: systemClock() })
    const { totals } = await runPlan(streaming, deps)
    expect([totals.summary().passed, sample.length]).toEqual([count, (count / 10) * 2])
    // A WeakRef that was just made keeps its target until the present turn of the event loop is over.
    expect(alive.map((refs) => refs < 500)).toEqual([true, true, true, true])
    await new Promise((resolve) => setImmediate(resolve))
    gc()
    expect(sample.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(10)
  }, 120_000)

  test('does not grow with what an abort leaves undone', async () => {
    const sample: WeakRef<object>[] = []
    const cases = function* () {
      for (let i = 0; i < 20_000; i += 1) {
        const evalCase = aCase({ id: `case-${i}` })
        sample.push(new WeakRef(evalCase))
        yield evalCase
      }
    }
    const streaming = planOf(cases)
    sample.length = 0
    const { totals } = await runPlan(streaming, inMemory({ signal: AbortSignal.abort() }))
    expect(totals.summary().skipped).toBe(20_000)
    await new Promise((resolve) => setImmediate(resolve))
    gc()
    expect(sample.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(10)
  })
})
