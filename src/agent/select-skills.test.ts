import { describe, expect, test } from 'vitest'
import { actionsOf, selectedSkills, type Trajectory } from '../core/trajectory.ts'
import type { MockScript } from '../schema/mock.ts'
import {
  actionLines,
  answer,
  call,
  runInMemory,
  type Setting,
  scriptedModel,
  skillsOf,
  skillText,
  someSkills,
  statesOf,
} from './agent.test-support.ts'

const disclosed = (trajectory: Trajectory): string[] =>
  trajectory.flatMap((event) =>
    event.type === 'disclosed' ? [`${event.level} ${event.skill}/${event.path} ${event.bytes}`] : [],
  )

const run = (mock: MockScript, setting: Setting = {}) => runInMemory(mock, setting)
const body = (name: string) => expect.stringContaining(`How to ${name}.`)

describe('a selection', () => {
  test('reads nothing but heads before, and then the one body', async () => {
    const opened: string[] = []
    const skills = skillsOf(someSkills, (path) => opened.push(path))
    opened.length = 0
    const before = await run(['Done.'], { skills })
    expect([opened, disclosed(before.trajectory)]).toEqual([[], []])
    const after = await run([{ select_skills: 'csv-analyzer' }, 'Done.'], { skills })
    expect([...new Set(opened)]).toEqual(['/skills/csv-analyzer/SKILL.md'])
    expect(disclosed(after.trajectory)).toEqual(['body csv-analyzer/SKILL.md 20'])
  })

  test('wraps the body with name, source, folder, files and warnings', async () => {
    const skills = skillsOf({ '/skills/long/SKILL.md': skillText('long', '', 'x\n'.repeat(501).trim()) })
    const outcome = await run([{ select_skills: 'long' }, 'Done.'], { skills })
    const [, first, ...rest] = /^(<skill .*>)\n[\s\S]*\n(<note>.*<\/note>)\n(<\/skill>)$/.exec(
      actionsOf(outcome.trajectory)[0]!.observation,
    )!
    expect([first, ...rest]).toEqual([
      '<skill name="long" source="project" folder="/skills/long">',
      '<note>The instructions of long have 501 lines, more than 500.</note>',
      '</skill>',
    ])
  })

  test('does not inject a body twice', async () => {
    const outcome = await run([
      { select_skills: 'csv-analyzer' },
      { select_skills: ['csv-analyzer', 'log-triage'] },
      'Done.',
    ])
    expect(actionLines(outcome).slice(0, 2)).toEqual([
      body('csv-analyzer'),
      expect.stringMatching(
        /^select_skills ok: csv-analyzer is already loaded; its instructions are above\.\n\n<skill name="log-triage"/,
      ),
    ])
    expect(disclosed(outcome.trajectory)).toEqual(['body csv-analyzer/SKILL.md 20', 'body log-triage/SKILL.md 18'])
    expect(selectedSkills(outcome.trajectory)).toEqual(['csv-analyzer', 'log-triage'])
  })

  test('does not inject a body twice that is named twice at once', async () => {
    const outcome = await run([{ select_skills: ['csv-analyzer', 'csv-analyzer'] }, 'Done.'])
    expect(disclosed(outcome.trajectory)).toEqual(['body csv-analyzer/SKILL.md 20'])
  })

  test('loads at most two bodies a turn, over all its actions, and the others in the next', async () => {
    const outcome = await run([
      [{ select_skills: 'csv-analyzer' }, { select_skills: ['log-triage', 'json-designer', 'no-people'] }],
      { select_skills: ['json-designer', 'no-people'] },
      'Done.',
    ])
    const wait = (name: string) =>
      `${name} was not loaded: at most 2 skills are loaded in one turn. Select it in your next turn.`
    const records = actionsOf(outcome.trajectory)
    expect(records[1]).toMatchObject({
      status: 'ok',
      observation: expect.stringContaining(`</skill>\n\n${wait('json-designer')}\n\n${wait('no-people')}`),
      skills: { loaded: ['log-triage'], failed: ['json-designer', 'no-people'] },
    })
    expect(selectedSkills(outcome.trajectory)).toEqual(['csv-analyzer', 'log-triage', 'json-designer', 'no-people'])
  })

  test('loads as many bodies a turn as is configured', async () => {
    const outcome = await run([{ select_skills: ['csv-analyzer', 'log-triage'] }, 'Done.'], { maxBodiesPerTurn: 1 })
    expect(selectedSkills(outcome.trajectory)).toEqual(['csv-analyzer'])
    const [first] = actionsOf(outcome.trajectory)
    expect(first?.observation).toContain('at most 1 skills are loaded in one turn')
  })

  test('of an unknown skill is answered with the names there are, nearest first', async () => {
    const outcome = await run([{ select_skills: 'log-triag' }, 'Done.'])
    expect(actionLines(outcome)[0]).toBe(
      'select_skills error: There is no skill "log-triag". Skills, nearest first: log-triage, csv-analyzer, json-designer, no-people.',
    )
    expect(selectedSkills(outcome.trajectory)).toEqual([])
  })

  test('of a skill that is hidden from the model is one of an unknown skill', async () => {
    const outcome = await run([
      { select_skills: 'secret-keeper' },
      { read_file: '/skills/secret-keeper/SKILL.md' },
      'Done.',
    ])
    const [first, second] = actionLines(outcome)
    expect(first).toMatch(
      /^select_skills error: There is no skill "secret-keeper"\. Skills, nearest first: (?!.*secret-keeper)/,
    )
    expect(second).toMatch(/^read_file error: .*the path is absolute/)
  })

  test('loads what it can and says what it could not', async () => {
    const outcome = await run([{ select_skills: ['nope', 'csv-analyzer'] }, 'Done.'])
    expect(actionsOf(outcome.trajectory)[0]).toMatchObject({
      status: 'ok',
      observation: expect.stringMatching(/^There is no skill "nope"\.[\s\S]*How to csv-analyzer\./),
      skills: { loaded: ['csv-analyzer'], failed: ['nope'] },
    })
  })

  test('fails where its body can’t be read', async () => {
    const files = { ...someSkills }
    const skills = skillsOf(files)
    const broken = { ...skills, body: () => ({ problem: 'The instructions of csv-analyzer can’t be read.' }) }
    const outcome = await run([{ select_skills: 'csv-analyzer' }, 'Done.'], { skills: broken })
    expect(actionsOf(outcome.trajectory)[0]).toMatchObject({
      status: 'error',
      skills: { loaded: [], failed: ['csv-analyzer'] },
    })
    expect(selectedSkills(outcome.trajectory)).toEqual([])
  })

  test.each([
    ['select_skills', { skills: [{ name: 'csv-analyzer', source: 'project' }], reason: 'CSV' }],
    ['select_skills', { skills: ['csv-analyzer'] }],
    ['select_skills', { skills: 'csv-analyzer@project' }],
    ['read_skill', { name: 'csv-analyzer' }],
    ['read_skill', { name: 'csv-analyzer', source: 'project' }],
    ['use_skill', { skill: 'csv-analyzer' }],
    ['activate_skill', { skill_name: 'csv-analyzer' }],
    ['load_skill', 'csv-analyzer'],
    ['read_file', { path: '/skills/csv-analyzer/SKILL.md' }],
    ['read_file', '/skills/csv-analyzer/SKILL.md'],
  ])('may be written %s %j', async (name, input) => {
    const model = scriptedModel([answer({ calls: [call(name, input)] }), answer({ text: 'Done.' })])
    const outcome = await runInMemory(undefined, { model })
    expect(selectedSkills(outcome.trajectory)).toEqual(['csv-analyzer'])
    expect(actionsOf(outcome.trajectory)[0]).toMatchObject({ action: 'select_skills', status: 'ok' })
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ results: [{ name, isError: false }] })
  })

  test('of another source than there is says which there is', async () => {
    const outcome = await run([{ select_skills: 'csv-analyzer@user' }, 'Done.'])
    expect(actionLines(outcome)[0]).toBe(
      'select_skills error: There is no skill "csv-analyzer" in user; there is one in: project.',
    )
  })
})

describe('a skill that the user invokes by its name', () => {
  test('is loaded at once and does not count as selected', async () => {
    const model = scriptedModel([answer({ text: 'Done.' })])
    const outcome = await runInMemory(undefined, { model, inputs: ['/csv-analyzer Which month?'] })
    expect(model.requests[0]?.messages).toMatchObject([
      {
        role: 'user',
        bodies: [{ skill: 'csv-analyzer' }],
        text: expect.stringMatching(/^<skill name="csv-analyzer" [\s\S]*<\/skill>\n\nWhich month\?$/),
      },
    ])
    expect(selectedSkills(outcome.trajectory)).toEqual([])
    expect(outcome.trajectory.find((event) => event.type === 'selected')).toMatchObject({
      by: 'user',
      skill: 'csv-analyzer',
    })
    expect([disclosed(outcome.trajectory), statesOf(outcome).slice(0, 4)]).toEqual([
      ['body csv-analyzer/SKILL.md 20'],
      ['0 init', '0 index_skills', '0 load_skill_body', '1 decide'],
    ])
  })

  test('may be used like one that was selected', async () => {
    const mock: MockScript = [{ load_resource: { skill: 'csv-analyzer', path: 'references/kpi.md' } }, 'Done.']
    const outcome = await run(mock, { inputs: ['/csv-analyzer'] })
    expect(actionLines(outcome)[0]).toBe('load_resource ok: # KPI\n\nA number.\n')
  })

  test('may be one that is hidden from the model, with its files', async () => {
    const outcome = await run(['Done.'], { inputs: ['/secret-keeper hush'] })
    expect(disclosed(outcome.trajectory)).toEqual(['body secret-keeper/SKILL.md 21'])
  })

  test('is not injected a second time', async () => {
    const model = scriptedModel([answer({ text: 'One.' }), answer({ text: 'Two.' })])
    const outcome = await runInMemory(undefined, { model, inputs: ['/csv-analyzer First?', '/csv-analyzer Second?'] })
    expect(model.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      text: '[csv-analyzer is already loaded; its instructions are above.]\n\nSecond?',
    })
    expect(disclosed(outcome.trajectory)).toEqual(['body csv-analyzer/SKILL.md 20'])
  })

  test.each([
    ['no skill', '/nope do it'],
    ['a path', '/usr/bin/env'],
    ['a skill that is hidden from people', '/no-people do it'],
    ['a slash alone', '/ csv-analyzer'],
    ['a slash further on', 'Use /csv-analyzer'],
  ])('is not meant by %s', async (_, input) => {
    const model = scriptedModel([answer({ text: 'Done.' })])
    const outcome = await runInMemory(undefined, { model, inputs: [input] })
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', text: input }])
    expect(disclosed(outcome.trajectory)).toEqual([])
  })

  test('counts once the model selects it too', async () => {
    const outcome = await run([{ select_skills: 'csv-analyzer' }, 'Done.'], { inputs: ['/csv-analyzer'] })
    expect(selectedSkills(outcome.trajectory)).toEqual(['csv-analyzer'])
    expect(disclosed(outcome.trajectory)).toEqual(['body csv-analyzer/SKILL.md 20'])
  })
})

describe('a resource', () => {
  const load = (params: Record<string, unknown>) => ({ load_resource: { skill: 'csv-analyzer', ...params } })

  test('is read for a loaded skill alone', async () => {
    const outcome = await run([
      load({ path: 'references/kpi.md' }),
      { select_skills: 'csv-analyzer' },
      load({ path: 'references/kpi.md' }),
      'Done.',
    ])
    expect([actionLines(outcome)[0], actionLines(outcome)[2]]).toEqual([
      'load_resource error: csv-analyzer is not loaded: select it with select_skills first',
      'load_resource ok: # KPI\n\nA number.\n',
    ])
    expect(disclosed(outcome.trajectory)).toEqual([
      'body csv-analyzer/SKILL.md 20',
      'resource csv-analyzer/references/kpi.md 17',
    ])
  })

  test('is only the section or the lines that are named', async () => {
    const outcome = await run([
      { select_skills: 'csv-analyzer' },
      [load({ path: 'references/kpi.md', lines: '3' }), load({ path: 'references/kpi.md', section: 'KPI' })],
      'Done.',
    ])
    expect(actionLines(outcome).slice(1, 3)).toEqual([
      'load_resource ok: A number.',
      expect.stringMatching(/^load_resource ok: # KPI\n\nA number\./),
    ])
  })

  test('that is not there is answered with the files of the skill', async () => {
    const outcome = await run([{ select_skills: 'csv-analyzer' }, load({ path: 'references/kpis.md' }), 'Done.'])
    expect(actionLines(outcome)[1]).toBe(
      'load_resource error: The skill csv-analyzer has no file "references/kpis.md". Its files, nearest first: references/kpi.md, scripts/top.py.',
    )
  })

  test('of a skill that is not known is answered with the names of skills', async () => {
    const outcome = await run([{ load_resource: { skill: 'csv', path: 'x.md' } }, 'Done.'])
    expect(actionLines(outcome)[0]).toMatch(
      /^load_resource error: There is no skill "csv"\. Skills, nearest first: csv-analyzer,/,
    )
  })

  test('is never a script', async () => {
    const outcome = await run([{ select_skills: 'csv-analyzer' }, load({ path: 'scripts/top.py' }), 'Done.'])
    expect(actionLines(outcome)[1]).toContain('is a script, and scripts are not read: run it with run_script')
  })
})
