import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { diskFiles } from '../adapters/files/disk-files.ts'
import { diskWorkspace } from '../adapters/files/disk-workspace.ts'
import { tempFolder } from '../adapters/files/temp-folder.test-support.ts'
import { programFinder } from '../adapters/process/find-program.ts'
import { noIsolationHere, runnerOptions } from '../adapters/sandbox/script-runner.test-support.ts'
import { scriptRunner } from '../adapters/sandbox/script-runner.ts'
import type { FileEntries } from '../core/ports.contract.test-support.ts'
import { runScriptTool, type ScriptWorld } from './run-script.ts'
import { skillIn, useTool } from './tool.test-support.ts'

const plain = scriptRunner(runnerOptions({ mode: 'off' }))
const isolated = scriptRunner(runnerOptions({ mode: 'require' }))
const isolations = (await noIsolationHere()) === undefined ? { plain, isolated } : { plain }

const searchPath = process.env.PATH ?? '/usr/bin:/bin'

/** A skill with these files on disk, beside an empty workspace. */
const install = (files: FileEntries, world: Partial<ScriptWorld> = {}) => {
  const folder = tempFolder(Object.fromEntries(Object.entries(files).map(([path, text]) => [`skill/${path}`, text])))
  const skill = skillIn(join(folder, 'skill'))
  const workspace = diskWorkspace(join(folder, 'workspace'), { 'data.csv': { text: 'a,b\n' } })
  const tool = runScriptTool({
    files: diskFiles(),
    scripts: plain,
    findProgram: programFinder(searchPath),
    nodeRunsTypeScript: false,
    environment: { PATH: searchPath, LANG: 'C.UTF-8', PASSED: 'by name' },
    scratch: () => {
      mkdirSync(join(folder, 'home'), { recursive: true })
      return join(folder, 'home')
    },
    timeoutMs: 20_000,
    ...world,
  })
  const run = (path: string, more: Record<string, unknown> = {}, signal = new AbortController().signal) =>
    useTool(tool, { skill: { name: skill.name }, path, ...more }, workspace, { skill, signal })
  return { run, folder, skill, workspace }
}

const ok = (out: string) => ({ status: 'ok', text: `exit code 0\nstdout:\n${out}`, exitCode: 0 })

describe.each(Object.entries(isolations))('a script of a skill, %s,', (_, scripts) => {
  const installed = (files: FileEntries, world: Partial<ScriptWorld> = {}) => install(files, { scripts, ...world })

  test.each([
    ['a.py', 'import sys; print("py", sys.argv[1:])', "py ['x']\n"],
    ['a.sh', 'echo "sh $1" "${BASH_VERSION:+bash}"', 'sh x bash\n'],
    ['a.bash', 'echo "bash $1"', 'bash x\n'],
    ['a.js', 'console.log("js", process.argv.slice(2))', "js [ 'x' ]\n"],
    ['a.mjs', 'console.log("mjs", process.argv.slice(2), import.meta.url !== undefined)', "mjs [ 'x' ] true\n"],
    ['a.cjs', 'console.log("cjs", process.argv.slice(2), typeof require)', "cjs [ 'x' ] function\n"],
    ['noext', '#!/usr/bin/env python3\nimport sys; print("shebang", sys.argv[1:])', "shebang ['x']\n"],
    ['wrong.js', '#!/bin/bash\necho "bash beats .js: $1"', 'bash beats .js: x\n'],
  ])('runs by what %s says', async (name, code, out) => {
    const { run } = installed({ [`scripts/${name}`]: code })
    expect(await run(`scripts/${name}`, { args: ['x'] })).toEqual(ok(out))
  })

  test('gets its arguments one by one, whatever is in them', async () => {
    const { run } = installed({ 'a.py': 'import sys, json; print(json.dumps(sys.argv[1:]))' })
    const args = ['two words', '"double"', "'single'", '$(id)', '`id`', 'line\nend', '', '*', '--', 'a;b', '\\', 'é😀']
    const { text } = await run('a.py', { args })
    expect(JSON.parse(text.split('\n').slice(2).join('\n'))).toEqual(args)
  })

  test('runs in the workspace', async () => {
    const { run, workspace } = installed({ 'a.sh': 'pwd; ls; echo made > out.txt' })
    expect((await run('a.sh')).text).toBe(`exit code 0\nstdout:\n${workspace.root()}\ndata.csv\n`)
    expect(Buffer.from(workspace.read('out.txt', 10).content).toString()).toBe('made\n')
  })

  test('reads what it is given, and else nothing', async () => {
    const { run } = installed({ 'a.sh': 'cat; echo "[end]"' })
    expect(await run('a.sh', { stdin: 'größe\n' })).toEqual(ok('größe\n[end]\n'))
    expect(await run('a.sh')).toEqual(ok('[end]\n'))
    expect(await run('a.sh', { stdin: '' })).toEqual(ok('[end]\n'))
  })

  test('says its exit code and both outputs', async () => {
    const { run } = installed({ 'a.sh': 'echo out; echo err >&2; exit 3' })
    expect(await run('a.sh')).toEqual({
      status: 'error',
      text: 'exit code 3\nstdout:\nout\n\nstderr:\nerr\n',
      exitCode: 3,
    })
  })

  test('may say nothing', async () => {
    const { run } = installed({ 'a.sh': 'exit 0' })
    expect(await run('a.sh')).toEqual({ status: 'ok', text: 'exit code 0\n(no output)', exitCode: 0 })
  })

  test('may kill itself', async () => {
    const { run } = installed({ 'a.sh': 'kill -9 $$' })
    expect(await run('a.sh')).toEqual({ status: 'error', text: 'killed by SIGKILL\n(no output)' })
  })

  test('is stopped at the time limit', async () => {
    const { run } = installed({ 'a.sh': 'echo begun; sleep 30' }, { timeoutMs: 500 })
    expect(await run('a.sh')).toEqual({
      status: 'error',
      text: 'stopped after 0.5 s, its time limit\nstdout:\nbegun\n',
    })
  })

  test('is stopped by an abort', async () => {
    const { run } = installed({ 'a.sh': 'sleep 30' })
    const controller = new AbortController()
    const running = run('a.sh', {}, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 200)
    await expect(running).rejects.toThrow('enough')
  })

  test('tells its head and its tail where it says too much', async () => {
    const { run } = installed({ 'a.sh': 'echo first; yes | head -c 300000; echo last' })
    const { text } = await run('a.sh')
    expect(text.startsWith('exit code 0\nstdout:\nfirst\ny\ny\n')).toBe(true)
    expect(text.endsWith('y\nlast\n')).toBe(true)
    expect(text).toContain('… 168,939 bytes left out …')
  })

  test('takes its background processes with it', async () => {
    const { run, workspace } = installed({
      'a.sh':
        'setsid bash -c "sleep 1; echo late > late.txt" > /dev/null 2>&1 & (sleep 1; echo late > late2.txt) & sleep 0.3; echo done',
    })
    expect(await run('a.sh')).toEqual(ok('done\n'))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(workspace.files('.', 10).map((file) => file.path)).toEqual(['data.csv'])
  })
})

const installed = install

describe('the environment of a script', () => {
  afterEach(() => {
    delete process.env.SKILLS_EVAL_TEST_SECRET
  })

  test('is built up from nothing', async () => {
    process.env.SKILLS_EVAL_TEST_SECRET = 'leaked'
    const { run, folder, skill, workspace } = installed({ 'a.js': 'console.log(JSON.stringify(process.env))' })
    const { text } = await run('a.js')
    expect(JSON.parse(text.split('\n')[2]!)).toEqual({
      PATH: searchPath,
      LANG: 'C.UTF-8',
      PASSED: 'by name',
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'home'),
      SKILL_DIR: skill.dir,
      WORKSPACE: workspace.root(),
    })
  })

  test('has our own names for home, skill and workspace, whatever is passed', async () => {
    const { run, folder } = installed(
      { 'a.sh': 'echo "$HOME"' },
      { environment: { PATH: searchPath, HOME: '/root', SKILL_DIR: '/x', WORKSPACE: '/y' } },
    )
    expect((await run('a.sh')).text).toContain(join(folder, 'home'))
  })
})

describe('what is no script of the skill', () => {
  const files: FileEntries = {
    'SKILL.md': '---\nname: csv-analyzer\n---\n',
    'scripts/a.py': 'print(1)',
    'scripts/b.sh': 'echo b',
    'evals/grader.py': 'print("leaked")',
    'scripts/outside.py': { link: '../../secret.py' },
    'scripts/inside.py': { link: 'a.py' },
    'scripts/eval.py': { link: '../evals/grader.py' },
    'scripts/dangling.py': { link: 'nowhere.py' },
    'scripts/loop.py': { link: 'loop.py' },
    linked: { link: '../elsewhere' },
    '../secret.py': 'print("secret")',
    '../elsewhere/x.py': 'print("secret")',
    'data.csv': 'a,b\n',
  }
  const has = '; its scripts: scripts/a.py, scripts/b.sh, scripts/eval.py, scripts/inside.py, scripts/outside.py'

  test.each([
    ['above', '../secret.py', '../secret.py: the path has "..", which would leave the folder'],
    ['absolute', '/bin/ls', '/bin/ls: the path is absolute: give a relative one'],
    ['with a backslash', 'scripts\\a.py', 'scripts\\a.py: the path has a backslash: use forward slashes'],
    ['with a NUL', 'scripts/a.py\0', 'scripts/a.py\0: the path has a control character'],
    ['missing', 'scripts/c.py', `csv-analyzer has no script scripts/c.py${has}`],
    ['a link that leads outside', 'scripts/outside.py', 'scripts/outside.py is a link that leads outside the skill'],
    ['below a linked folder outside', 'linked/x.py', 'linked/x.py is a link that leads outside the skill'],
    ['a link that leads nowhere', 'scripts/dangling.py', `csv-analyzer has no script scripts/dangling.py${has}`],
    ['a link round in circles', 'scripts/loop.py', `csv-analyzer has no script scripts/loop.py${has}`],
    ['part of its own evals', 'evals/grader.py', `csv-analyzer has no script evals/grader.py${has}`],
    ['part of its own evals, in capitals', 'EVALS/grader.py', `csv-analyzer has no script EVALS/grader.py${has}`],
    ['part of its own evals, through a link', 'scripts/eval.py', `csv-analyzer has no script scripts/eval.py${has}`],
    ['a folder', 'scripts', 'scripts is not a file'],
    ['the skill itself', '.', '. is not a file'],
    [
      'data',
      'data.csv',
      "data.csv has no shebang and its extension is none of .py, .sh, .bash, .js, .mjs, .cjs, .ts: it can't be run",
    ],
  ])('is refused: %s', async (_, path, text) => {
    const { run, folder } = installed(files)
    expect(await run(path)).toEqual({ status: 'error', text })
    expect(existsSync(join(folder, 'home'))).toBe(false)
  })

  test('but a link inside the skill is one', async () => {
    expect(await installed(files).run('scripts/inside.py')).toEqual(ok('1\n'))
  })

  test('says so where its program is not installed', async () => {
    const { run } = installed({ 'a.py': '', 'b.rb': '#!/usr/bin/env ruby\n' }, { findProgram: () => undefined })
    expect((await run('a.py')).text).toBe('a.py needs python3 or python, which is not installed here')
    expect((await run('b.rb')).text).toBe('b.rb needs ruby, which is not installed here')
  })

  test('says so where it can’t be started', async () => {
    const { run } = installed({ 'a.sh': 'echo' })
    const long = 'x'.repeat(3_000_000)
    expect(await run('a.sh', { args: [long] })).toEqual({
      status: 'error',
      text: 'a.sh could not be started: the arguments are too long',
    })
    expect(await run('a.sh', { args: ['a\0b'] })).toEqual({
      status: 'error',
      text: 'a.sh could not be started: an argument has a NUL character',
    })
  })

  test('needs a skill', async () => {
    const { workspace } = installed({})
    const tool = runScriptTool({
      files: diskFiles(),
      scripts: plain,
      findProgram: () => undefined,
      nodeRunsTypeScript: false,
      environment: {},
      scratch: () => '/nope',
      timeoutMs: 1,
    })
    expect(await useTool(tool, { path: 'a.sh' }, workspace)).toEqual({
      status: 'error',
      text: 'run_script needs the skill that the script belongs to',
    })
  })
})

test('a script need not be executable, and its own mode is not changed', async () => {
  const { run, skill } = installed({ 'a.sh': 'ls -l "$0" | cut -c1-10' })
  chmodSync(join(skill.dir, 'a.sh'), 0o644)
  expect(await run('a.sh')).toEqual(ok('-rw-r--r--\n'))
})
