import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export const root: string = resolve(import.meta.dirname, '../..')
const program = join(root, 'dist/skills-eval.cjs')

export type CliResult = {
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly json: unknown
}

/** A folder of its own for one test, with its own home; removed at the end of `using`. */
export const project = (files: Readonly<Record<string, string>> = {}) => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'skills-eval-test-')))
  const write = (more: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), text)
      if (text.startsWith('#!')) chmodSync(join(dir, path), 0o755)
    }
  }
  write(files)
  const children: ChildProcess[] = []
  return {
    dir,
    write,
    writeBytes: (path: string, bytes: Uint8Array): void => writeFileSync(join(dir, path), bytes),
    /** Runs the built program in the folder, as in CI unless `env` says otherwise. */
    cli: (args: readonly string[], env: Readonly<Record<string, string>> = {}): CliResult => {
      const result = spawnSync(process.execPath, [program, ...args], {
        cwd: dir,
        encoding: 'utf8',
        timeout: 60_000,
        maxBuffer: 1 << 28,
        env: { ...environment(dir), ...env },
      })
      return { code: result.status, out: result.stdout, err: result.stderr, json: parsed(result.stdout) }
    },
    /** Runs another program in the folder; returns what it prints. */
    run: (command: string, args: readonly string[]): string =>
      execFileSync(command, args, { cwd: dir, encoding: 'utf8', env: environment(dir) }),
    /** Starts the program and goes on. */
    start: (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const child = spawn(process.execPath, [program, ...args], { cwd: dir, env: { ...environment(dir), ...env } })
      children.push(child)
      const said = { out: '', err: '' }
      child.stdout.setEncoding('utf8').on('data', (text) => {
        said.out += text
      })
      child.stderr.setEncoding('utf8').on('data', (text) => {
        said.err += text
      })
      const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
      return { said, ended, input: child.stdin, kill: (signal: NodeJS.Signals) => child.kill(signal) }
    },
    /** The same with a shell around it: `rest` is what comes behind the command. */
    shell: (args: readonly string[], rest: string) =>
      spawnSync('bash', ['-c', `"$0" "$@" ${rest}`, process.execPath, program, ...args], {
        cwd: dir,
        encoding: 'utf8',
        timeout: 60_000,
        env: environment(dir),
      }),
    [Symbol.dispose]: () => {
      for (const child of children) child.kill('SIGKILL')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const environment = (dir: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: join(dir, '.home'),
  CI: 'true',
  NO_COLOR: '1',
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const skill = (name: string, description: string, body = `# ${name}\n\nDo it.\n`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`

/** A small pack of skills, as most tests need one. */
export const pack: Readonly<Record<string, string>> = {
  'skills/csv-analyzer/SKILL.md': skill(
    'csv-analyzer',
    'Summarise CSV files of sales. Use when a CSV must be analysed.',
    '# CSV\n\nRun scripts/top.py. See references/kpi.md\n',
  ),
  'skills/csv-analyzer/scripts/top.py':
    '#!/usr/bin/env python3\nimport csv,sys\nrows=sorted(csv.DictReader(open(sys.argv[1])),key=lambda r:-int(r["revenue"]))\nprint(",".join(r["month"] for r in rows[:int(sys.argv[2])]))\n',
  'skills/csv-analyzer/references/kpi.md': '# KPI\n\n## Revenue\n\nMoney in.\n\n## Churn\n\nMoney out.\n',
  'skills/pdf-forms/SKILL.md': skill('pdf-forms', 'Fill PDF forms. Use when a PDF form must be filled.'),
  'fixtures/sales.csv': 'month,revenue\nJan,5\nFeb,9\nMar,7\nApr,1\n',
}

export const head = 'name: t\nskills: [../skills]\nmodel: mock\n'
