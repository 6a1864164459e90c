import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { noIsolationHere, runnerOptions, scriptBench } from './script-runner.test-support.ts'
import { scriptRunner } from './script-runner.ts'

const isLinux = process.platform === 'linux'
const plain = scriptRunner(runnerOptions({ mode: 'off' }))
const isolated = scriptRunner(runnerOptions({ mode: 'require' }))
const isolations = Object.entries((await noIsolationHere()) === undefined ? { plain, isolated } : { plain })

/** Processes that sleep for exactly so long: each test has its own number, which it finds its own by. */
const sleeping = (seconds: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && commandOf(pid).includes(`\0${seconds}\0`))

const commandOf = (pid: number): string => {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) ? '' : readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // Gone meanwhile.
    return ''
  }
}

/** A killed process takes a moment to end. */
const gone = async (seconds: string): Promise<boolean> => {
  for (let i = 0; i < 100 && sleeping(seconds).length > 0; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return sleeping(seconds).length === 0
}

let count = 0
const ownNumber = (): string => {
  count += 1
  return `9${String(process.pid).padStart(6, '0')}${count}`
}

const marginMs = 2500

describe.skipIf(!isLinux).each(isolations)('a hostile script, %s,', (name, scripts) => {
  test.each([
    ['forks', 'sleep $N & sleep $N & wait'],
    ['calls setsid', 'setsid sleep $N & wait'],
    ['forks twice and is a daemon', '(setsid bash -c "setsid sleep $N < /dev/null > /dev/null 2>&1 &" &); sleep $N'],
    ['ignores SIGTERM', 'trap "" TERM INT HUP; while true; do sleep $N; done'],
    [
      'ignores SIGTERM in all that it starts',
      'trap "" TERM; (trap "" TERM; sleep $N) & setsid sleep $N & wait; sleep $N',
    ],
    ['closes its outputs', 'exec > /dev/null 2>&1 < /dev/null; sleep $N'],
    ['stops itself', 'sleep $N & kill -STOP $$; wait'],
    ['changes its environment by half', 'env FOO=1 setsid sleep $N & wait'],
  ])('that %s ends within its limit and 2.5 s, and leaves nothing', async (_, code) => {
    const number = ownNumber()
    const { run } = scriptBench(scripts)
    const { result } = await run(code.replaceAll('$N', number), { timeoutMs: 700 })
    expect(result?.timedOut).toBe(true)
    expect(result?.durationMs).toBeLessThan(700 + marginMs)
    expect(await gone(number)).toBe(true)
  })

  test.each([
    ['holds its pipes in the background', 'sleep $N & echo done'],
    ['holds its pipes in a session of its own', 'setsid sleep $N & sleep 0.2; echo done'],
    ['leaves a daemon', '(setsid sleep $N < /dev/null > /dev/null 2>&1 &); sleep 0.2; echo done'],
  ])('that %s ends at once, and leaves nothing', async (_, code) => {
    const number = ownNumber()
    const { result, out } = await scriptBench(scripts).run(code.replaceAll('$N', number))
    expect([out, result?.exitCode]).toEqual(['done\n', 0])
    expect(result?.durationMs).toBeLessThan(marginMs)
    expect(await gone(number)).toBe(true)
  })

  test.runIf(name === 'isolated')('that leaves a daemon without an environment leaves nothing', async () => {
    const number = ownNumber()
    const code = `env -i /usr/bin/setsid /bin/sleep ${number} < /dev/null > /dev/null 2>&1 & sleep 0.3; echo done`
    expect((await scriptBench(scripts).run(code)).out).toBe('done\n')
    expect(await gone(number)).toBe(true)
  })

  test('that forks without end is ended by its time limit', async () => {
    // Each one forks two and waits for them: bounded, so that a failure of this test does not end the machine.
    const code = 'f() { [ "$1" -gt 7 ] || { f $(($1 + 1)) & f $(($1 + 1)) & }; exec sleep $N; }; f 0'
    const number = ownNumber()
    const { result } = await scriptBench(scripts).run(code.replaceAll('$N', number), { timeoutMs: 1500 })
    expect(result?.timedOut).toBe(true)
    expect(result?.durationMs).toBeLessThan(1500 + marginMs)
    expect(await gone(number)).toBe(true)
  })

  test('that prints 1 GiB costs less than 100 MB', async () => {
    const before = process.memoryUsage.rss()
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 10)
    const { result } = await scriptBench(scripts).run('yes | head -c 1073741824')
    clearInterval(watch)
    expect(result?.stdout.bytes).toBe(1_073_741_824)
    expect(Buffer.byteLength(result?.stdout.text ?? '')).toBeLessThan(140_000)
    expect(peak - before).toBeLessThan(100e6)
  })

  test.skipIf(runnerOptions().prlimit === undefined)('that asks for all memory gets an error', async () => {
    const { run } = scriptBench(scripts)
    const { result } = await run(`exec ${process.execPath} -e 'Buffer.alloc(1500e6, 1)'`)
    expect(result?.exitCode).not.toBe(0)
    expect((await run('ulimit -c; ulimit -d; ulimit -f')).out).toBe('0\n1048576\n262144\n')
  })

  test.skipIf(runnerOptions().prlimit === undefined)('that fills the disk with one file is stopped', async () => {
    const small = scriptRunner(
      runnerOptions({ mode: name === 'isolated' ? 'require' : 'off', limits: { memoryMb: 1024, fileMb: 1 } }),
    )
    const { result } = await scriptBench(small).run('head -c 3000000 /dev/zero > big; echo "$?"; wc -c < big')
    expect(result?.stdout.text.split('\n')[1]).toBe('1048576')
  })
})
