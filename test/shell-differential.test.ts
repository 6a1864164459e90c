import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { covers, stops } from '../src/permissions/shell-lines.test-support.ts'

// What a line is found to run is compared with what bash runs: only here the parser is not its own judge.

const bash = spawnSync('sh', ['-c', 'command -v bash'], { encoding: 'utf8' }).stdout?.trim()

const pieces = fc.constantFrom(
  ...[
    'git',
    'git status',
    'git log',
    'id',
    'id',
    'id x',
    'x',
    'a',
    ' ',
    ' ',
    ' ',
    ';',
    '&&',
    '||',
    '|',
    '|&',
    '\n',
    '\t',
  ],
  ...[
    '$(',
    ')',
    '`',
    '(',
    '{ ',
    ';}',
    '<(',
    '>(',
    '"',
    '"',
    "'",
    "'",
    '\\',
    '\\\n',
    '$',
    '${',
    '}',
    '${x:-',
    '${x#',
    '$((',
    '))',
  ],
  ...[
    '#',
    ' #',
    '<<E\n',
    '\nE\n',
    "<<'E'\n",
    '<<-E\n',
    '\tE\n',
    '<<<',
    '>/dev/null',
    '2>&1',
    '</dev/null',
    '!',
    '[[ ',
    ' ]]',
  ],
  ...[
    '[',
    ']',
    'x=',
    'case x in x)',
    ';;',
    ' esac',
    'if ',
    '; then ',
    '; fi',
    'for f in a',
    '; do ',
    '; done',
    'f()',
    "$'",
    '$"',
  ],
  ...[
    '\\n',
    '\\x27',
    '*',
    '?',
    '~',
    '{a,b}',
    '@(',
    '=',
    '-',
    '--',
    ':',
    '$x',
    '$@',
    'time ',
    '! ',
    '$[',
    '\\\\',
    '\\`',
    '\\$',
    '\\"',
  ],
)

const line = fc
  .tuple(fc.constantFrom('', 'git ', 'git log '), fc.array(pieces, { minLength: 2, maxLength: 14 }))
  .map(([start, parts]) => start + parts.join(''))

describe.skipIf(!bash)('a line that bash runs', () => {
  let root = ''
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'shell-'))
    await mkdir(join(root, 'bin'))
    for (const name of ['git', 'id']) {
      const file = join(root, 'bin', name)
      await writeFile(file, `#!/bin/sh\necho ${name} >> '${root}/ran'\n`)
      await chmod(file, 0o755)
    }
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  /** What it runs, and the files that it leaves. */
  const run = async (command: string) => {
    const cwd = join(root, 'cwd')
    await rm(cwd, { recursive: true, force: true })
    await mkdir(cwd)
    await writeFile(join(root, 'ran'), '')
    spawnSync(bash, ['--norc', '--noprofile', '-c', command], {
      cwd,
      env: { PATH: join(root, 'bin') },
      input: '',
      timeout: 5_000,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const ran = (await readFile(join(root, 'ran'), 'utf8')).split('\n')
    return { ran: [...new Set(ran)].filter((name) => name !== ''), files: await readdir(cwd) }
  }

  test('sees what they run', async () => {
    expect(await run('git log; id > x')).toEqual({ ran: ['git', 'id'], files: ['x'] })
  })

  test('runs git alone where Bash(git:*) covers it', async () => {
    let tried = 0
    const property = fc.asyncProperty(line, async (command) => {
      if (!/id|[<>&]/.test(command) || !(await covers('Bash(git:*)', command))) return
      tried++
      const { ran, files } = await run(command)
      expect([command, ran.includes('id'), files]).toEqual([command, false, []])
    })
    await fc.assert(property, { numRuns: 15_000 })
    expect(tried).toBeGreaterThan(20)
  })

  test('runs nothing that Bash(id:*) forbids', async () => {
    let tried = 0
    const property = fc.asyncProperty(line, async (command) => {
      if (tried > 300 || !command.includes('id') || (await stops('Bash(id:*)', command))) return
      tried++
      expect([command, (await run(command)).ran.includes('id')]).toEqual([command, false])
    })
    await fc.assert(property, { numRuns: 15_000 })
    expect(tried).toBeGreaterThan(20)
  })
})
