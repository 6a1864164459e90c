import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RunResult } from '../../src/core/results.ts'
import type { Cassette } from '../../src/schema/cassette.ts'
import { pack, project } from './cli.ts'

/** A case that selects a skill, runs its script and asks a test double; `mock` is what the model answers. */
export const recordedCase = (
  change: { readonly input?: string; readonly schema?: string; readonly top?: string; readonly more?: string } = {},
): string => `name: t
skills: [../skills]
model: m
${change.top ?? ''}cases:
  - id: top
    input: ${change.input ?? 'Which two months were best?'}
    files: {sales.csv: ../fixtures/sales.csv}
    tools: {lookup: {returns: {rate: 2}, description: Looks up., input_schema: ${change.schema ?? '{type: object}'}}}
    mock:
      - select_skills: csv-analyzer
      - run_script: {skill: csv-analyzer, path: scripts/top.py, args: [sales.csv, "2"]}
      - call_tool: {tool: lookup, input: {}}
      - final_answer: Feb and Mar
    expected: {output: [{contains: Feb}]}
${change.more ?? ''}`

export const config = (change: Readonly<Record<string, unknown>> = {}, profile: object = {}): string =>
  JSON.stringify({ models: { m: { provider: 'mock', ...profile } }, ...change })

export const recordedProject = (files: Readonly<Record<string, string>> = {}) =>
  project({ ...pack, 'evals/t.eval.yaml': recordedCase(), '.agent/config.json': config(), ...files })

type Project = ReturnType<typeof project>

export const cassetteFile = 'recordings/t/top/m.json'
export const read = (p: Project, path: string): string => readFileSync(join(p.dir, path), 'utf8')
export const cassetteOf = (p: Project, path = cassetteFile): Cassette => JSON.parse(read(p, path))
export const runOf = (p: Project): RunResult => JSON.parse(read(p, 'reports/latest/run.json'))
export const trialsOf = (p: Project) => runOf(p).suites.flatMap(({ cases }) => cases.flatMap(({ trials }) => trials))

/** Every file below a folder of the project, hidden ones too. */
export const filesBelow = (p: Project, folder: string): string[] =>
  existsSync(join(p.dir, folder))
    ? readdirSync(join(p.dir, folder), { recursive: true, encoding: 'utf8' })
        .map((path) => join(folder, path))
        .filter((path) => statSync(join(p.dir, path)).isFile())
        .sort()
    : []

/** Runs a command that the program printed. */
export const obey = (p: Project, printed: string) =>
  p.cli(
    printed
      .trim()
      .split(' ')
      .slice(1)
      .map((word) => word.replaceAll("'", '')),
  )
