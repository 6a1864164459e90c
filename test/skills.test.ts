import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const project = join(import.meta.dirname, '..')
const skills = join(project, 'skills')
const fixtures = join(project, 'fixtures')
const scratch = mkdtempSync(join(tmpdir(), 'skills-test-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

type Options = {
  readonly stdin?: string | Buffer
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs `skill/scripts/name` the way an agent does: from a workspace, with an environment built up from nothing. */
function run(script: string, args: readonly string[], { stdin = '', cwd = fixtures, env = {} }: Options = {}) {
  const [skill = '', name = ''] = script.split('/')
  const result = spawnSync(join(skills, skill, 'scripts', name), args, {
    cwd,
    input: stdin,
    encoding: 'utf8',
    timeout: 25_000,
    env: { PATH: process.env.PATH, HOME: scratch, TMPDIR: scratch, LANG: 'C', SKILL_DIR: join(skills, skill), ...env },
  })
  return { code: result.status, out: result.stdout, err: result.stderr }
}

function scratchFile(name: string, content: string | Buffer) {
  writeFileSync(join(scratch, name), content)
  return join(scratch, name)
}

function filesOf(skill: string): string[] {
  return readdirSync(join(skills, skill), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(skills, skill).length + 1))
    .sort()
}

const names = readdirSync(skills).sort()
const scripts = names.flatMap((skill) =>
  readdirSync(join(skills, skill, 'scripts')).map((name) => ({ skill, name, path: `${skill}/${name}` })),
)

test('the shipped skills are these', () => {
  expect(names).toEqual(['changelog-writer', 'csv-analyzer', 'json-schema-designer', 'log-triage', 'skill-author'])
})

describe.each(names)('%s as a package', (skill) => {
  const text = readFileSync(join(skills, skill, 'SKILL.md'), 'utf8')
  const [, frontmatter = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
  const fields = parse(frontmatter) as Record<string, unknown>

  test('keeps the standard, and says what, when and what not', () => {
    expect(Object.keys(fields)).toEqual(['name', 'description', 'license', 'compatibility', 'metadata'])
    expect(fields.name).toBe(skill)
    expect(fields.description).toMatch(/^[A-Z][a-z]+s .*\. Use when .*\. Not for .*\.$/)
    expect(String(fields.description).length).toBeLessThanOrEqual(600)
    expect(fields.metadata).toEqual({ version: '1.0.0' })
    expect(body.split('\n').length).toBeLessThan(200)
  })

  test('names every file that it has, and has every file that it names', () => {
    const named = body.match(/\b(?:scripts|references|assets|lib)\/[\w.-]+\.\w+/g) ?? []
    expect([...new Set(named)].sort()).toEqual(filesOf(skill).filter((path) => path !== 'SKILL.md'))
  })

  test('has a script, an asset, and references in sections that stand alone', () => {
    const files = filesOf(skill)
    for (const folder of ['scripts', 'references', 'assets'])
      expect(files.filter((path) => path.startsWith(folder))).not.toEqual([])
    for (const path of files.filter((file) => file.startsWith('references/'))) {
      const reference = readFileSync(join(skills, skill, path), 'utf8')
      expect(reference.match(/^## /gm)?.length ?? 0, path).toBeGreaterThanOrEqual(3)
      expect(reference, path).not.toMatch(/references\/[\w-]+\.md/)
    }
  })

  test('names only sections that its references have', () => {
    const headings = filesOf(skill)
      .filter((path) => path.startsWith('references/'))
      .flatMap((path) => readFileSync(join(skills, skill, path), 'utf8').match(/^## .*$/gm) ?? [])
      .map((heading) => heading.slice(3))
    const cited = body.replace(/\s+/g, ' ').match(/(?<=\(|, |section )"[A-Z][^".]*"(?=[,):. ])/g) ?? []
    expect(headings).toEqual(expect.arrayContaining(cited.map((section) => section.slice(1, -1))))
  })

  test('has Unix line endings and no leftovers', () => {
    for (const path of filesOf(skill)) {
      expect(path).not.toMatch(/__pycache__|\.pyc$|~$/)
      expect(readFileSync(join(skills, skill, path), 'utf8'), path).not.toContain('\r')
    }
  })
})

describe.each(scripts)('$path', ({ skill, name, path }) => {
  test('can be run, and explains itself', () => {
    const file = join(skills, skill, 'scripts', name)
    expect(statSync(file).mode & 0o111).toBe(0o111)
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env (python3|bash|node)\n/)
    const { code, out, err } = run(path, ['--help'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^usage: /)
    expect(out).toContain('exit codes: 0 ')
  })

  test('refuses an unknown option with exit code 2', () => {
    const { code, out, err } = run(path, ['--no-such-option'])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/usage|error: /)
  })

  test('reports a missing file without a stack trace', () => {
    const needed: Record<string, string[]> = {
      'top.py': ['nope', '--by', 'x'],
      'group.py': ['nope', '--by', 'x'],
      'anomalies.py': ['nope', '--column', 'x'],
      'window.sh': ['nope', '--level', 'ERROR'],
      'collect.sh': ['--from-file', 'nope'],
      'parse-log.sh': ['--from-file', 'nope'],
      'next-version.sh': ['--from-file', 'nope', '--current', '1.0.0'],
      'check.mjs': ['nope', 'nope'],
    }
    if (name === 'scaffold.mjs') return
    const { code, out, err } = run(path, needed[name] ?? ['nope'])
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: 'error: no such file: nope\n' })
  })
})

type Case = readonly [name: string, script: string, args: readonly string[]]

const goldens: readonly Case[] = [
  ['csv-profile-sales', 'csv-analyzer/profile.py', ['sales/sales.csv']],
  ['csv-profile-orders-json', 'csv-analyzer/profile.py', ['sales/orders.csv', '--json']],
  ['csv-profile-messy', 'csv-analyzer/profile.py', ['sales/messy.csv']],
  ['csv-profile-semicolon', 'csv-analyzer/profile.py', ['sales/semicolon.csv']],
  ['csv-profile-semicolon-comma', 'csv-analyzer/profile.py', ['sales/semicolon.csv', '--decimal', ',']],
  ['csv-profile-empty', 'csv-analyzer/profile.py', ['sales/empty.csv']],
  ['csv-profile-header-only', 'csv-analyzer/profile.py', ['sales/header-only.csv']],
  ['csv-profile-broken-quote', 'csv-analyzer/profile.py', ['sales/broken-quote.csv']],
  ['csv-top-sales', 'csv-analyzer/top.py', ['sales/sales.csv', '--by', 'revenue', '--show', 'month']],
  ['csv-top-ascending', 'csv-analyzer/top.py', ['sales/sales.csv', '--by', 'refunds', '-n', '2', '--ascending']],
  ['csv-top-messy', 'csv-analyzer/top.py', ['sales/messy.csv', '--by', 'AMOUNT', '--show', 'customer', '-n', '5']],
  ['csv-top-no-column', 'csv-analyzer/top.py', ['sales/sales.csv', '--by', 'Revenu']],
  ['csv-top-text-column', 'csv-analyzer/top.py', ['sales/sales.csv', '--by', 'month']],
  ['csv-top-decimal-hint', 'csv-analyzer/top.py', ['sales/semicolon.csv', '--by', 'Umsatz']],
  ['csv-group-region', 'csv-analyzer/group.py', ['sales/orders.csv', '--by', 'region', '--sum', 'revenue']],
  [
    'csv-group-months',
    'csv-analyzer/group.py',
    ['sales/orders.csv', '--by', 'order_date', '--period', 'month', '--sum', 'revenue', '--change'],
  ],
  ['csv-group-count', 'csv-analyzer/group.py', ['sales/orders.csv', '--by', 'product', '--by', 'region', '-n', '3']],
  ['csv-group-no-dates', 'csv-analyzer/group.py', ['sales/sales.csv', '--by', 'month', '--period', 'year']],
  ['csv-group-json', 'csv-analyzer/group.py', ['sales/messy.csv', '--by', 'plan', '--sum', 'amount', '--json']],
  ['csv-anomalies', 'csv-analyzer/anomalies.py', ['sales/orders.csv', '--column', 'revenue']],
  [
    'csv-anomalies-within',
    'csv-analyzer/anomalies.py',
    ['sales/orders.csv', '--column', 'revenue', '--within', 'product', '--check'],
  ],
  ['csv-anomalies-none', 'csv-analyzer/anomalies.py', ['sales/sales.csv', '--column', 'refunds', '--check']],
  ['csv-anomalies-few', 'csv-analyzer/anomalies.py', ['sales/semicolon.csv', '--column', 'Umsatz', '--decimal', ',']],
  ['csv-rows', 'csv-analyzer/rows.py', ['sales/messy.csv', '--line', '3', '-n', '2']],
  ['log-parse', 'changelog-writer/parse-log.sh', ['--from-file', 'commits/release.log']],
  ['log-collect', 'changelog-writer/collect.sh', ['--from-file', 'commits/release.log', '--since', 'v1.4.2']],
  [
    'log-collect-release',
    'changelog-writer/collect.sh',
    [
      ...['--from-file', 'commits/release.log', '--since', 'v1.4.2', '--version', 'v2.0.0', '--date', '2024-05-17'],
      ...['--repo-url', 'https://git.example.org/team/app/', '--include', 'docs,chore'],
    ],
  ],
  ['log-collect-oneline', 'changelog-writer/collect.sh', ['--from-file', 'commits/oneline.log', '--no-hashes']],
  ['log-collect-chores', 'changelog-writer/collect.sh', ['--from-file', 'commits/chores.log']],
  ['log-collect-strict', 'changelog-writer/collect.sh', ['--from-file', 'commits/unconventional.txt', '--strict']],
  ['log-collect-no-tag', 'changelog-writer/collect.sh', ['--from-file', 'commits/release.log', '--since', 'v9']],
  ['log-collect-no-date', 'changelog-writer/collect.sh', ['--from-file', 'commits/oneline.log', '--version', '1.0.0']],
  [
    'log-next-major',
    'changelog-writer/next-version.sh',
    ['--current', 'v1.4.2', '--from-file', 'commits/release.log', '--since', 'v1.4.2'],
  ],
  ['log-next-none', 'changelog-writer/next-version.sh', ['--current', '1.0.0', '--from-file', 'commits/chores.log']],
  ['json-infer', 'json-schema-designer/infer.mjs', ['json/order-1.json', 'json/order-2.json', '--title', 'Order']],
  [
    'json-infer-lines',
    'json-schema-designer/infer.mjs',
    ['json/events.jsonl', '--enums', '--bounds', '--id', 'https://example.org/event'],
  ],
  ['json-infer-broken', 'json-schema-designer/infer.mjs', ['json/broken.json']],
  ['json-lint-bad', 'json-schema-designer/lint.mjs', ['json/bad.schema.json']],
  ['json-lint-errors-json', 'json-schema-designer/lint.mjs', ['json/bad.schema.json', '--level', 'error', '--json']],
  ['json-lint-good', 'json-schema-designer/lint.mjs', ['json/good.schema.json', '--level', 'info']],
  ['json-lint-rule-typo', 'json-schema-designer/lint.mjs', ['json/good.schema.json', '--ignore', 'open-objet']],
  ['json-check-good', 'json-schema-designer/check.mjs', ['json/order.schema.json', 'json/order-1.json']],
  ['json-check-bad', 'json-schema-designer/check.mjs', ['json/order.schema.json', 'json/order-invalid.json']],
  [
    'json-check-invalid',
    'json-schema-designer/check.mjs',
    ['json/order.schema.json', 'json/order-invalid.json', '--invalid'],
  ],
  ['triage-app', 'log-triage/cluster.py', ['logs/app.log']],
  ['triage-access-json', 'log-triage/cluster.py', ['logs/access.log', '--json']],
  [
    'triage-several',
    'log-triage/cluster.py',
    ['logs/app.log', 'logs/events.jsonl', '--level', 'warning', '--top', '3'],
  ],
  ['triage-syslog', 'log-triage/cluster.py', ['logs/syslog.log']],
  [
    'triage-window',
    'log-triage/window.sh',
    ['logs/app.log', '--from', '2024-05-17 10:12:40', '--to', '2024-05-17T10:13:05'],
  ],
  ['triage-window-match', 'log-triage/window.sh', ['logs/app.log', '--level', 'error', '--match', 'job', '-n', '4']],
  ['triage-window-access', 'log-triage/window.sh', ['logs/access.log', '--from', '2024-05-17 10:04']],
  ['triage-window-syslog', 'log-triage/window.sh', ['logs/syslog.log', '--from', '05-17 10', '--to', '05-17 10:03:40']],
  ['triage-window-none', 'log-triage/window.sh', ['logs/app.log', '--from', '2025-01-01']],
  ['triage-window-bad-time', 'log-triage/window.sh', ['logs/app.log', '--from', 'yesterday']],
  ['author-lint', 'skill-author/lint-description.mjs', ['skills', '--neighbours', 'skills']],
  ['author-lint-text', 'skill-author/lint-description.mjs', ['--text', 'A useful tool for your data.', '--json']],
  [
    'author-scaffold',
    'skill-author/scaffold.mjs',
    [
      ...['--name', 'pdf-tables', '--does', 'extracts tables from PDF files: one CSV each.', '--license', 'MIT'],
      ...['--when', 'the user asks for the "tables" of a .pdf', '--when', 'figures must be copied from a report'],
      ...['--not', 'scanned pages', '--script', 'extract.py', '--reference', 'layouts.md', '--asset', 'row.txt'],
    ],
  ],
  [
    'author-suite',
    'skill-author/scaffold.mjs',
    [
      ...['--name', 'pdf-tables', '--does', 'extracts tables from PDF files into CSV', '--suite'],
      ...['--when', 'get me the table on page 3 of report.pdf', '--not', 'fill in form.pdf'],
    ],
  ],
  ['author-scaffold-bad', 'skill-author/scaffold.mjs', ['--name', 'Pdf Tables', '--does', 'x', '--when', 'needed']],
]

describe('over the fixtures', () => {
  test.each(goldens)('%s', async (name, script, args) => {
    const { code, out, err } = run(script, args)
    const quoted = args.map((arg) => (/^[\w./,:=-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')
    const parts = [`$ ${script} ${quoted}`, out, err === '' ? '' : `--- standard error\n${err}`, `--- exit ${code}\n`]
    await expect(parts.filter((part) => part !== '').join('\n')).toMatchFileSnapshot(`golden/skills/${name}.golden.txt`)
  })

  test.each(['C.UTF-8', 'tr_TR.UTF-8'])('prints the same in the locale %s', (locale) => {
    for (const [, script, args] of goldens.filter(([name]) => /messy|window-match|collect$|lint-text/.test(name))) {
      // Not the standard error: a shell may complain there about a locale that the machine lacks.
      const { code, out } = run(script, args, { env: { LANG: locale, LC_ALL: locale } })
      const { code: plainCode, out: plainOut } = run(script, args)
      expect({ code, out }).toEqual({ code: plainCode, out: plainOut })
    }
  })
})

describe('numbers that can be checked another way', () => {
  const cells = (path: string) =>
    readFileSync(join(fixtures, path), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))

  test('sums and counts per region are those of the file', () => {
    const expected = new Map<string, { rows: number; sum: number }>()
    for (const row of cells('sales/orders.csv')) {
      const { rows, sum } = expected.get(row[2]!) ?? { rows: 0, sum: 0 }
      expected.set(row[2]!, { rows: rows + 1, sum: sum + Number(row[5]) })
    }
    const args = ['sales/orders.csv', '--by', 'region', '--sum', 'revenue', '--json']
    const { groups } = JSON.parse(run('csv-analyzer/group.py', args).out)
    const got = groups.map((g: { group: string[]; rows: number; sum: number }) => [g.group[0], g])
    expect(new Map(got)).toEqual(new Map([...expected].map(([key, value]) => [key, expect.objectContaining(value)])))
  })

  test('the top months are those of a plain sort', () => {
    const sorted = cells('sales/sales.csv').sort((a, b) => Number(b[2]) - Number(a[2]))
    const { top } = JSON.parse(
      run('csv-analyzer/top.py', ['sales/sales.csv', '--by', 'revenue', '-n', '12', '--json']).out,
    )
    const months = top.map((row: { cells: Record<string, string> }) => row.cells.month)
    expect(months).toEqual(sorted.map((row) => row[0]))
  })

  test('money adds up exactly', () => {
    const stdin = `name,amount\n${'a,0.1\n'.repeat(3)}`
    const { out } = run('csv-analyzer/group.py', ['-', '--by', 'name', '--sum', 'amount', '--json'], { stdin })
    expect(JSON.parse(out).total).toEqual({ rows: 3, sum: 0.3 })
  })

  test('the counts of all templates add up to the events', () => {
    const { events, templates } = JSON.parse(run('log-triage/cluster.py', ['logs/app.log', '--json']).out)
    const dated = readFileSync(join(fixtures, 'logs/app.log'), 'utf8').match(/^2024-/gm)
    expect(events).toBe(dated?.length)
    expect(templates.reduce((sum: number, one: { count: number }) => sum + one.count, 0)).toBe(events)
  })

  test('what is inferred accepts its samples and passes the linter but for descriptions', () => {
    const schema = scratchFile('order.schema.json', run('json-schema-designer/infer.mjs', samples(['--bounds'])).out)
    expect(run('json-schema-designer/check.mjs', [schema, ...samples([])]).code).toBe(0)
    expect(run('json-schema-designer/check.mjs', [schema, 'json/order-invalid.json']).code).toBe(1)
    const lint = JSON.parse(run('json-schema-designer/lint.mjs', [schema, '--json']).out)
    expect(new Set(lint.findings.map((finding: { rule: string }) => finding.rule))).toEqual(
      new Set(['no-description', 'no-items']),
    )
  })

  test('the shipped skills pass the linter of descriptions, also against each other', () => {
    const { code, out } = run('skill-author/lint-description.mjs', [skills, '--neighbours', skills])
    expect({ code, out }).toEqual({ code: 0, out: '5 skills: no findings\n' })
  })

  test('the shipped schema skeleton passes the linter of schemas', () => {
    const skeleton = join(skills, 'json-schema-designer/assets/schema-skeleton.json')
    expect(run('json-schema-designer/lint.mjs', [skeleton, '--level', 'info']).code).toBe(0)
  })
})

function samples(more: readonly string[]): string[] {
  return ['json/order-1.json', 'json/order-2.json', ...more]
}

test.each([
  ['1.2.3', 'release.log', '2.0.0'],
  ['1.2.3', 'oneline.log', '1.3.0'],
  ['1.2.3', 'patch-only.log', '1.2.4'],
  ['v1.2.3', 'chores.log', 'v1.2.3'],
  ['0.4.1', 'release.log', '0.5.0'],
  ['0.4.1', 'oneline.log', '0.5.0'],
  ['0.4.1', 'patch-only.log', '0.4.2'],
  ['2.0.0-rc.1', 'release.log', '2.0.0'],
  ['1.3.0-beta.2', 'oneline.log', '1.3.0'],
  ['1.2.4-beta.1', 'oneline.log', '1.3.0'],
  ['1.2.4-beta.1', 'patch-only.log', '1.2.4'],
])('after %s, %s makes %s', (current, log, next) => {
  const args = ['--current', current, '--from-file', `commits/${log}`, '--plain']
  expect(run('changelog-writer/next-version.sh', args).out).toBe(`${next}\n`)
  if (current === '0.4.1' && log === 'release.log')
    expect(run('changelog-writer/next-version.sh', [...args, '--stable']).out).toBe('1.0.0\n')
})

test('a changelog can be made from a repository as well as from its log', () => {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
  const git = (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: scratch, GIT_CONFIG_NOSYSTEM: '1' }
    return spawnSync('git', [...identity, ...args], { cwd: repository, encoding: 'utf8', env })
  }
  const repository = mkdtempSync(join(scratch, 'repository-'))
  git('init', '-q', '-b', 'main')
  git('commit', '-q', '--allow-empty', '-m', 'feat: one')
  git('tag', 'v0.1.0')
  git('commit', '-q', '--allow-empty', '-m', 'fix(io)!: two\n\nBREAKING-CHANGE: files\nare closed\n\nCloses #3')
  git('commit', '-q', '--allow-empty', '-m', 'docs: three')
  const expected = '## [Unreleased]\n\n### Fixed\n\n- **BREAKING** **io:** Two (#3)\n  Files are closed.\n'
  const options = { cwd: repository, env: { GIT_CONFIG_NOSYSTEM: '1' } }
  expect(run('changelog-writer/collect.sh', ['--since', 'v0.1.0', '--no-hashes'], options).out).toBe(expected)
  const log = git('log', '--decorate=short').stdout
  expect(
    run('changelog-writer/collect.sh', ['--from-file', '-', '--since', 'v0.1.0', '--no-hashes'], { stdin: log }).out,
  ).toBe(expected)
  expect(run('changelog-writer/next-version.sh', [], options).out).toContain(
    'current: v0.1.0\nbump: minor\nnext: v0.2.0\n',
  )
  expect(run('changelog-writer/collect.sh', ['--since', '--output=x'], options).code).toBe(2)
  expect(run('changelog-writer/collect.sh', ['--since', 'nope'], options).err).toBe('error: git knows no commit nope\n')
})

describe('hostile input', () => {
  test('line endings and byte order marks of other systems change nothing', () => {
    const windows = (path: string) => `\uFEFF${readFileSync(join(fixtures, path), 'utf8').replaceAll('\n', '\r\n')}`
    const pairs: [string, string, (path: string) => string[]][] = [
      ['csv-analyzer/group.py', 'sales/orders.csv', (path) => [path, '--by', 'region', '--sum', 'revenue', '--json']],
      ['changelog-writer/collect.sh', 'commits/release.log', (path) => ['--from-file', path]],
      ['log-triage/window.sh', 'logs/app.log', (path) => [path, '--level', 'ERROR', '-n', '3']],
      ['json-schema-designer/infer.mjs', 'json/order-1.json', (path) => [path, '--bounds']],
    ]
    for (const [script, path, args] of pairs) {
      const copy = scratchFile(`windows-${path.replaceAll('/', '-')}`, windows(path))
      const [plain, foreign] = [run(script, args(path)), run(script, args(copy))]
      const issues = /"issues": \[[^\]]*\]/
      expect(foreign.out.replace(issues, '')).toBe(plain.out.replace(issues, ''))
      expect(foreign.code).toBe(0)
    }
  })

  test.each<[string, string, string[], string | Buffer]>([
    ['NUL bytes', 'csv-analyzer/profile.py', ['-'], 'a,b\n1,\0\0\n'],
    ['UTF-16', 'csv-analyzer/profile.py', ['-'], Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le')],
    ['Latin-1', 'csv-analyzer/profile.py', ['-'], Buffer.from('caf\xe9,b\n1,2\n', 'latin1')],
    ['control characters', 'csv-analyzer/rows.py', ['-'], 'a,b\n\u001b[31mred,\u202etxt\n'],
    ['only quotes', 'csv-analyzer/rows.py', ['-'], '""\n'],
    ['a field without end', 'csv-analyzer/profile.py', ['-'], `a,b\n"${'x,\n'.repeat(60_000)}`],
    [
      'numbers beyond all bounds',
      'csv-analyzer/profile.py',
      ['-'],
      `a\n${'9'.repeat(60)}\n1e99999\nNaN\nInfinity\n-0\n`,
    ],
    ['no header', 'csv-analyzer/profile.py', ['-'], '1,2024-01-31\n2,2024-02-30\n'],
    ['markup and escapes', 'changelog-writer/collect.sh', ['--from-file', '-'], 'feat: <b>\u001b[1m `<ok>` \\n & %s\n'],
    ['too many commits', 'changelog-writer/collect.sh', ['--from-file', '-'], 'fix: a\n'.repeat(5001)],
    ['no commits', 'changelog-writer/collect.sh', ['--from-file', '-'], '\n\n'],
    [
      'odd JSON lines',
      'log-triage/cluster.py',
      ['-'],
      '{"ts":1e300,"msg":"a"}\n{"msg":null}\n{"level":50,"msg":"b","time":1715940000}\n',
    ],
    ['no timestamps', 'log-triage/cluster.py', ['-'], 'ERROR a 1\n  at x\nERROR a 2\n'],
    ['an empty log', 'log-triage/cluster.py', ['-'], ''],
    ['no times to look for', 'log-triage/window.sh', ['-', '--level', 'ERROR'], 'ERROR\n'],
  ])('%s', async (name, script, args, stdin) => {
    const { code, out, err } = run(script, args, { stdin })
    const file = `golden/skills/hostile-${name.replaceAll(' ', '-')}.golden.txt`
    await expect(`$ ${script} ${args.join(' ')}\n${out}${err}--- exit ${code}\n`).toMatchFileSnapshot(file)
  })

  test.each<[string, string, string, string]>([
    ['a million brackets', 'infer.mjs', '['.repeat(1_000_000), ':1:101: nested more than 100 levels deep\n'],
    ['two documents', 'infer.mjs', '{} {}', ':1:4: text after the end of the document\n'],
    ['a cut string', 'infer.mjs', '{"a": "b\n"}', 'a string that is not closed'],
    [
      'thousands of properties',
      'infer.mjs',
      JSON.stringify(Object.fromEntries(range(1500, (i) => [`k${i}`, i]))),
      'is it a map',
    ],
    ['a reference to itself', 'check.mjs', '{"$ref":"#"}', 'references go round in circles'],
    [
      'a pattern that explodes',
      'check.mjs',
      `{"properties":{"s":{"pattern":"^(a+)+$"}},"s":"${'a'.repeat(40)}!"}`,
      'took longer than 1000 ms',
    ],
    ['what it does not know', 'check.mjs', '{"unevaluatedProperties":false}', "can't check unevaluatedProperties"],
    ['a malformed schema', 'check.mjs', '{"required":"a"}', 'required must be an array of different strings'],
  ])('JSON: %s', (_, script, text, message) => {
    const path = scratchFile('hostile.json', text)
    const { code, out, err } = run(`json-schema-designer/${script}`, script === 'check.mjs' ? [path, path] : [path])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(message)
    expect(err.trimEnd()).not.toContain('\n')
  })

  test('property names that JavaScript treats specially are properties like others', () => {
    const sample = scratchFile('special.json', '{"__proto__":{"a":1},"constructor":2,"toString":null}')
    const schema = scratchFile('special.schema.json', run('json-schema-designer/infer.mjs', [sample]).out)
    expect(Object.keys(JSON.parse(readFileSync(schema, 'utf8')).properties)).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ])
    expect(run('json-schema-designer/check.mjs', [schema, sample]).code).toBe(0)
    expect(run('json-schema-designer/check.mjs', [schema, scratchFile('other.json', '{}')]).code).toBe(1)
  })

  test('tens of thousands of rows and lines are done within seconds', () => {
    const csv = `id,amount\n${range(50_000, (i) => `${i},${i % 97}.5`).join('\n')}\n`
    const { columns } = JSON.parse(run('csv-analyzer/profile.py', ['-', '--json'], { stdin: csv }).out)
    expect(columns[1]).toMatchObject({ type: 'number', min: 0.5, max: 96.5 })
    const log = range(20_000, (i) => `2024-05-17 10:${String(i % 60).padStart(2, '0')}:00 ERROR item ${i} at /a/${i}`)
    const { templates } = JSON.parse(run('log-triage/cluster.py', ['-', '--json'], { stdin: log.join('\n') }).out)
    expect(templates).toMatchObject([{ count: 20_000, template: 'item <num> at <path>' }])
  })
})

function range<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
