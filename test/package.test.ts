import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { project, root } from './support/cli.ts'

type Output = {
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
  readonly packages: readonly string[]
}
const outputs = (): Record<string, Output> => JSON.parse(readFileSync(join(root, 'dist/meta.json'), 'utf8'))

/** Records every file that a command line opens as a module, with a hook in front of Node's own loader. */
const loadedBy = (args: readonly string[]): string[] => {
  const hook = `const M=require('node:module');const l=M._load;const seen=[];M._load=function(r,...x){seen.push(r);return l.call(this,r,...x)};process.on('exit',()=>process.stderr.write('\\nLOADED '+JSON.stringify(seen)))`
  const result = spawnSync(
    process.execPath,
    [
      '-e',
      `${hook};process.argv.splice(1,0,'skills-eval');require(${JSON.stringify(join(root, 'dist/skills-eval.cjs'))})`,
      '--',
      ...args,
    ],
    { encoding: 'utf8' },
  )
  const line = /LOADED (.*)$/.exec(result.stderr)?.[1] ?? '[]'
  return (JSON.parse(line) as string[]).filter((request) => !request.endsWith('skills-eval.cjs'))
}

describe('what the command line loads', () => {
  test('--version and --help load nothing but modules of Node that commander asks for', () => {
    const allowed = [
      'node:events',
      'node:child_process',
      'node:path',
      'node:fs',
      'node:process',
      'node:util',
      'node:module',
    ]
    expect(loadedBy(['--version']).filter((request) => !allowed.includes(request))).toEqual([])
    expect(loadedBy(['--help'])).toContain('node:events')
    expect(loadedBy(['--help']).filter((request) => !allowed.includes(request))).toEqual([])
  })

  test('--version and --help need no other file of the program', () => {
    using p = project()
    for (const program of ['skills-eval', 'skills-agent']) {
      cpSync(join(root, `dist/${program}.cjs`), join(p.dir, `${program}.cjs`))
      const run = (...args: readonly string[]) => p.run(process.execPath, [`${program}.cjs`, ...args])
      expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
      expect(run('--help')).toContain(`Usage: ${program}`)
      expect(run('run', '--help')).toContain(`Usage: ${program} run`)
    }
  })

  test('the program holds no package but commander, and reaches commands by import() alone', () => {
    for (const program of ['dist/skills-eval.cjs', 'dist/skills-agent.cjs']) {
      const output = outputs()[program]
      expect(output?.packages).toEqual(['commander'])
      const internal = output?.imports.filter(({ path }) => path.startsWith('./') || path.startsWith('dist/')) ?? []
      expect(internal.map(({ kind }) => kind)).toEqual(internal.map(() => 'dynamic-import'))
      expect(internal.length).toBeGreaterThan(0)
    }
  })

  test('a run loads the heavy packages only where a suite needs them', () => {
    const reach = (file: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(file)) return seen
      seen.add(file)
      for (const { path, kind } of outputs()[file]?.imports ?? []) if (kind === 'import-statement') reach(path, seen)
      return seen
    }
    const packages = [...reach('dist/run-from-cli.js')].flatMap((file) => outputs()[file]?.packages ?? [])
    const heavy = [
      'ajv',
      'execa',
      're2js',
      'markdown-it',
      'json-diff',
      'diff',
      'json-p3',
      'csv-parse',
      'minisearch',
      'cli-table3',
      'commander',
      '@modelcontextprotocol/client',
    ]
    expect(packages.filter((name) => heavy.includes(name))).toEqual([])
    expect(packages).toContain('zod')
    const ofPacks = [...reach('dist/packs-from-cli.js')].flatMap((file) => outputs()[file]?.packages ?? [])
    expect(ofPacks.filter((name) => ['archiver', 'yauzl', 'extract-zip', 'undici', ...heavy].includes(name))).toEqual(
      [],
    )
    expect(Object.values(outputs()).flatMap((file) => file.packages)).toEqual(
      expect.arrayContaining(['archiver', 'yauzl', 'extract-zip']),
    )
  })
})

describe('the npm package', () => {
  let folder: string
  let tarball: string
  let files: string[]

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'skills-eval-pack-'))
    const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    })
    const [info] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }]
    tarball = join(folder, info.filename)
    files = info.files.map((file) => file.path)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('holds the program, its types, schemas and skills, those that distract included, and nothing else', () => {
    const allowed =
      /^(dist\/|schemas\/[\w-]+\.schema\.json$|skills\/|distractors\/[\w-]+\/SKILL\.md$|README\.md$|LICENSE$|CHANGELOG\.md$|package\.json$)/
    expect(files.filter((file) => !allowed.test(file))).toEqual([])
    expect(files.filter((file) => /\.test\.|\.map$|node_modules|__pycache__/.test(file))).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining(['dist/skills-eval.cjs', 'dist/skills-agent.cjs', 'dist/THIRD_PARTY_NOTICES.txt']),
    )
  })

  test('is published in order', async () => {
    const { messages } = await publint({ pkgDir: root, strict: true })
    expect(
      messages.map((message) => formatMessage(message, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))),
    ).toEqual([])
  })

  test('names the licence of every package that is inside', () => {
    const notices = readFileSync(join(root, 'dist/THIRD_PARTY_NOTICES.txt'), 'utf8')
    const inside = new Set(Object.values(outputs()).flatMap((output) => output.packages))
    expect(inside.size).toBeGreaterThan(15)
    for (const name of inside) expect(notices).toMatch(new RegExp(`^${name.replace(/[/.@-]/g, '\\$&')} \\d`, 'm'))
  })

  test('says nothing of the machine that built it', () => {
    const texts = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    expect(texts.filter((text) => text.includes(root))).toEqual([])
  })

  test('installed into an empty project, gives both programs, and init and run work', () => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const run = (file: string, args: string[]) =>
      spawnSync(file, args, {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH ?? '', HOME: folder, CI: 'true', NO_COLOR: '1' },
      })
    const installed = run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball])
    expect(installed.stderr + installed.stdout).toContain('added 1 package')
    const bin = (name: string) => join(folder, 'node_modules/.bin', name)
    expect(run(bin('skills-eval'), ['--version']).stdout).toBe(run(bin('skills-agent'), ['--version']).stdout)
    expect(run(bin('skills-eval'), ['init']).status).toBe(0)
    const result = run(bin('skills-eval'), ['run'])
    expect(result.stdout).toContain('6 cases: 6 passed')
    expect(result.status).toBe(0)
    const task = run(bin('skills-agent'), ['run', 'hello', '--mock', 'turns.yaml'])
    expect(task.status).toBe(2)
    writeFileSync(join(folder, 'turns.yaml'), '- select_skills: text-stats\n- final_answer: hello back\n')
    expect(run(bin('skills-agent'), ['run', 'hello', '--mock', 'turns.yaml', '--quiet']).stdout).toBe('hello back\n')
    const offline = run('npx', ['--offline', 'skills-eval', 'run', 'evals/', '--quiet'])
    expect(offline.stdout).toContain('6 cases: 6 passed')

    writeFileSync(
      join(folder, 'use.mjs'),
      "import { runSuites, UsageError } from 'skills-eval'\nconsole.log(typeof runSuites, typeof UsageError)\n",
    )
    expect(run(process.execPath, ['use.mjs']).stdout).toBe('function function\n')
    expect(run(process.execPath, ['-p', "require('skills-eval/schemas/suite.schema.json').title"]).stdout).toContain(
      'suite',
    )
  })

  test('asks for no package beside itself that nothing in it imports', () => {
    const { peerDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const meta = Object.values(JSON.parse(readFileSync(join(root, 'dist/meta.json'), 'utf8'))) as {
      imports: { path: string }[]
    }[]
    const imported = new Set(meta.flatMap(({ imports }) => imports.map(({ path }) => path)))
    expect(Object.keys(peerDependencies).filter((name) => !imported.has(name))).toEqual([])
    expect(Object.keys(peerDependencies)).toEqual(['vitest'])
  })

  test('is typed for a program that uses it, whatever else is installed there', () => {
    const types = join(root, 'dist/types')
    const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
    const outside = files.flatMap((file) =>
      [...readFileSync(join(types, file), 'utf8').matchAll(/(?:from|import\() ?'([^.'][^']*)'/g)].map(
        (match) => match[1],
      ),
    )
    expect([...new Set(outside)].filter((name) => !name?.startsWith('node:'))).toEqual([])
    using here = project({
      'package.json': '{"type": "module"}',
      'use.ts': `import { runSuites, type RunResult, type SuitesOptions } from 'skills-eval'
export const cases = (run: RunResult): number => run.summary.cases
// @ts-expect-error it is a number
export const wrong = (run: RunResult): string => run.summary.cases
export const start = (options: SuitesOptions) => runSuites({ ...options, paths: 'evals' })
`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: [] },
        files: ['use.ts'],
      }),
    })
    const installed = join(here.dir, 'node_modules/skills-eval')
    cpSync(types, join(installed, 'dist/types'), { recursive: true })
    cpSync(join(root, 'package.json'), join(installed, 'package.json'))
    const compiled = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', here.dir], {
      encoding: 'utf8',
    })
    expect(compiled.stdout).toBe('')
    expect(compiled.status).toBe(0)
  })
})
