import { describe, expect, test } from 'vitest'
import { actionsOf, selectedSkills } from '../core/trajectory.ts'
import type { MockScript, MockTurn } from '../schema/mock.ts'
import { controlledSkills } from '../skills/controlled-skills.ts'
import { actionLines, call, runInMemory, type Setting, skillsOf, skillText, someSkills } from './agent.test-support.ts'
import { coordinatorsFirst } from './coordinators-first.ts'
import { validateCall } from './validate-call.ts'

const raw = (name: string, input: unknown): MockTurn => ({ raw: { name, input } })

const firstLines = async (mock: MockScript, setting: Setting = {}): Promise<string[]> =>
  actionLines(await runInMemory(mock, setting)).map((line) => line.split('\n', 1)[0] ?? '')

describe('a skill by its path', () => {
  test.each([
    ['the file', { skill_path: '/skills/csv-analyzer/SKILL.md' }],
    ['its folder', { path: '/skills/csv-analyzer' }],
    ['the name too, where it agrees', { skill_name: 'csv-analyzer', skill_path: '/skills/csv-analyzer/SKILL.md' }],
  ])('is selected: %s', async (_, input) => {
    for (const name of ['read_skill', 'use_skill', 'activate_skill']) {
      const outcome = await runInMemory([raw(name, input), 'Done.'])
      expect(selectedSkills(outcome.trajectory)).toEqual(['csv-analyzer'])
    }
  })

  test('is not selected where the name is another: both are said', async () => {
    const input = { skill_name: 'log-triage', skill_path: '/skills/csv-analyzer/SKILL.md' }
    expect((await firstLines([raw('read_skill', input), 'Done.']))[0]).toBe(
      'select_skills error: read_skill is not valid: the name log-triage (that is /skills/log-triage/SKILL.md) and the path /skills/csv-analyzer/SKILL.md (that is the skill csv-analyzer) do not agree; give one of them',
    )
    const unknown = { name: 'nope', path: '/skills/csv-analyzer' }
    expect((await firstLines([raw('read_skill', unknown), 'Done.']))[0]).toContain('nope (there is no such skill)')
  })

  test('is that of its owner where it is relative, and no file that is no skill', async () => {
    const outcome = await runInMemory([
      { select_skills: 'csv-analyzer' },
      raw('read_skill', { path: '../log-triage/SKILL.md' }),
      { load_resource: { skill: 'csv-analyzer', path: '../json-designer/SKILL.md' } },
      raw('read_skill', { path: '../secret-keeper/SKILL.md' }),
      raw('read_skill', { path: '/etc/passwd' }),
      'Done.',
    ])
    expect(selectedSkills(outcome.trajectory)).toEqual(['csv-analyzer', 'log-triage', 'json-designer'])
    expect(actionLines(outcome).slice(3, 5)).toEqual([
      'select_skills error: read_skill is not valid: there is no skill at ../secret-keeper/SKILL.md; select it by its name in the index',
      'select_skills error: read_skill is not valid: there is no skill at /etc/passwd; select it by its name in the index',
    ])
  })
})

test('a coordinating skill is loaded before those that it coordinates, also where there is room for one', async () => {
  const skills = skillsOf({
    ...someSkills,
    '/skills/lead/SKILL.md': skillText('lead', 'metadata:\n  coordinates: log-triage, csv-analyzer\n'),
  })
  const asked: MockTurn = { select_skills: ['csv-analyzer', 'log-triage', 'lead'] }
  const loadedOf = async (maxBodiesPerTurn: number) => {
    const { trajectory } = await runInMemory([asked, 'Done.'], { skills, maxBodiesPerTurn })
    return actionsOf(trajectory)[0]?.skills
  }
  expect(await loadedOf(3)).toEqual({ loaded: ['lead', 'csv-analyzer', 'log-triage'], failed: [] })
  expect(await loadedOf(1)).toEqual({ loaded: ['lead'], failed: ['csv-analyzer', 'log-triage'] })
})

describe('a session with controls', () => {
  const session = (files: () => Readonly<Record<string, string>> = () => someSkills) =>
    controlledSkills(() => skillsOf(files()))

  test('takes a skill out: not found, not loaded, not used, until it is brought back', async () => {
    const lines = await firstLines(
      [
        { select_skills: 'csv-analyzer' },
        { disable_skill: 'csv-analyzer' },
        { load_resource: { skill: 'csv-analyzer', path: 'references/kpi.md' } },
        { select_skills: 'csv-analyzer' },
        { search_skills: 'csv' },
        { enable_skill: { skill: 'csv-analyzer' } },
        { search_skills: 'csv' },
        { load_resource: { skill: 'csv-analyzer', path: 'references/kpi.md' } },
        'Done.',
      ],
      { skills: session() },
    )
    expect(lines).toEqual([
      expect.stringMatching(/^select_skills ok: <skill name="csv-analyzer"/),
      expect.stringMatching(/^disable_skill ok: csv-analyzer is disabled: it is not found/),
      'load_resource error: csv-analyzer is disabled in this session; enable_skill brings it back.',
      'select_skills error: csv-analyzer is disabled in this session; enable_skill brings it back.',
      'search_skills ok: no skill matches',
      'enable_skill ok: csv-analyzer is enabled: it can be selected again',
      expect.stringMatching(/^search_skills ok: csv-analyzer/),
      'load_resource ok: # KPI',
      'final_answer ok: Done.',
    ])
  })

  test('holds the user by their word: the model can not bring back what they disabled', async () => {
    const skills = session()
    skills.controls.disable({ name: 'csv-analyzer' }, 'user')
    const lines = await firstLines(
      [{ disable_skill: 'csv-analyzer' }, { enable_skill: 'csv-analyzer' }, { select_skills: 'csv-analyzer' }, 'Done.'],
      { skills },
    )
    expect(lines.slice(1, 3)).toEqual([
      'enable_skill error: csv-analyzer was disabled by the user, who alone can enable it.',
      'select_skills error: csv-analyzer is disabled by the user.',
    ])
    expect(skills.controls.enable({ name: 'csv-analyzer' }, 'user')).toMatchObject({ name: 'csv-analyzer' })
    expect(skills.controls.disabled()).toEqual([])
  })

  test('an input turns a skill off or on as the user, where it is of a session with controls', async () => {
    const mock: MockTurn[] = [{ select_skills: 'csv-analyzer' }, 'One.', { select_skills: 'csv-analyzer' }, 'Two.']
    const inputs = ['/disable csv-analyzer', 'First.', '/enable csv-analyzer', 'Second.']
    const outcome = await runInMemory(mock, { skills: session(), inputs })
    expect(actionLines(outcome).map((line) => line.slice(0, 50))).toEqual([
      'select_skills error: csv-analyzer is disabled by t',
      'final_answer ok: One.',
      expect.stringMatching(/^select_skills ok: <skill name="csv-analyzer"/),
      'final_answer ok: Two.',
    ])
    const news = outcome.trajectory.flatMap((event) => (event.type === 'index' ? [event] : []))
    expect(news.map(({ news, changed }) => [news.split('\n')[1], changed])).toEqual([
      ['Disabled by the user: csv-analyzer.', undefined],
      ['Enabled again by the user: csv-analyzer.', undefined],
    ])
    const unknown = await runInMemory(mock, { skills: session(), inputs: ['/disable csv-analyser', 'First.'] })
    expect(unknown.stop).toMatchObject({ kind: 'error', code: 'skill_unavailable' })
    expect((await runInMemory(['Well.'], { inputs: ['/disable csv-analyzer'] })).answer?.text).toBe('Well.')
  })

  test('is there where it is offered alone', async () => {
    expect((await firstLines([{ disable_skill: 'csv-analyzer' }, 'Done.']))[0]).toBe(
      'disable_skill error: disable_skill is not available in this run',
    )
  })

  test('reads the skills anew between requests, and the model is told what changed', async () => {
    let files: Readonly<Record<string, string>> = someSkills
    const skills = session(() => files)
    const reading = {
      ...skills.controls,
      reload: () => {
        const { '/skills/log-triage/SKILL.md': _, ...rest } = someSkills
        files = {
          ...rest,
          '/skills/fresh/SKILL.md': skillText('fresh'),
          '/skills/csv-analyzer/SKILL.md': skillText('csv-analyzer').replace('Use for', 'Now for'),
        }
        return skills.controls.reload()
      },
    }
    const outcome = await runInMemory(
      ['One.', { select_skills: 'fresh' }, { select_skills: 'log-triage' }, 'Two.', 'Three.'],
      {
        skills: { ...skills, controls: reading },
        inputs: ['First.', 'Second.', 'Third.'],
      },
    )
    const news = outcome.trajectory.flatMap((event) => (event.type === 'index' ? [event.news] : []))
    expect(news).toHaveLength(1)
    expect(news[0]).toMatch(
      /^The skills have changed[\s\S]*New:\n<skill>\n<name>\nfresh[\s\S]*otherwise now:[\s\S]*Now for csv-analyzer[\s\S]*Gone: log-triage\.$/,
    )
    expect(actionLines(outcome).map((line) => line.split('\n', 1)[0]?.slice(0, 40))).toEqual([
      'final_answer ok: One.',
      expect.stringMatching(/^select_skills ok: <skill name="fresh"/),
      expect.stringMatching(/^select_skills error: There is no skill/),
      'final_answer ok: Two.',
      'final_answer ok: Three.',
    ])
  })
})

test('names that nobody coordinates are left as they are, however many there are', () => {
  const refs = Array.from({ length: 50 }, (_, i) => ({ name: `nobody-${i}` }))
  expect(coordinatorsFirst(refs, skillsOf())).toBe(refs)
})

test.each([
  ['select_skills', (n: number) => ({ skills: Array.from({ length: n }, (_, i) => `skill-${i}`) }), 200],
  ['run_script', (n: number) => ({ skill: 'a', path: 'b', args: Array<string>(n).fill('x') }), 1_000],
  ['update_plan', (n: number) => ({ steps: Array.from({ length: n }, (_, i) => ({ id: `${i}`, title: 'x' })) }), 200],
  ['update_plan', (n: number) => ({ steps: [], assumptions: Array<string>(n).fill('x') }), 200],
])('%s takes no longer a list than it can work through', (name, input, most) => {
  const names = { actions: [], provided: [], skills: [] }
  expect(validateCall(call(name, input(most)), names)).toHaveProperty('action')
  expect(validateCall(call(name, input(most + 1)), names)).toEqual({
    problem: expect.stringContaining(`there can be at most ${most}`),
  })
})
