import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../src/core/results.ts'
import { project, root } from './support/cli.ts'

const run = promisify(execFile)

/** The shipped suites and recordings in a folder of its own, whose home is another too. */
const elsewhere = () => {
  const p = project()
  for (const path of ['.agent/config.yaml', 'evals', 'fixtures', 'recordings', 'skills']) {
    cpSync(join(root, path), join(p.dir, path), { recursive: true })
  }
  return p
}

const recordings = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
const undated = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, text.replace(/^ {2}"recorded": "\d{4}-\d\d-\d\d"/m, '')]),
  )

describe('the shipped recordings', () => {
  test('are replayed in another folder, by another user, without key and net; none is stale', () => {
    using p = elsewhere()
    const log = join(p.dir, 'net.log')
    const result = p.cli(['run', 'evals/recorded', '--json'], {
      NODE_OPTIONS: `--import ${pathToFileURL(join(root, 'test/support/no-net.mjs')).href}`,
      NO_NET_LOG: log,
    })
    expect(result.code, result.err).toBe(0)
    const { suites, summary } = result.json as RunResult
    expect(readFileSync(log, 'utf8')).toBe('the net is off\n')
    expect(summary).toMatchObject({ failed: 0, errors: 0, stale: 0, skipped: 0 })
    const cases = suites.flatMap((suite) => suite.cases)
    expect(cases.flatMap(({ trials }) => trials.map(({ cassette }) => cassette?.mode))).toEqual(
      Array.from({ length: summary.trials }, () => 'replay'),
    )
    // On each of the three formats, and without tool calls.
    expect(new Set(cases.map(({ model }) => model))).toEqual(new Set(['claude', 'gpt', 'gpt-responses', 'local']))
    // What the table knows is priced, and it is the only thing that asks for money.
    expect(summary.cost_usd).toBeGreaterThan(0)
  })

  test('belong to a case each', () => {
    using p = elsewhere()
    const { recordings: listed } = p.cli(['cassettes', 'list', '--json']).json as { recordings: { state: string }[] }
    expect(listed.length).toBe(Object.keys(recordings(join(root, 'recordings'))).length)
    expect(listed.filter(({ state }) => state !== 'ok')).toEqual([])
  })

  test('notice a description that has changed', () => {
    using p = elsewhere()
    const file = 'skills/log-triage/SKILL.md'
    p.write({ [file]: readFileSync(join(root, file), 'utf8').replace('Triages log files', 'Reads log files') })
    const result = p.cli(['run', 'evals/recorded/log-triage.eval.yaml', '--filter', 'web-server', '--model', 'gpt'])
    expect(result.code, result.out).toBe(4)
    expect(result.out).toContain('description of log-triage')
  })

  test('are what scripts/record-shipped.mjs makes: recorded again, byte for byte the same but for the date', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shipped-recordings-'))
    // This one is made from nothing, so that its answers can't have been there before; how long they took may differ.
    const anew = 'recorded-csv-analyzer/top-months/gpt.json'
    const withoutTimes = (text: string | undefined) => text?.replace(/^ *"latency_ms": \d+$/gm, '')
    try {
      cpSync(join(root, 'recordings'), folder, { recursive: true })
      rmSync(join(folder, anew))
      await run(process.execPath, ['scripts/record-shipped.mjs', '--into', folder], {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: folder, CI: 'true' },
      })
      const { [anew]: made, ...again } = undated(recordings(folder))
      const { [anew]: shipped, ...others } = undated(recordings(join(root, 'recordings')))
      expect(again).toEqual(others)
      expect(withoutTimes(made)).toBe(withoutTimes(shipped))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 300_000)
})
