import { describe, expect, test } from 'vitest'
import { skillsOf as skillsInMemory } from '../agent/agent.test-support.ts'
import type { EvalCase } from '../core/plan.ts'
import type { SuiteAudit } from '../core/results.ts'
import type { Skill } from '../core/skill.ts'
import { auditPlan } from './audit-plan.ts'
import { aCase, aSuite, deferred, inMemory, inMemoryWorld, noSkills, plan, planOf } from './runner.test-support.ts'

const audit = async (...cases: readonly Partial<EvalCase>[]): Promise<SuiteAudit> => {
  const result = await auditPlan(
    plan(...cases.map((one, i) => ({ line: i + 1, ...one }))),
    inMemory({ openModel: refuse }),
    'warn',
  )
  if (result === undefined) throw new Error('aborted')
  return result
}
const sourceOf = (...names: readonly string[]) =>
  skillsInMemory(
    Object.fromEntries(
      names.map((name) => [`/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: x\n---\n\ny\n`] as const),
    ),
  )
/** No model of the run may be asked. */
const refuse = () => {
  throw new Error('a model was opened')
}
const holds = ({ groups }: SuiteAudit) =>
  groups.flatMap(({ case: id, checks }) =>
    checks.map(({ name, passed_by }) => `${id} ${name}: ${Object.keys(passed_by).join(' ')}`),
  )

describe('auditPlan', () => {
  test('tells for each check the agents that it holds for', async () => {
    const result = await audit({
      input: ['Say hello to data.csv'],
      expected: {
        skills: ['x'],
        output: [
          { contains: 'hello' },
          { length: { max: 5, unit: 'chars' } },
          { contains: 'goodbye' },
          { not: true, contains: 'data' },
        ],
        files: [{ path: 'out/report.md' }, { path: 'data.csv', exists: true }, { path: 'new-*.txt', contains: 'zz' }],
      },
    })
    expect(holds(result)).toEqual([
      'case-1 contains "hello": echo',
      'case-1 has at most 5 chars: idle all_skills wrong_file',
      'case-1 not: contains "data": idle all_skills wrong_file',
      'case-1 out/report.md exists: wrong_file',
      'case-1 data.csv exists: idle echo all_skills wrong_file',
    ])
    expect(result).toMatchObject({ cases: 1, checks: 8, vacuous_checks: 3, weak_checks: 2, vacuous_cases: 0 })
  })

  test('calls a case vacuous that has no other check, or none at all, but not one that only forbids', async () => {
    const result = await audit(
      { expected: { output: [{ length: { max: 9, unit: 'chars' } }], skills: [] } },
      {},
      { constraints: { max_turns: 3 } },
      { expected: { skills: [] } },
      { expected: { actions: { never: ['write_file'] } } },
      { expected: { output: [{ contains: 'x' }] } },
    )
    expect(result).toMatchObject({ cases: 6, vacuous_cases: 3, negative_cases: 2, checks: 2 })
    expect(result.groups.map(({ case: id, vacuous_cases }) => `${id} ${vacuous_cases}`)).toEqual([
      'case-1 1',
      'case-2 1',
      'case-3 1',
    ])
  })

  test('a case that a model would judge is not vacuous: nobody knows', async () => {
    const rubric = [{ rubric: 'is polite' }, { length: { max: 9, unit: 'chars' } }] as unknown as NonNullable<
      EvalCase['expected']
    >['output']
    expect(await audit({ expected: { output: rubric } })).toMatchObject({ vacuous_checks: 1, vacuous_cases: 0 })
  })

  test('makes one group of the cases that a line makes, and one check of their place', async () => {
    const rows = Array.from({ length: 500 }, (_, i) =>
      aCase({
        id: `row/${i}`,
        line: 7,
        expected: { output: [{ not: true, contains: `word ${i}` }, { contains: 'y' }] },
      }),
    )
    const result = await auditPlan(
      planOf(() => rows),
      inMemory(),
      'fail',
    )
    expect(result).toMatchObject({ mode: 'fail', cases: 500, checks: 1000, vacuous_checks: 500 })
    expect(result?.groups).toEqual([
      {
        suite: 'suite',
        path: 'evals/suite.eval.yaml',
        case: 'row/0',
        line: 7,
        cases: 500,
        vacuous_cases: 0,
        unjudged_cases: 0,
        checks: [
          {
            name: 'not: contains "word 0"',
            kind: 'contains',
            place: [1, 2],
            passed_by: { idle: 500, echo: 500, all_skills: 500, wrong_file: 500 },
          },
        ],
      },
    ])
  })

  test('audits a case once whatever its models and trials, and none that is skipped or expected to fail', async () => {
    const cases = [aCase({ trials: 5 }), aCase({ id: 'b', skip: 'later' }), aCase({ id: 'c', xfail: true })]
    const result = await auditPlan(
      planOf(() => cases, aSuite({ models: ['mock', 'other'] })),
      inMemory(),
      'warn',
    )
    expect(result).toMatchObject({ cases: 1 })
  })

  test('runs a case once for each agent whose acts its checks could see, at most so many at a time', async () => {
    let now = 0
    let most = 0
    let opened = 0
    const gate = deferred()
    const openWorld = () => {
      opened += 1
      now += 1
      most = Math.max(most, now)
      if (now === 3) gate.resolve()
      return inMemoryWorld({
        dispose: async () => {
          await gate.promise
          now -= 1
        },
      })
    }
    const skillsOf = () => ({ ...noSkills(), source: sourceOf('a') })
    const count = async (expected: EvalCase['expected']) => {
      opened = 0
      const cases = plan(...Array.from({ length: 9 }, () => ({ expected })))
      await auditPlan(cases, inMemory({ openWorld, skillsOf, concurrency: 3 }), 'warn')
      return opened / 9
    }
    expect(await count({ actions: { in_order: ['grep'] } })).toBe(4)
    expect(await count({ files: [{ path: 'a' }] })).toBe(4)
    expect(await count({ output: [{ script: { run: '/g.py' } }] })).toBe(4)
    expect(await count({ skills: ['a'] })).toBe(3)
    expect(await count({ output: [{ contains: 'x' }] })).toBe(2)
    expect(most).toBe(3)
  })

  test('a case that can not be judged for the idle agent is told, and is not vacuous', async () => {
    const grading = () => ({
      runScript: async () => ({ exitCode: 0, stdout: '', stderr: '', timedOut: false, startError: 'no python' }),
      readSchema: () => ({}),
    })
    const result = await auditPlan(
      plan({ expected: { output: [{ script: { run: '/g.py' } }] } }),
      inMemory({ openWorld: () => inMemoryWorld({ grading }) }),
      'warn',
    )
    expect(result).toMatchObject({ vacuous_cases: 0, unjudged_cases: 1, checks: 0 })
    expect(result?.groups).toMatchObject([{ case: 'case-1', unjudged_cases: 1 }])
  })

  test('selects every skill at once, but of a large index no more than a hundred and those that the case names', async () => {
    const names = Array.from({ length: 150 }, (_, i) => `s${String(i).padStart(3, '0')}`)
    const selectedOf = async (index: readonly string[], named: string) => {
      let selected: readonly string[] = []
      const source = sourceOf(...index)
      const skillsOf = () => ({ ...noSkills(), source: { ...source, body: (skill: Skill) => note(skill) } })
      const note = (skill: Skill) => {
        selected = [...selected, skill.name]
        return source.body(skill)
      }
      const result = await auditPlan(
        plan({ expected: { skills: { includes: [named] } } }),
        inMemory({ skillsOf }),
        'warn',
      )
      expect(result && holds(result)).toEqual([`case-1 the skills selected include ${named}: all_skills`])
      return selected
    }
    expect(await selectedOf(names.slice(0, 9), 's008')).toEqual(names.slice(0, 9))
    expect(await selectedOf(names, 's149')).toEqual([...names.slice(0, 100), 's149'])
  })

  test('tells the same whoever is done first', async () => {
    const openWorld: NonNullable<Parameters<typeof inMemory>[0]>['openWorld'] = ({ evalCase }) =>
      inMemoryWorld({
        dispose: () => new Promise((resolve) => setTimeout(resolve, evalCase.id === 'case-1' ? 20 : 0)),
      })
    const result = await auditPlan(
      plan({ line: 1 }, { line: 2 }, { line: 3 }),
      inMemory({ openWorld, concurrency: 3 }),
      'warn',
    )
    expect(result?.groups.map((group) => group.case)).toEqual(['case-1', 'case-2', 'case-3'])
  })

  test('gives nothing where the run is aborted', async () => {
    const controller = new AbortController()
    const openWorld = () => {
      controller.abort(new Error('SIGINT'))
      return inMemoryWorld()
    }
    const deps = inMemory({ openWorld, signal: controller.signal })
    expect(await auditPlan(plan({}, {}), deps, 'warn')).toBeUndefined()
  })
})
