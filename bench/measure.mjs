import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const preload = new URL('./usage.cjs', import.meta.url).pathname

/** Runs `node args` in `cwd`; CPU seconds (user + system of that process), wall seconds, peak MiB. Throws if it fails. */
export const measure = (args, { cwd, env = {}, expect = 0 }) => {
  const usageFile = join(cwd, '.usage.json')
  const started = performance.now()
  const result = spawnSync(process.execPath, ['-r', preload, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // Node 20 reads the file of extra certificates at every start, which would be most of what is measured.
    env: { PATH: process.env.PATH, HOME: join(cwd, '.home'), BENCH_USAGE: usageFile, NO_COLOR: '1', ...env },
  })
  const wall = (performance.now() - started) / 1000
  if (result.status !== expect)
    throw new Error(`node ${args.join(' ')}: exit ${result.status}\n${result.stderr.slice(-2000)}`)
  return { ...JSON.parse(readFileSync(usageFile, 'utf8')), wall, stdout: result.stdout }
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Medians of `times` runs. */
export const repeat = (times, run) => {
  const runs = Array.from({ length: times }, run)
  const of = (key) => median(runs.map((one) => one[key]))
  return { cpu: of('cpu'), wall: of('wall'), mib: of('mib') }
}
