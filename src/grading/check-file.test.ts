import { describe, expect, test } from 'vitest'
import { memoryWorkspace } from '../adapters/memory/memory-workspace.ts'
import { FileError } from '../core/errors.ts'
import type { Workspace } from '../core/ports.ts'
import type { FileCheck } from '../schema/check.ts'
import { checkFile } from './check-file.ts'
import { GraderError } from './grader-error.ts'
import type { GradingPorts } from './ports.ts'

const ports: GradingPorts = {
  runScript: async ({ text }) => ({
    exitCode: 0,
    stdout: JSON.stringify({ score: text.length / 10, pass: true, checks: [{ name: 'long', pass: text.length > 3 }] }),
    stderr: '',
    timedOut: false,
  }),
  readSchema: () => true,
}

const check = (expected: FileCheck, workspace: Workspace) => checkFile(expected, workspace, ports)
const verdicts = async (expected: FileCheck, workspace: Workspace): Promise<boolean[]> =>
  (await check(expected, workspace)).map((result) => result.passed)

describe('exists', () => {
  const workspace = memoryWorkspace({ 'out/report.md': '# Report', 'a.csv': 'x' })

  test.each([
    [{ path: 'a.csv' }, true],
    [{ path: './a.csv' }, true],
    [{ path: 'a.csv', exists: true }, true],
    [{ path: 'b.csv' }, false],
    [{ path: 'b.csv', exists: false }, true],
    [{ path: 'a.csv', exists: false }, false],
    [{ path: '*.csv' }, true],
    [{ path: '**/*.md' }, true],
    [{ path: '*.md' }, false],
    [{ path: '*.md', exists: false }, true],
    [{ path: '*.csv', exists: false }, false],
    [{ path: 'out' }, true],
  ])('%j: %j', async (expected, passed) => {
    expect(await verdicts(expected, workspace)).toEqual([passed])
  })

  test('a failure says what there is instead', async () => {
    expect(await check({ path: 'b.csv', weight: 2 }, workspace)).toEqual([
      {
        name: 'b.csv exists',
        kind: 'file',
        passed: false,
        score: 0,
        weight: 2,
        message: 'b.csv does not exist; the workspace has a.csv, out/report.md',
      },
    ])
    expect((await check({ path: '*.txt', exists: true }, memoryWorkspace()))[0]?.message).toBe(
      'no file matches *.txt; the workspace is empty',
    )
    expect((await check({ path: '**/*', exists: false }, workspace))[0]?.message).toBe('there is a.csv, out/report.md')
  })

  test('nothing is asked of a file that must not be there', async () => {
    expect(await verdicts({ path: 'b.csv', exists: false, contains: 'x', unchanged: true }, workspace)).toEqual([true])
    expect(await verdicts({ path: 'a.csv', exists: false, contains: 'x' }, workspace)).toEqual([false])
  })

  test('a name with glob characters is found as it is', async () => {
    expect(await verdicts({ path: 'data[1].csv' }, memoryWorkspace({ 'data[1].csv': '' }))).toEqual([true])
  })

  test('a path that no workspace can have can’t be judged', async () => {
    await expect(check({ path: '../x' }, workspace)).rejects.toThrow(GraderError)
  })

  test('a workspace that was never used is not made', async () => {
    const untouched: Workspace = {
      ...memoryWorkspace(),
      root: () => {
        throw new Error('made')
      },
    }
    expect(await verdicts({ path: 'x', exists: false }, untouched)).toEqual([true])
    expect(await verdicts({ path: '**', unchanged: true }, untouched)).toEqual([false])
  })
})

describe('unchanged', () => {
  const changed = (): Workspace => {
    const workspace = memoryWorkspace({ 'data/a.csv': '1', 'data/b.csv': '2', 'data/c.csv': '3', 'notes.md': '4' })
    workspace.write('data/b.csv', '9')
    workspace.remove('data/c.csv')
    workspace.write('data/d.csv', '5')
    return workspace
  }

  test.each([
    ['data/a.csv', true],
    ['data/b.csv', false],
    ['data/c.csv', false],
    ['data/d.csv', false],
    ['data/e.csv', false],
    ['notes.md', true],
    ['data/*.csv', false],
    ['data', false],
    ['*.md', true],
    ['**/a.*', true],
    ['**/*', false],
  ])('%s: %j', async (path, passed) => {
    expect(await verdicts({ path, unchanged: true }, changed())).toEqual([passed])
  })

  test('a failure lists what was added, removed and changed', async () => {
    const result = {
      name: 'data/** is unchanged',
      kind: 'file',
      passed: false,
      score: 0,
      weight: 1,
      message: 'data/b.csv was changed\ndata/c.csv was removed\ndata/d.csv was added',
    }
    expect(await check({ path: 'data/**', unchanged: true }, changed())).toEqual([result])
    expect(await check({ path: 'data', unchanged: true }, changed())).toEqual([
      { ...result, name: 'data is unchanged' },
    ])
  })

  test('the same content written again is unchanged', async () => {
    const workspace = memoryWorkspace({ a: 'x' })
    workspace.write('a', 'x')
    expect(await verdicts({ path: 'a', unchanged: true }, workspace)).toEqual([true])
  })

  test('unchanged: false wants a change', async () => {
    expect(await verdicts({ path: 'data/b.csv', unchanged: false }, changed())).toEqual([true])
    expect(await verdicts({ path: 'data/a.csv', unchanged: false }, changed())).toEqual([false])
  })
})

describe('checks on the content', () => {
  const workspace = memoryWorkspace({
    'out.json': '{"n": 4}',
    'a.md': '# A\nsame',
    'b.md': '# B\nsame',
    'bad.txt': new Uint8Array([0xff, 0xfe, 0x41]),
    'bom.txt': '\ufeffx',
  })

  test('an operator beside the path looks at the file', async () => {
    expect(await check({ path: 'out.json', json_equals: { n: 4 }, weight: 2 }, workspace)).toEqual([
      { name: 'out.json: equals the JSON {"n":4}', kind: 'json_equals', passed: true, score: 1, weight: 2 },
    ])
    expect(await verdicts({ path: 'out.json', contains: '4', not: true }, workspace)).toEqual([false])
  })

  test('each listed check is a result of its own', async () => {
    const results = await check(
      {
        path: 'out.json',
        exists: true,
        is_json: true,
        checks: [{ contains: '5' }, { name: 'short', length: { max: 9, unit: 'chars' } }],
      },
      workspace,
    )
    expect(results.map(({ name, kind, passed }) => [name, kind, passed])).toEqual([
      ['out.json exists', 'file', true],
      ['out.json: is JSON', 'is_json', true],
      ['out.json: contains "5"', 'contains', false],
      ['out.json: short', 'length', true],
    ])
  })

  test('a name given to the entry names its results', async () => {
    const names = async (expected: FileCheck) => (await check(expected, workspace)).map((result) => result.name)
    expect(await names({ path: 'out.json', name: 'the sum', contains: '4' })).toEqual(['the sum'])
    expect(await names({ path: 'out.json', name: 'the sum', exists: true, checks: [{ contains: '4' }] })).toEqual([
      'the sum exists',
      'the sum: contains "4"',
    ])
  })

  test('with a glob a check holds when it does for every file that matches', async () => {
    expect(await verdicts({ path: '*.md', contains: 'same' }, workspace)).toEqual([true])
    expect(await check({ path: '*.md', contains: '# A' }, workspace)).toEqual([
      {
        name: '*.md: contains "# A"',
        kind: 'contains',
        passed: false,
        score: 0,
        weight: 1,
        message: 'b.md: missing "# A"; the text is "# B\\nsame"',
        expected: '# A',
        actual: '# B\nsame',
      },
    ])
    expect((await check({ path: '*.md', contains: 'x' }, workspace))[0]?.message).toBe(
      'a.md: missing "x"; the text is "# A\\nsame"\nand in 1 more: b.md',
    )
  })

  test('where there is no file every check fails, so that results do not depend on it', async () => {
    expect(
      await check({ path: 'c.md', contains: 'x', not: true, checks: [{ is_json: true }] }, workspace),
    ).toMatchObject([
      {
        name: 'c.md: not: contains "x"',
        kind: 'contains',
        passed: false,
        message: expect.stringContaining('c.md does not exist'),
      },
      { name: 'c.md: is JSON', kind: 'is_json', passed: false },
    ])
    expect(await verdicts({ path: '*.x', contains: 'x' }, workspace)).toEqual([false])
  })

  test('what is not UTF-8 fails with words; a byte order mark is no part of the text', async () => {
    expect((await check({ path: 'bad.txt', contains: 'A', not: true }, workspace))[0]).toMatchObject({
      passed: false,
      message: 'bad.txt is not UTF-8 text',
    })
    expect(await verdicts({ path: 'bom.txt', equals: 'x' }, workspace)).toEqual([true])
  })

  test('a folder has no content', async () => {
    const nested = memoryWorkspace({ 'd/x': '1' })
    expect((await check({ path: 'd', contains: 'x' }, nested))[0]).toMatchObject({
      passed: false,
      message: 'd is a folder',
    })
  })

  test('a file over 4 MiB can’t be judged', async () => {
    const large = memoryWorkspace({
      'big.txt': 'x'.repeat(4 * 1024 * 1024 + 1),
      'fits.txt': 'x'.repeat(4 * 1024 * 1024),
    })
    await expect(check({ path: 'big.txt', contains: 'x' }, large)).rejects.toThrow(/big\.txt is too large to judge/)
    expect(await verdicts({ path: 'fits.txt', contains: 'x' }, large)).toEqual([true])
    expect(await verdicts({ path: 'big.txt', unchanged: true }, large)).toEqual([true])
  })

  test('a link that leads out of the workspace fails with words', async () => {
    const linked: Workspace = {
      ...workspace,
      stat: () => {
        throw new FileError('outside_workspace', 'out.json: a link in it leads outside the workspace')
      },
    }
    expect(await check({ path: 'out.json', exists: true, contains: 'x' }, linked)).toMatchObject([
      { passed: false, message: 'out.json: a link in it leads outside the workspace' },
      { passed: false, message: 'out.json: a link in it leads outside the workspace' },
    ])
    expect(await verdicts({ path: 'out.json', exists: false }, linked)).toEqual([false])
  })

  test('the parts of a grader script follow its result, named for their file where there are several', async () => {
    const results = await check(
      { path: '*.md', script: { run: 'g.py' } },
      memoryWorkspace({ 'a.md': 'abcde', 'b.md': 'ab' }),
    )
    expect(results.map(({ name, score, weight, passed }) => [name, score, weight, passed])).toEqual([
      ['*.md: g.py holds', 0.2, 1, true],
      ['script/long (a.md)', 1, 0, true],
      ['script/long (b.md)', 0, 0, false],
    ])
  })
})
