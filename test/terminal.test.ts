import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { textWidth } from '../src/report/text-width.ts'
import { pack, project } from './support/cli.ts'
import { atTerminal, type PtyStep } from './support/pty.ts'

const cases = Array.from({ length: 12 }, (_, i) => {
  const expected = i % 3 === 0 ? ', expected: {skills: [csv-analyzer], output: [{contains: zebra}]}' : ''
  return `  - {id: a-case-with-quite-a-long-name-${i}, input: "Frage ${i}: 漢字 🎉", mock: [{final_answer: "漢字 🎉"}]${expected}}\n`
})
const files = {
  ...pack,
  'evals/s.eval.yaml': `name: 漢字スイート 🎉\nskills: [../skills]\nmodel: m\nthresholds: {pass_rate: 0.9}\ncases:\n${cases.join('')}`,
  '.agent/config.json': '{"models": {"m": {"provider": "mock", "params": {"latency_ms": 150}}}}',
}
const runArgs = ['run', '--concurrency', '2']

const run = (columns: number, env: Record<string, string> = {}, steps: readonly PtyStep[] = []) => {
  using p = project(files)
  return atTerminal(p.dir, runArgs, steps, env, 'skills-eval', columns)
}

/** What stood in the live line, one entry for each time that it was drawn. */
const liveLines = (screen: string): readonly string[] =>
  [...screen.matchAll(/\r([^\r\n]*?)\x1b\[J/g)].map(([, line = '']) => stripVTControlCharacters(line))

describe('a run at a terminal', () => {
  test.each([60, 80, 200])('of %d columns has live line, tables and totals within them', (columns) => {
    const { code, screen } = run(columns)
    expect(code).toBe(1)
    const live = liveLines(screen).filter((line) => line !== '')
    expect(live.length).toBeGreaterThan(3)
    expect(live.join('\n')).toMatch(/\d+\/12 cases .*about \d.* left/)
    for (const line of live) expect(textWidth(line), line).toBeLessThan(columns)
    const report = stripVTControlCharacters(screen.slice(screen.lastIndexOf('repeat:'))).split(/\r?\n/)
    const tables = report.slice(report.indexOf('')).filter((line) => !line.startsWith('results:'))
    expect(tables.join('\n')).toMatch(/suite +cases[\s\S]*tokens: [\s\S]*12 cases:/)
    for (const line of tables) expect(textWidth(line), line).toBeLessThanOrEqual(columns)
  })

  test('lays its report out for the width that the terminal has by then', () => {
    const { screen } = run(200, {}, [{ until: ' left', type: '', columns: 60 }])
    const report = stripVTControlCharacters(screen.slice(screen.lastIndexOf('repeat:'))).split(/\r?\n/)
    for (const line of report.slice(report.indexOf('')).filter((text) => !text.startsWith('results:')))
      expect(textWidth(line), line).toBeLessThanOrEqual(60)
  })

  test.each([
    ['CI', { CI: 'true' }],
    ['a dumb terminal', { TERM: 'dumb' }],
  ])('has no live line in %s, and a line for each case', (_, env) => {
    const { screen } = run(80, env)
    expect(screen).not.toContain('\x1b')
    expect(screen.match(/^ok {3}|^FAIL /gm)?.length).toBeGreaterThanOrEqual(12)
  })

  test('is coloured unless NO_COLOR says otherwise', () => {
    expect(run(80).screen).not.toMatch(/\x1b\[\d+m/)
    expect(run(80, { NO_COLOR: '' }).screen).toMatch(/\x1b\[31m/)
  })
})

describe('without a terminal', () => {
  test('tables have the width of $COLUMNS, or 80', () => {
    using p = project(files)
    p.cli(['run', '-q', '--filter', 'name-1'])
    p.cli(['run', '-q', '--filter', '=a-case-with-quite-a-long-name-3'])
    const commands = [
      ['runs', 'list'],
      ['skills', 'coverage'],
      ['runs', 'audit', '--min-trials', '1'],
      ['compare', 'previous', '--force'],
      ['report', '--reporter', 'terminal'],
    ]
    for (const [columns, env] of [
      [80, {}],
      [60, { COLUMNS: '60' }],
    ] as const) {
      for (const args of commands) {
        const tables = p
          .cli(args, env)
          .out.split('\n')
          .filter(
            (line) =>
              / {2}/.test(line) &&
              !/^ /.test(line) &&
              !/^(?:FAIL .* {2}evals|no case|the descriptions|coverage:)/.test(line),
          )
        expect(tables.length, args.join(' ')).toBeGreaterThan(0)
        for (const line of tables) expect(textWidth(line), `${args.join(' ')}: ${line}`).toBeLessThanOrEqual(columns)
      }
    }
    expect(p.cli(['runs', 'list'], { COLUMNS: '300' }).out).toMatch(/^run +started +took .*command\n/)
  })
})
