import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ProcessRequest } from '../../core/ports.ts'
import { tempFolder } from '../files/temp-folder.test-support.ts'
import { processRunner } from './process-runner.ts'

const { run } = processRunner()

const request = (command: readonly string[], change: Partial<ProcessRequest> = {}): ProcessRequest => ({
  command,
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 20_000,
  keepBytes: 1024,
  signal: new AbortController().signal,
  ...change,
})
const node = (code: string, change: Partial<ProcessRequest> = {}) => request([process.execPath, '-e', code], change)
const bash = (code: string, change: Partial<ProcessRequest> = {}) => request(['/bin/bash', '-c', code], change)

const timed = async <T>(action: Promise<T>): Promise<[T, number]> => {
  const started = performance.now()
  return [await action, performance.now() - started]
}

const isAlive = async (pid: number): Promise<boolean> => {
  // A killed process takes a moment to end, and is listed as a zombie until its parent has asked for it.
  for (let i = 0; i < 100; i += 1) {
    const path = `/proc/${pid}/stat`
    if (!existsSync(path) || /\) Z /.test(readFileSync(path, 'utf8'))) return false
    await pause()
  }
  return true
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 10))

const pidIn = async (path: string): Promise<number> => {
  for (let i = 0; i < 500 && !(existsSync(path) && readFileSync(path, 'utf8').endsWith('\n')); i += 1) {
    await pause()
  }
  return Number(readFileSync(path, 'utf8'))
}

describe('a program', () => {
  test.each([
    ['that succeeds', bash('echo out; echo err >&2'), { exitCode: 0, signal: null, out: 'out\n', err: 'err\n' }],
    ['that fails', bash('echo bad >&2; exit 3'), { exitCode: 3, signal: null, out: '', err: 'bad\n' }],
    ['that is killed', bash('kill -9 $$'), { exitCode: null, signal: 'SIGKILL', out: '', err: '' }],
    [
      'that reads its input',
      request(['/bin/cat'], { stdin: 'größe\n' }),
      { exitCode: 0, signal: null, out: 'größe\n', err: '' },
    ],
    ['that reads without input', request(['/bin/cat']), { exitCode: 0, signal: null, out: '', err: '' }],
    [
      'that does not read the input it is given',
      request(['/bin/true'], { stdin: 'x'.repeat(2_000_000) }),
      { exitCode: 0, signal: null, out: '', err: '' },
    ],
    [
      'gets its arguments as they are',
      request([
        process.execPath,
        '-p',
        'JSON.stringify(process.argv.slice(1))',
        'a b',
        '"q"',
        "'s'",
        '$HOME',
        'l\ni',
        '',
        '*',
      ]),
      {
        exitCode: 0,
        signal: null,
        out: `${JSON.stringify(['a b', '"q"', "'s'", '$HOME', 'l\ni', '', '*'])}\n`,
        err: '',
      },
    ],
    [
      'gets the environment that is given, and nothing of ours',
      node('console.log(JSON.stringify(process.env))', { env: { ONLY: 'this' } }),
      { exitCode: 0, signal: null, out: '{"ONLY":"this"}\n', err: '' },
    ],
    ['runs where it is told to', bash('pwd', { cwd: '/usr' }), { exitCode: 0, signal: null, out: '/usr\n', err: '' }],
    [
      'leads a group of its own',
      bash('[ "$(ps -o pgid= $$ | tr -d " ")" = "$$" ] && echo own'),
      { exitCode: 0, signal: null, out: 'own\n', err: '' },
    ],
  ])('%s', async (_, asked, expected) => {
    const { exitCode, signal, stdout, stderr, timedOut, startError } = await run(asked)
    expect({ exitCode, signal, out: stdout.text, err: stderr.text }).toEqual(expected)
    expect([timedOut, startError]).toEqual([false, undefined])
  })

  test.each([
    ['is missing', request(['/nope/program']), /^spawn \/nope\/program ENOENT$/],
    ['may not be run', request(['/etc/passwd']), /EACCES/],
    ['has no folder to run in', request(['/bin/true'], { cwd: '/nope' }), /cwd.*\/nope/],
    ['gets too long an argument', request(['/bin/echo', 'x'.repeat(4_000_000)]), /^the arguments are too long$/],
    ['gets an argument with a NUL', request(['/bin/echo', 'a\0b']), /^an argument has a NUL character$/],
    ['gets a NUL in its environment', request(['/bin/true'], { env: { A: 'a\0b' } }), /^the environment has a NUL/],
    ['has no name', request([]), /./],
  ])('that %s is told to be so', async (_, asked, startError) => {
    const result = await run(asked)
    expect(result.startError).toMatch(startError)
    const nothing = { text: '', bytes: 0, omitted: 0 }
    expect(result).toMatchObject({ exitCode: null, signal: null, timedOut: false, stdout: nothing, stderr: nothing })
  })
})

describe('a flood of output', () => {
  test('is kept at its head and its tail, and counted', async () => {
    const code = `
      const line = 'x'.repeat(99) + '\\n'
      process.stdout.write('HEAD\\n')
      for (let i = 0; i < 2000; i++) process.stdout.write(line.repeat(100))
      process.stdout.write('TAIL\\n')`
    const { stdout, exitCode } = await run(node(code, { keepBytes: 1000 }))
    expect([exitCode, stdout.bytes, stdout.omitted]).toEqual([0, 20_000_010, 20_000_010 - 2000])
    expect(stdout.text.startsWith('HEAD\n')).toBe(true)
    expect(stdout.text.endsWith('TAIL\n')).toBe(true)
    expect(Buffer.byteLength(stdout.text)).toBeLessThan(2100)
  })

  test('on both streams at once blocks neither', async () => {
    const { stdout, stderr } = await run(bash('yes | head -c 3000000 & yes err | head -c 3000000 >&2; wait'))
    expect([stdout.bytes, stderr.bytes]).toEqual([3_000_000, 3_000_000])
  })

  test('without end ends with the time limit', async () => {
    const [result] = await timed(run(request(['/usr/bin/yes'], { timeoutMs: 300 })))
    expect([result.timedOut, result.signal]).toEqual([true, 'SIGTERM'])
    expect(Buffer.byteLength(result.stdout.text)).toBeLessThan(2100)
  })
})

describe('a program that takes too long', () => {
  test('is asked to stop, and what it said until then is kept', async () => {
    const [result, ms] = await timed(run(bash('echo begun; sleep 60', { timeoutMs: 300 })))
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGTERM', timedOut: true, stdout: { text: 'begun\n' } })
    expect(ms).toBeLessThan(2000)
  })

  test('may end in its own way when it is asked to', async () => {
    const result = await run(bash('trap "echo bye; exit 7" TERM; sleep 60 & wait', { timeoutMs: 500 }))
    expect(result).toMatchObject({ exitCode: 7, signal: null, timedOut: true, stdout: { text: 'bye\n' } })
  })

  test('is killed after 2 s where it does not listen', async () => {
    const code = 'trap "" TERM; echo deaf; while true; do sleep 0.1; done'
    const [result, ms] = await timed(run(bash(code, { timeoutMs: 200 })))
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true, stdout: { text: 'deaf\n' } })
    expect(ms).toBeGreaterThan(2150)
    expect(ms).toBeLessThan(6000)
  })

  test('takes what it started with it', async () => {
    const folder = tempFolder()
    await run(bash(`sleep 60 & echo $! > ${folder}/pid; wait`, { timeoutMs: 400 }))
    expect(await isAlive(await pidIn(join(folder, 'pid')))).toBe(false)
  })
})

describe('what a program leaves in the background', () => {
  test.each([
    ['that keeps its output open', 'sleep 60 & echo $! > "$0"'],
    ['that is deaf to signals', '(trap "" TERM HUP INT; sleep 60) & echo $! > "$0"'],
    ['of a child that is gone', '(sleep 60 & echo $! > "$0")'],
    ['with nohup', 'nohup sleep 60 > /dev/null 2>&1 & echo $! > "$0"'],
  ])('%s delays nothing and does not survive', async (_, code) => {
    const path = join(tempFolder(), 'pid')
    const [result, ms] = await timed(run(request(['/bin/bash', '-c', `${code}; echo done`, path])))
    expect(result).toMatchObject({ exitCode: 0, timedOut: false, stdout: { text: 'done\n' } })
    expect(ms).toBeLessThan(5000)
    expect(await isAlive(await pidIn(path))).toBe(false)
  })

  // Environments of processes are shown under /proc alone.
  describe.skipIf(process.platform !== 'linux')('and has left the group', () => {
    const marked = (code: string, folder: string) =>
      request(['/bin/bash', '-c', code, join(folder, 'pid')], {
        env: { PATH: '/usr/bin:/bin', HOME: folder },
        marker: 'HOME',
      })

    test.each([
      ['with setsid', 'setsid sleep 60 & echo $! > "$0"'],
      ['with setsid, its output closed', 'setsid sleep 60 > /dev/null 2>&1 & echo $! > "$0"'],
      ['twice', 'setsid bash -c "setsid sleep 60 & echo \\$! > $0; wait" & sleep 0.3'],
    ])('%s is found by the marker in its environment', async (_, code) => {
      const folder = tempFolder()
      // It must have left before the end, or it would be killed with the group.
      const result = await run(marked(`${code}; sleep 0.3; echo done`, folder))
      expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'done\n' } })
      expect(await isAlive(await pidIn(join(folder, 'pid')))).toBe(false)
    })

    test('does not delay the end even where it is not found', async () => {
      const folder = tempFolder()
      const code = 'env -i /usr/bin/setsid /bin/sleep 5 & echo $! > "$0"; sleep 0.3; echo done'
      const [result, ms] = await timed(run(marked(code, folder)))
      expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'done\n' } })
      expect(ms).toBeLessThan(4000)
      process.kill(await pidIn(join(folder, 'pid')))
    })

    test('is left alone where it is another program’s', async () => {
      const [ours, theirs] = [tempFolder(), tempFolder()]
      const first = run(marked('echo $$ > "$0"; sleep 0.5', ours))
      await pidIn(join(ours, 'pid'))
      const second = run(marked('sleep 1; echo finished', theirs))
      await first
      expect((await second).stdout.text).toBe('finished\n')
    })
  })
})

test('what is under way ends with us where we exit on the spot', async () => {
  const path = join(tempFolder(), 'pid')
  const before = process.listeners('exit')
  const deaf = 'trap "" TERM INT; echo $$ > "$0"; while true; do sleep 0.1; done'
  const running = run(request(['/bin/bash', '-c', deaf, path]))
  const pid = await pidIn(path)
  for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(130)
  expect(await running).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: false })
  expect([await isAlive(pid), process.listeners('exit')]).toEqual([false, before])
})

describe('an abort', () => {
  test('ends the program and rejects with its reason', async () => {
    const path = join(tempFolder(), 'pid')
    const controller = new AbortController()
    const running = run(request(['/bin/bash', '-c', 'echo $$ > "$0"; sleep 60', path], { signal: controller.signal }))
    const pid = await pidIn(path)
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    expect(await isAlive(pid)).toBe(false)
  })

  test('kills what does not listen', async () => {
    const path = join(tempFolder(), 'pid')
    const controller = new AbortController()
    const deaf = 'trap "" TERM; echo $$ > "$0"; while true; do sleep 0.1; done'
    const running = run(request(['/bin/bash', '-c', deaf, path], { signal: controller.signal }))
    const pid = await pidIn(path)
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    expect(await isAlive(pid)).toBe(false)
  })

  test('that came before starts nothing', async () => {
    const path = join(tempFolder(), 'pid')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(run(request(['/usr/bin/touch', path], { signal }))).rejects.toThrow('enough')
    expect(existsSync(path)).toBe(false)
  })
})
